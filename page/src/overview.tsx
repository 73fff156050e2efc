import type { ComponentChildren } from 'preact';
import type { Overview as Seen } from '../../lib/operator/overview.js';
import { type Sent, useLive } from './api.js';
import { Graphs } from './graphs.js';
import { countText, isNone, View } from './parts.js';
import { href } from './router.js';
import { Time } from './times.js';

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
      <Graphs />
    </View>
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
      {workflow} v{version} is due, and no process takes it: since <Time at={since} />
    </a>
  )),
];

const queueLines = ({ unserved, lateSchedules }: Sent<Seen>): ComponentChildren[] => [
  ...unserved.map(({ group, step, waiting, since }) => (
    <a href={href('queues')}>
      <b>{waiting}</b> tasks of {step} in group {group}, which nobody serves: since <Time at={since} />
    </a>
  )),
  ...lateSchedules.map(({ id, workflow, since }) => (
    <a href={href('schedules')}>
      Schedule {id} of {workflow} is late: since <Time at={since} />
    </a>
  )),
];

const outgoingLines = ({ outbox, effects }: Sent<Seen>): ComponentChildren[] => [
  ...outbox.map(({ name, blocked, dead, blockedSince }) => (
    <a href={href('outbox')}>
      {name}: <b>{countText(blocked)}</b> blocked channels, <b>{countText(dead)}</b> dead letters{' '}
      {blockedSince && <Time at={blockedSince} />}
    </a>
  )),
  ...(isNone(effects.abandoned)
    ? []
    : [
        <a href={href('effects')}>
          <b>{countText(effects.abandoned)}</b> abandoned calls
        </a>,
      ]),
  ...effects.unclaimed.map(({ handler }) => <a href={href('effects')}>Nobody makes the calls of {handler}</a>),
];

const peopleLines = ({ holds, lost }: Sent<Seen>): ComponentChildren[] => [
  ...holds.map(({ kind, name, actor, since }) => (
    <a class="quiet" href={href('acts', { kind: 'hold' })}>
      {actor} holds {kind} {name}: since <Time at={since} />
    </a>
  )),
  ...lost.map(({ id, roles, seenAt }) => (
    <a class="quiet" href={href('processes', { ended: 'true' })}>
      Process {id} ({roles.join(', ')}) was lost <Time at={seenAt} />
    </a>
  )),
];
