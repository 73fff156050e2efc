import type { ComponentChildren } from 'preact';
import type { Overview as Seen } from '../../lib/operate/overview.js';
import type { Count } from '../../lib/operate/operator-parts.js';
import type { RecentExamination } from '../../lib/dashboard/route.js';
import { may, type Sent, useLive } from './api.js';
import { Graphs } from './graphs.js';
import { holdsHref } from './holds.js';
import { countText, isNone, Problem, View } from './parts.js';
import { href } from './router.js';
import { Lasting, span, Time } from './times.js';

/** What needs somebody; each line leads to where it is put right. */
export function Overview() {
  const live = useLive<Sent<Seen>>('overview', 5_000);
  const lines = live.data ? linesOf(live.data) : [];
  return (
    <View title="Overview" live={live}>
      {live.data?.unanswered.length === 0 && lines.length === 0 && <p class="calm">Nothing needs you.</p>}
      <ul class="needs">
        {lines.map((line, n) => (
          <li key={n}>{line}</li>
        ))}
      </ul>
      {live.data && live.data.unanswered.length > 0 && (
        <p class="alert">The database was too slow to say: {live.data.unanswered.join(', ')}</p>
      )}
      {may('doctor') && <Doctored />}
      <Graphs />
    </View>
  );
}

const Many = ({ count, of }: { count: Count; of: string }) => (
  <>
    <b>{countText(count)}</b> {count === 1 ? of : `${of}s`}
  </>
);

const NOTHING_TO_EXAMINE = 409;

/** What the doctor found; it is asked again every ten minutes, however many look. */
function Doctored() {
  const live = useLive<RecentExamination>('doctor/recent', 60_000);
  // An app without a database has nothing to examine.
  if (live.error?.status === NOTHING_TO_EXAMINE) return null;
  if (!live.data) return <Problem live={live} what="The doctor" />;
  const { counts, findings, ageMs } = live.data;
  if (findings.length === 0) return <p class="dim">The doctor found nothing wrong {span(ageMs)} ago.</p>;
  return (
    <section aria-label="The doctor">
      <h2>
        <a href={href('doctor')}>The doctor</a> found <Many count={counts.error} of="error" /> and{' '}
        <Many count={counts.warning} of="warning" />
      </h2>
      <ul class="needs">
        {findings.map(({ check, level, text }) => (
          <li key={check + text}>
            <a class={level === 'error' ? undefined : 'quiet'} href={href('doctor')}>
              <b>{check}</b>: {text}
            </a>
          </li>
        ))}
      </ul>
      <p class="dim">Examined {span(ageMs)} ago.</p>
    </section>
  );
}

function linesOf(seen: Sent<Seen>): ComponentChildren[] {
  return [...runLines(seen), ...queueLines(seen), ...outgoingLines(seen), ...peopleLines(seen)];
}

const runLines = ({ blocked, compensationFailed, failed, due }: Sent<Seen>): ComponentChildren[] => [
  ...blocked.map(({ workflow, version, reason, runs }) => (
    <a href={href('runs', { blocked: 'true', workflow, version: String(version), reason })}>
      <b>{countText(runs)}</b> blocked: {workflow} v{version}, {reason.replaceAll('_', ' ')}
    </a>
  )),
  ...(isNone(compensationFailed)
    ? []
    : [
        <a href={href('runs', { status: 'compensation_failed' })}>
          <b>{countText(compensationFailed)}</b> could not undo their steps
        </a>,
      ]),
  ...(isNone(failed)
    ? []
    : [
        <a class="quiet" href={href('runs', { status: 'failed' })}>
          <b>{countText(failed)}</b> failed
        </a>,
      ]),
  ...due.map(({ workflow, version, since }) => (
    <a href={href('runs', { workflow, version: String(version), status: 'pending,running,suspended' })}>
      {workflow} v{version} is due, and no process takes it <Lasting since={since} />
    </a>
  )),
];

const queueLines = ({ unserved, lateSchedules }: Sent<Seen>): ComponentChildren[] => [
  ...unserved.map(({ group, step, waiting, since }) => (
    <a href={href('queues', { group })}>
      <Many count={waiting} of="task" /> of {step} in group {group}, which nobody serves <Lasting since={since} />
    </a>
  )),
  ...lateSchedules.map(({ id, workflow, since }) => (
    <a href={href('schedules', { workflow, schedule: id })}>
      Schedule {id} of {workflow} is late <Lasting since={since} />
    </a>
  )),
];

const outgoingLines = ({ outbox, effects }: Sent<Seen>): ComponentChildren[] => [
  ...outbox.map(({ name, blocked, dead, blockedSince }) => (
    <a href={href('outbox', { destination: name })}>
      {name}: <Many count={dead} of="dead letter" />, <Many count={blocked} of="blocked channel" />
      {blockedSince && (
        <>
          , the oldest <Lasting since={blockedSince} />
        </>
      )}
    </a>
  )),
  ...(isNone(effects.abandoned)
    ? []
    : [
        <a href={href('effects', { status: 'abandoned' })}>
          <Many count={effects.abandoned} of="abandoned call" />
        </a>,
      ]),
  ...effects.unclaimed.map(({ handler }) => <a href={href('processes')}>Nobody makes the calls of {handler}</a>),
];

const peopleLines = ({ holds, lost, draining }: Sent<Seen>): ComponentChildren[] => [
  ...holds.map(({ kind, name, actor, since }) => (
    <a class="quiet" href={holdsHref()}>
      {kind} {name} is held by {actor} <Lasting since={since} />
    </a>
  )),
  ...draining.map(({ id, actor, since }) => (
    <a class="quiet" href={href('processes')}>
      {actor} drains process {id}: since <Time at={since} />
    </a>
  )),
  ...lost.map(({ id, roles, seenAt }) => (
    <a class="quiet" href={href('processes', { ended: 'true' })}>
      Process {id} ({roles.join(', ')}) was lost <Time at={seenAt} />
    </a>
  )),
];
