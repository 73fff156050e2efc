import { useEffect, useRef } from 'preact/hooks';
import type { Act as Done } from '../../lib/acts/acts.js';
import type { RunRow } from '../../lib/dashboard/options.js';
import type { WorkflowExplanation } from '../../lib/engine/explain.js';
import { attributeText } from './attributes.js';
import { type Sent, useLive } from './api.js';
import { Compare } from './compare.js';
import { Family } from './family.js';
import { Payload } from './payload.js';
import { Problem, RunLink, Status, Table, View } from './parts.js';
import { href, query, refine } from './router.js';
import { RunActs } from './run-acts.js';
import { SentOut } from './sent-out.js';
import { StepPanel } from './step.js';
import { useSteps } from './steps.js';
import { Time, Took } from './times.js';
import { Timeline } from './timeline.js';
import { listenedIn, seqOf, Why } from './why.js';

type Head = Sent<RunRow>;
type ActOnRun = Sent<Omit<Done, 'details'>>;

const RARELY_MS = 60_000;

interface Shown {
  run: Head;
  links?: { title: string; href: string }[];
}

export function RunView({ id }: { id: string }) {
  const at = `runs/${encodeURIComponent(id)}`;
  const live = useLive<Shown>(at);
  const run = live.data?.run;
  // A run that has ended does not change, unless somebody acts on it.
  const every = (run?.finishedAt ?? null) === null ? 2_000 : RARELY_MS;
  const why = useLive<Sent<WorkflowExplanation>>(`${at}/why`, run ? every : 2_000);
  const steps = useSteps(at, every);
  const acts = useLive<{ acts: ActOnRun[] }>(`acts?kind=run&target=${encodeURIComponent(id)}&limit=20`, 10_000);
  const again = () => [live, why, steps, acts].forEach((one) => one.again());
  // A step that has an outcome changes only by an act, or when the run goes on after its end. When the run
  // ends, all is asked for once more, since from then on there is a minute between two looks.
  useChange(acts.data && (acts.data.acts[0]?.id ?? ''), again);
  useChange(run && (run.finishedAt ? 'ended' : 'open'), again);
  const chosen = query('step') === undefined ? undefined : Number(query('step'));
  const step = steps.steps?.find(({ seq }) => seq === chosen);
  const waits = why.data?.waitingFor ?? [];
  return (
    <View
      title={
        <>
          <span class="id">{id}</span> {run && <Status status={run.status} reason={run.reason} />}
        </>
      }
      name={id}
      live={live}
    >
      {run && <Facts run={run} links={live.data?.links ?? []} />}
      <Problem live={why} what="Why it stands where it stands" />
      {why.data && <Why id={id} why={why.data} />}
      {run && <RunActs run={run} at={at} listened={listenedIn(why.data)} again={again} />}
      <Problem live={steps} what="Its steps" />
      {run && steps.steps && (
        <section aria-label="Timeline">
          <h2>Steps</h2>
          {!steps.whole && <p role="status">{steps.steps.length} steps so far …</p>}
          <Timeline
            steps={steps.steps}
            from={Date.parse(run.createdAt)}
            to={run.finishedAt ? Date.parse(run.finishedAt) : undefined}
            chosen={chosen}
            choose={(seq) => refine({ step: String(seq) })}
            queued={new Set(waits.flatMap((wait) => (wait.kind === 'limiter' ? (wait.seq ?? []) : [])))}
          />
        </section>
      )}
      {run && step && (
        <StepPanel
          key={step.seq}
          run={run}
          step={step}
          wait={waits.find((wait) => seqOf(wait) === chosen)}
          again={again}
        />
      )}
      {run && <Payload address={`${at}/payloads`} title="Input and outcome" parts={['input', 'output', 'error']} />}
      {run && <Family id={id} />}
      {run && <SentOut at={at} />}
      {run && <Compare at={at} id={id} />}
      {acts.data && <ActsOnRun acts={acts.data.acts} id={id} />}
    </View>
  );
}

/** Calls `then` when a value that was known becomes another one. */
function useChange(value: string | undefined, then: (value: string) => void): void {
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (value === undefined) return;
    if (before.current !== undefined && before.current !== value) then(value);
    before.current = value;
  }, [value]);
}

/** The last of what operators did to it. */
function ActsOnRun({ acts, id }: { acts: readonly ActOnRun[]; id: string }) {
  if (acts.length === 0) return null;
  return (
    <section aria-label="Acts">
      <h2>Acts</h2>
      <Table
        caption="What operators did to this run"
        head={['When', 'Who', 'What', 'Why', 'Outcome']}
        none="Nobody did anything."
        rows={acts.map((act) => (
          <tr key={act.id}>
            <td>
              <Time at={act.at} />
            </td>
            <td>{act.actor}</td>
            <td>{act.action}</td>
            <td>{act.reason}</td>
            <td>{act.outcome}</td>
          </tr>
        ))}
      />
      <a href={href('acts', { kind: 'run', target: id })}>All acts on it</a>
    </section>
  );
}

function Facts({ run, links }: { run: Head; links: readonly { title: string; href: string }[] }) {
  return (
    <dl class="facts">
      <Fact name="Workflow">
        <a href={href('runs', { workflow: run.workflow })}>{run.workflow}</a> v{run.version}
      </Fact>
      <Fact name="Began">
        <Time at={run.startedAt ?? run.createdAt} />
      </Fact>
      <Fact name="Took">
        <Took from={run.createdAt} to={run.finishedAt} />
      </Fact>
      {run.customStatus && <Fact name="Says">{run.customStatus}</Fact>}
      {run.wakeAt && (
        <Fact name="Next">
          <Time at={run.wakeAt} />
        </Fact>
      )}
      {run.parentId && (
        <Fact name="Started by">
          <RunLink id={run.parentId} />
        </Fact>
      )}
      {run.forkedFrom && (
        <Fact name="Forked from">
          <RunLink id={run.forkedFrom.id} /> at {run.forkedFrom.seq}
        </Fact>
      )}
      {run.scheduleId && (
        <Fact name="Schedule">
          <a href={href('runs', { schedule: run.scheduleId })}>{run.scheduleId}</a>
        </Fact>
      )}
      {Object.entries(run.attributes).map(([name, value]) => (
        <Fact key={name} name={name}>
          <a href={href('runs', { attribute: attributeText(name, value) })}>{String(value)}</a>
        </Fact>
      ))}
      {run.traceId && (
        <Fact name="Trace">
          <span class="id">{run.traceId}</span>
        </Fact>
      )}
      {run.error && <Fact name="Error">{run.error.message}</Fact>}
      {links.map(({ title, href: to }) => (
        <Fact key={title} name="">
          <a href={to} target="_blank" rel="noreferrer">
            {title}
          </a>
        </Fact>
      ))}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
