import { useState } from 'preact/hooks';
import type { RunRow } from '../../lib/dashboard/options.js';
import { type Sent, useLive } from './api.js';
import { RunLink, runHref, Status } from './parts.js';
import { go } from './router.js';
import { useSteps } from './steps.js';
import { Timeline } from './timeline.js';

/** A child run, whose steps are opened in place. */
export function ChildRun({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p>
        The run <RunLink id={id} />{' '}
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide its steps' : 'Show its steps'}
        </button>
      </p>
      {open && <ChildSteps id={id} />}
    </>
  );
}

function ChildSteps({ id }: { id: string }) {
  const at = `runs/${encodeURIComponent(id)}`;
  const { data } = useLive<{ run: Sent<RunRow> }>(at, 5_000);
  const { steps, error } = useSteps(at, data?.run.finishedAt ? 60_000 : 5_000);
  if (error) return <p class="alert">{error.message}</p>;
  if (!data || !steps) return <p role="status">Looking …</p>;
  const { run } = data;
  return (
    <>
      <p>
        {run.workflow} v{run.version} <Status status={run.status} reason={run.reason} />
      </p>
      <Timeline
        name={`Steps of ${id}`}
        steps={steps}
        from={Date.parse(run.createdAt)}
        to={run.finishedAt ? Date.parse(run.finishedAt) : undefined}
        chosen={undefined}
        choose={(seq) => go(runHref(id, { step: String(seq) }))}
      />
    </>
  );
}
