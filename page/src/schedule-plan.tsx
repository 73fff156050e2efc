import { useState } from 'preact/hooks';
import type { RunRow } from '../../lib/dashboard/options.js';
import type { WorkflowSchedule } from '../../lib/engine/client/schedules.js';
import { ask, type Sent, useLive } from './api.js';
import { Problem, RunLink, Status, Table } from './parts.js';
import { href, queryText } from './router.js';
import { between, span, Time } from './times.js';

export type ShownSchedule = Omit<Sent<WorkflowSchedule>, 'input'>;

const TIMES = 5;

/** `cron "0 3 * * *" in Europe/Berlin`, `every 1 h 0 m`. */
export function planOf({ cron, timeZone, every }: ShownSchedule['options']): string {
  const times = cron === undefined ? [] : [cron].flat().map((one) => `cron "${one}"`);
  const where = times.length > 0 && timeZone !== undefined ? ` in ${timeZone}` : '';
  return `${times.join(', ')}${where}${every === undefined ? '' : `every ${span(Number(every))}`}`;
}

const MISSED: Readonly<Record<string, string>> = {
  once: 'fires once for all of them',
  all: 'fires for each of them',
  skip: 'drops them',
};

const OVERLAP: Readonly<Record<string, string>> = {
  skip: 'the time is dropped',
  allow: 'another run starts beside it',
  'buffer-one': 'one run starts after it',
  'cancel-previous': 'it is cancelled',
};

/** One schedule: what it does, when it will fire, what its last runs came to, and what a change would make of it. */
export function SchedulePlan({ schedule }: { schedule: ShownSchedule }) {
  const { id, options, workflow, createdAt } = schedule;
  const at = `schedules/${encodeURIComponent(id)}`;
  const times = useLive<{ times: string[] }>(`${at}/preview?count=${TIMES}`, 30_000);
  return (
    <section aria-label={`Schedule ${id}`}>
      <h2>{id}</h2>
      <p>
        Starts {workflow}, {planOf(options)}
        {Number(options.jitter ?? 0) > 0 && `, up to ${span(Number(options.jitter))} later`}. After times that no
        process could fire, it {MISSED[options.missed ?? 'once']}. If the run before has not ended,{' '}
        {OVERLAP[options.overlap ?? 'skip']}. Made <Time at={createdAt} />.
      </p>
      <h3>{schedule.paused ? 'When it would fire, were it not paused' : 'The next times'}</h3>
      <Problem live={times} what="The next times" />
      {times.data && <Times times={times.data.times} />}
      <LastRuns schedule={id} />
      <Preview at={at} options={options} />
    </section>
  );
}

function Times({ times }: { times: readonly string[] }) {
  if (times.length === 0) return <p class="dim">It does not fire again.</p>;
  return (
    <ol class="times">
      {times.map((time) => (
        <li key={time}>
          <Time at={time} /> <span class="dim">{new Date(time).toLocaleString()}</span>
        </li>
      ))}
    </ol>
  );
}

function LastRuns({ schedule }: { schedule: string }) {
  const live = useLive<{ runs: Sent<RunRow>[] }>(`runs?${queryText({ schedule, limit: String(TIMES) })}`, 5_000);
  return (
    <>
      <h3>Its last runs</h3>
      <Problem live={live} what="Its last runs" />
      {live.data && (
        <Table
          caption={`The last runs of ${schedule}`}
          head={['Run', 'Status', 'Began', 'Took']}
          none="It has not started a run yet, or they were deleted."
          rows={live.data.runs.map((run) => (
            <tr key={run.id}>
              <td>
                <RunLink id={run.id} />
              </td>
              <td>
                <Status status={run.status} reason={run.reason} />
              </td>
              <td>
                <Time at={run.startedAt ?? run.createdAt} />
              </td>
              <td>{run.finishedAt ? between(run.createdAt, run.finishedAt) : 'not ended'}</td>
            </tr>
          ))}
        />
      )}
      <a href={href('runs', { schedule })}>All its runs</a>
    </>
  );
}

/** Schedules are changed in code, or by `WorkflowSchedules`; here is what a change would do. */
function Preview({ at, options }: { at: string; options: ShownSchedule['options'] }) {
  const [times, setTimes] = useState<string[]>();
  const [problem, setProblem] = useState<string>();
  const look = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const every = textIn(form, 'every');
    const given = every === undefined ? { cron: textIn(form, 'cron'), timeZone: textIn(form, 'timeZone') } : { every };
    try {
      const asked = queryText({ ...given, count: String(TIMES) });
      setTimes((await ask<{ times: string[] }>(`${at}/preview?${asked}`)).times);
      setProblem(undefined);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <details>
      <summary>What would another plan do?</summary>
      <form class="filters" onSubmit={(event) => void look(event)}>
        <label>
          Cron <input name="cron" defaultValue={[options.cron ?? []].flat()[0] ?? ''} autocomplete="off" />
        </label>
        <label>
          Or every <input name="every" placeholder="15m" autocomplete="off" />
        </label>
        <label>
          Time zone <input name="timeZone" defaultValue={options.timeZone ?? ''} placeholder="UTC" autocomplete="off" />
        </label>
        <button type="submit">Preview</button>
      </form>
      {problem && (
        <p role="alert" class="alert">
          {problem}
        </p>
      )}
      <div role="status">{times && <Times times={times} />}</div>
    </details>
  );
}

function textIn(form: FormData, name: string): string | undefined {
  const field = form.get(name);
  return typeof field === 'string' && field.trim() !== '' ? field.trim() : undefined;
}
