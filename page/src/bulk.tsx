import { useId, useRef, useState } from 'preact/hooks';
import { may } from './api.js';
import { type Action, ACTIONS, type Chosen, type Progress, type Request, useWork } from './bulk-work.js';
import { JsonField, jsonIn } from './json-field.js';
import type { Query } from './router.js';
import { keepFocus } from './told.js';

/** Above it the number of runs is typed before anything happens. */
const MANY = 20;

interface BulkProps {
  /** All runs that match it, unless there are `ids`. */
  filter: Query;
  ids: readonly string[];
  done: () => void;
}

/** Which runs, in the body of a request. */
const bodyOf = (filter: Query, ids: readonly string[]): Record<string, unknown> =>
  ids.length > 0 ? { ids } : { filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) };

const runs = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);

/** Changes many runs, 200 at a time: first it says what it would do, then it does it, and it can be stopped. */
export function Bulk({ filter, ids, done }: BulkProps) {
  const [chosen, choose] = useState<Chosen>();
  const why = useId();
  const allowed = ACTIONS.filter(may);
  if (allowed.length === 0) return null;
  const isEverything = ids.length === 0 && !Object.values(filter).some(Boolean);
  const what = ids.length > 0 ? `the ${runs(ids.length)} chosen` : 'all runs that match the filter';
  const closed = (hasChanged: boolean) => {
    choose(undefined);
    if (hasChanged) done();
    keepFocus();
  };
  return (
    <div class="actions bulk">
      {allowed.map((action) => (
        <button
          key={action}
          type="button"
          disabled={isEverything}
          aria-describedby={isEverything ? why : undefined}
          onClick={() => choose({ action, body: bodyOf(filter, ids), what })}
        >
          {action} {ids.length > 0 ? ids.length : 'all'} …
        </button>
      ))}
      {isEverything && (
        <span class="dim" id={why}>
          Choose runs or set a filter to change many at once.
        </span>
      )}
      {chosen && <BulkDialog chosen={chosen} closed={closed} />}
    </div>
  );
}

function BulkDialog({ chosen, closed }: { chosen: Chosen; closed: (hasChanged: boolean) => void }) {
  const { action, what } = chosen;
  const { progress, problem, busy, hasChanged, start, stop } = useWork(chosen);
  const open = (dialog: HTMLDialogElement | null) => void (dialog && !dialog.open && dialog.showModal());
  const dialog = useRef<HTMLDialogElement | null>(null);
  const [typed, type] = useState('');
  const isReady = progress?.dryRun === true && progress.state === 'ended' && progress.done > 0;
  const isMany = isReady && progress.done > MANY;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const dryRun = (event.submitter as HTMLButtonElement | null)?.value !== 'go';
    start(() => requestOf(action, form), dryRun);
  };
  const close = () => {
    stop();
    closed(hasChanged());
  };
  return (
    <dialog ref={(one) => open((dialog.current = one))} aria-labelledby="bulk" onClose={close}>
      <form onSubmit={submit}>
        <h2 id="bulk">
          {action} {what}
        </h2>
        {action === 'signal' && <SignalFields />}
        <label>
          Why, for the act log <input name="reason" required maxLength={1_000} autocomplete="off" />
        </label>
        {progress && <Told progress={progress} action={action} />}
        {isMany && <Sure action={action} count={progress.done} typed={typed} type={type} />}
        {problem && (
          <p role="alert" class="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <button type="submit" value="dry" disabled={busy}>
            Dry run
          </button>
          <button
            type="submit"
            value="go"
            class="go"
            disabled={busy || !isReady || (isMany && typed.trim() !== String(progress.done))}
          >
            {action}
          </button>
          <button type="button" onClick={() => (busy ? stop() : dialog.current?.close())}>
            {busy ? 'Stop' : 'Close'}
          </button>
        </div>
      </form>
    </dialog>
  );
}

const requestOf = (action: Action, form: FormData): Request => ({
  reason: form.get('reason'),
  ...(action === 'signal' && { name: form.get('name'), payload: jsonIn(form, 'payload') }),
});

const SignalFields = () => (
  <>
    <label>
      Name <input name="name" required autocomplete="off" />
    </label>
    <JsonField label="Payload" name="payload" />
  </>
);

interface SureProps {
  action: Action;
  count: number;
  typed: string;
  type: (text: string) => void;
}

function Sure({ action, count, typed, type }: SureProps) {
  return (
    <label>
      Type {count} to {action} so many
      <input
        value={typed}
        inputMode="numeric"
        autocomplete="off"
        onInput={(event) => type(event.currentTarget.value)}
      />
    </label>
  );
}

const ENDS = { going: ' …', ended: '.', stopped: ', then stopped.' } as const;

function Told({ progress: { done, refused, dryRun, state }, action }: { progress: Progress; action: Action }) {
  return (
    <div role="status">
      <p>
        {dryRun ? `Would ${action} ${runs(done)}` : `${action}: ${runs(done)}`}
        {ENDS[state]}
      </p>
      {refused.length > 0 && (
        <ul>
          {refused.map(({ id, why }) => (
            <li key={id}>
              <span class="id">{id}</span>: {why}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
