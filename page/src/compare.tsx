import { useState } from 'preact/hooks';
import type { ComparedStep, ComparedTimes, Difference, RunComparison } from '../../lib/operate/run-comparison.js';
import { ask, may, payloads, type Sent } from './api.js';
import { Json } from './json.js';
import { RunLink, Status, Table } from './parts.js';
import { span } from './times.js';

type Comparison = Sent<RunComparison>;
type Compared = Sent<ComparedStep>;

const MOST_ROWS = 200;

/** This run beside another one: times, and where payloads differ. The act log says who looked. */
export function Compare({ at, id }: { at: string; id: string }) {
  const [found, setFound] = useState<Comparison>();
  const [problem, setProblem] = useState<string>();
  const [all, setAll] = useState(false);
  if (!may('payloads') || payloads === 'never') return null;
  const compare = (event: SubmitEvent) => {
    event.preventDefault();
    const other = new FormData(event.currentTarget as HTMLFormElement).get('with') as string;
    setProblem(undefined);
    ask<Comparison>(`${at}/compare?with=${encodeURIComponent(other)}`).then(setFound, (error: Error) =>
      setProblem(error.message),
    );
  };
  return (
    <section class="panel" aria-label="Compare">
      <h2>Compare</h2>
      <form class="filters" onSubmit={compare}>
        <label>
          With the run <input name="with" required autocomplete="off" />
        </label>
        <button type="submit">Compare</button>
      </form>
      {problem && (
        <p role="alert" class="alert">
          {problem}
        </p>
      )}
      {found && (
        <>
          <p>
            <b class="id">{id}</b> <Took ms={found.a.tookMs} /> · <RunLink id={found.b.id} />{' '}
            <Status status={found.b.status} /> <Took ms={found.b.tookMs} />
          </p>
          <Differing title="input" of={found.input} />
          <Differing title="output" of={found.output} />
          <Differing title="error" of={found.error} />
          <label class="check">
            <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> also steps
            that do not differ
          </label>
          <Steps steps={found.steps.filter((step) => all || differs(step))} complete={found.complete} />
        </>
      )}
    </section>
  );
}

const differs = ({ a, b, output, error }: Compared): boolean =>
  !a || !b || a.status !== b.status || a.failures !== b.failures || output.length + error.length > 0;

function Steps({ steps, complete }: { steps: readonly Compared[]; complete: boolean }) {
  return (
    <>
      <Table
        caption="Steps of both runs"
        head={['Step', 'This run', 'The other', 'Differences']}
        none="No step differs."
        rows={steps.slice(0, MOST_ROWS).map((step) => (
          <tr key={`${step.kind} ${step.name} ${step.nth}`}>
            <td>
              {step.name} {step.nth > 1 && <span class="dim">#{step.nth}</span>} <span class="kind">{step.kind}</span>
            </td>
            <td>
              <Times of={step.a} />
            </td>
            <td>
              <Times of={step.b} />
            </td>
            <td>
              <Differing title="output" of={step.output} />
              <Differing title="error" of={step.error} />
            </td>
          </tr>
        ))}
      />
      {steps.length > MOST_ROWS && <p class="dim">… {steps.length - MOST_ROWS} more</p>}
      {!complete && <p class="dim">Only the first 2,000 steps of each run are compared.</p>}
    </>
  );
}

const Took = ({ ms }: { ms: number | null }) => <span class="dim">{ms === null ? 'not ended' : span(ms)}</span>;

function Times({ of }: { of: Sent<ComparedTimes> | null }) {
  if (!of) return <span class="dim">no such step</span>;
  return (
    <>
      <Status status={of.status} /> {of.tookMs === null ? '…' : span(of.tookMs)}{' '}
      <span class="dim">after {span(of.afterMs)}</span>
    </>
  );
}

function Differing({ title, of }: { title: string; of: readonly Sent<Difference>[] }) {
  if (of.length === 0) return null;
  return (
    <details>
      <summary>
        {title}: {of.length} {of.length === 1 ? 'difference' : 'differences'}
      </summary>
      <dl class="differences">
        {of.map(({ path, a, b }) => (
          <div key={path.join('.')}>
            <dt>{path.join('.') || 'all of it'}</dt>
            <dd>
              <Json value={a ?? null} />
              <Json value={b ?? null} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
