import { useRef, useState } from 'preact/hooks';
import type { BulkResult } from '../../lib/operator/operator-runs.js';
import { may, send } from './api.js';
import type { Query } from './router.js';

const ACTIONS = ['cancel', 'terminate', 'retry', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

interface BulkProps {
  /** All runs that match it, unless there are `ids`. */
  filter: Query;
  ids: readonly string[];
  done: () => void;
}

interface Progress {
  done: number;
  refused: BulkResult['refused'];
  dryRun: boolean;
  ended: boolean;
}

/** Which runs, in the body of a request. */
const bodyOf = (filter: Query, ids: readonly string[]): Record<string, unknown> =>
  ids.length > 0 ? { ids } : { filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) };

/** Changes many runs, 200 at a time: first it says what it would do, then it does it, and it can be stopped. */
export function Bulk({ filter, ids, done }: BulkProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The work that goes on; another one, or none, once it is to stop. */
  const current = useRef<object | undefined>(undefined);
  const [action, setAction] = useState<Action>('cancel');
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<string>();
  const allowed = ACTIONS.filter(may);
  if (allowed.length === 0) return null;

  const work = async (reason: string, dryRun: boolean) => {
    const own = {};
    current.current = own;
    setProblem(undefined);
    let told: Progress = { done: 0, refused: [], dryRun, ended: false };
    let cursor: string | undefined;
    try {
      do {
        const body = { ...bodyOf(filter, ids), reason, dryRun, ...(cursor && { cursor }) };
        const answer: BulkResult = await send(`bulk/${action}`, body);
        cursor = answer.cursor;
        const refused = [...told.refused, ...answer.refused].slice(0, 20);
        told = { ...told, done: told.done + answer.done.length, refused, ended: !cursor };
        if (current.current === own) setProgress(told);
      } while (cursor && current.current === own);
      if (!dryRun) done();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const reason = new FormData(form).get('reason');
    const dryRun = (event.submitter as HTMLButtonElement).value === 'dry';
    void work(typeof reason === 'string' ? reason : '', dryRun);
  };
  const open = (chosen: Action) => {
    setAction(chosen);
    setProgress(undefined);
    setProblem(undefined);
    dialog.current?.showModal();
  };
  const what = ids.length > 0 ? `the ${ids.length} chosen runs` : 'all runs that match the filter';
  return (
    <div class="actions">
      {allowed.map((one) => (
        <button key={one} type="button" onClick={() => open(one)}>
          {one} {ids.length > 0 ? ids.length : 'all'} …
        </button>
      ))}
      <dialog ref={dialog} aria-labelledby="bulk" onClose={() => (current.current = undefined)}>
        <form onSubmit={submit}>
          <h2 id="bulk">
            {action} {what}
          </h2>
          <label>
            Why, for the act log <input name="reason" required maxLength={1_000} autocomplete="off" />
          </label>
          {progress && <Told progress={progress} action={action} />}
          {problem && (
            <p role="alert" class="alert">
              {problem}
            </p>
          )}
          <div class="actions">
            <button type="submit" value="dry">
              Dry run
            </button>
            <button type="submit" value="go" class="go" disabled={!progress?.dryRun || !progress.ended}>
              {action}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </form>
      </dialog>
    </div>
  );
}

function Told({ progress: { done, refused, dryRun, ended }, action }: { progress: Progress; action: Action }) {
  return (
    <div role="status">
      <p>
        {dryRun ? `Would ${action} ${done} runs` : `${action}: ${done} runs`}
        {ended ? '.' : ' …'}
      </p>
      {refused.length > 0 && (
        <ul>
          {refused.map(({ id, why }) => (
            <li key={id}>
              {id}: {why}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
