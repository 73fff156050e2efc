import type { RunRow, StepRow } from '../../lib/dashboard/run-rows.js';
import type { WorkflowExplanation } from '../../lib/engine/insight/explain.js';
import { Act, jsonIn } from './act.js';
import { ask, may, payloads, type Sent, useLive } from './api.js';
import { Family } from './family.js';
import { Payload } from './payload.js';
import { RunLink, Status, View } from './parts.js';
import { href, query, refine } from './router.js';
import { StepPanel } from './step.js';
import { between, Time } from './times.js';
import { Timeline } from './timeline.js';

type Head = Sent<RunRow>;

const RARELY_MS = 60_000;

interface Shown {
  run: Head;
  links?: { title: string; href: string }[];
}

export function RunView({ id }: { id: string }) {
  const at = `runs/${encodeURIComponent(id)}`;
  const live = useLive<Shown>(at);
  const ended = (live.data?.run.finishedAt ?? null) !== null;
  const why = useLive<Sent<WorkflowExplanation>>(`${at}/why`);
  // All of them: those that can be seen are few. A run that has ended does not change.
  const steps = useLive<{ steps: Sent<StepRow>[]; cursor?: number }>(
    `${at}/steps?limit=10000`,
    ended ? RARELY_MS : 2_000,
  );
  const run = live.data?.run;
  const again = () => [live, why, steps].forEach((one) => one.again());
  const chosen = query('step') === undefined ? undefined : Number(query('step'));
  const step = steps.data?.steps.find(({ seq }) => seq === chosen);
  return (
    <View
      title={
        <>
          <span class="id">{id}</span> {run && <Status status={run.status} reason={run.reason} />}
        </>
      }
      live={live}
    >
      {run && <Facts run={run} links={live.data?.links ?? []} />}
      {why.data && (
        <section class="why" aria-label="Why">
          <pre>{why.data.text}</pre>
        </section>
      )}
      {run && <Acts run={run} at={at} again={again} />}
      {run && steps.data && (
        <section aria-label="Timeline">
          <h2>Steps</h2>
          <Timeline
            steps={steps.data.steps}
            from={Date.parse(run.createdAt)}
            to={run.finishedAt ? Date.parse(run.finishedAt) : undefined}
            chosen={chosen}
            choose={(seq) => refine({ step: String(seq) })}
          />
        </section>
      )}
      {step && <StepPanel key={step.seq} runId={id} step={step} again={again} />}
      {run && <Payload address={`${at}/payloads`} title="Input and outcome" parts={['input', 'output', 'error']} />}
      {run && <Family id={id} />}
    </View>
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
      {run.finishedAt && <Fact name="Took">{between(run.createdAt, run.finishedAt)}</Fact>}
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
      {run.scheduleId && <Fact name="Schedule">{run.scheduleId}</Fact>}
      {Object.entries(run.attributes).map(([name, value]) => (
        <Fact key={name} name={name}>
          <a href={href('runs', { attribute: `${name}=${String(value)}` })}>{String(value)}</a>
        </Fact>
      ))}
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

/** The run as a file: its payloads are as they are, and the act log says who took it. */
function Export({ at }: { at: string }) {
  if (!may('export') || payloads === 'never') return null;
  const save = async (as: 'json' | 'test') => {
    const { name, text } = await ask<{ name: string; text: string }>(`${at}/export?as=${as}`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <button type="button" onClick={() => void save('json')}>
        Save as JSON
      </button>
      <button type="button" onClick={() => void save('test')}>
        Save as a test
      </button>
    </>
  );
}

const RETRYABLE = ['failed', 'compensation_failed'];

function Acts({ run, at, again }: { run: Head; at: string; again: () => void }) {
  const open = run.finishedAt === null;
  return (
    <div class="actions">
      {(run.reasonDetail !== null || RETRYABLE.includes(run.status)) && (
        <Act verb="Retry" permission="retry" address={`${at}/retry`} done={again} text="It goes on where it stands." />
      )}
      {open && (
        <>
          <Act
            verb="Cancel"
            permission="cancel"
            address={`${at}/cancel`}
            done={again}
            text="It ends, and what its steps did is undone."
          />
          <Act
            verb="Terminate"
            permission="terminate"
            address={`${at}/terminate`}
            done={again}
            text="It ends at once. Nothing is undone."
          />
          <Act
            verb="Signal"
            permission="signal"
            address={`${at}/signal`}
            done={again}
            text="The run gets it when it waits for it."
            body={(form) => ({ name: form.get('name'), payload: jsonIn(form, 'payload') })}
          >
            <label>
              Name <input name="name" required autocomplete="off" />
            </label>
            <label>
              Payload, as JSON <textarea name="payload" rows={4} />
            </label>
          </Act>
        </>
      )}
      <Act
        verb="Fork"
        permission="fork"
        address={`${at}/fork`}
        done={again}
        text="Another run begins with the history before a position, and goes on by itself."
        body={(form) => ({ from: Number(form.get('from')), ...(form.get('id') && { id: form.get('id') }) })}
      >
        <label>
          From the position <input name="from" type="number" min={0} required />
        </label>
        <label>
          Its id, if you like <input name="id" autocomplete="off" />
        </label>
      </Act>
      <Export at={at} />
      {!open && (
        <>
          <Act
            verb="Restart"
            permission="restart"
            address={`${at}/restart`}
            done={again}
            text="It begins again under its id, with the same input or another one."
            body={(form) => (form.get('input') ? { input: jsonIn(form, 'input') } : {})}
          >
            <label>
              Another input, as JSON <textarea name="input" rows={4} />
            </label>
          </Act>
          <Act verb="Delete" permission="delete" address={`${at}/delete`} done={again} text="It and its history go." />
        </>
      )}
    </div>
  );
}
