import type { RunRow } from '../../lib/dashboard/options.js';
import { Act } from './act.js';
import type { Sent } from './api.js';
import { JsonField, jsonIn } from './json-field.js';
import { runHref, RunLink } from './parts.js';
import { go, href } from './router.js';
import { RunExport } from './run-export.js';

const RETRYABLE = ['failed', 'compensation_failed'];

interface RunActsProps {
  run: Sent<RunRow>;
  at: string;
  /** The names of signals that it waits for. */
  listened: readonly string[];
  again: () => void;
}

/** What can be done to a run. */
export function RunActs({ run, at, listened, again }: RunActsProps) {
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
            told={({ created }) =>
              created === false ? 'It was sent before.' : 'The signal was sent: the run gets it when it waits for it.'
            }
            body={(form) => ({ name: form.get('name'), payload: jsonIn(form, 'payload') })}
          >
            <label>
              Name <input name="name" list="listened" required autocomplete="off" />
            </label>
            <datalist id="listened">
              {listened.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <JsonField label="Payload" name="payload" />
          </Act>
        </>
      )}
      <Fork at={at} />
      <RunExport at={at} />
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
            <JsonField label="Another input" name="input" />
          </Act>
          <Act
            verb="Delete"
            permission="delete"
            address={`${at}/delete`}
            done={() => go(href('runs'))}
            text="It and its history go."
          />
        </>
      )}
    </div>
  );
}

/** Another run begins with the history before a position, and is shown once it is there. */
export function Fork({ at, from }: { at: string; from?: number }) {
  return (
    <Act
      verb={from === undefined ? 'Fork' : 'Fork from here'}
      permission="fork"
      address={`${at}/fork`}
      done={({ id }) => go(runHref(String(id)))}
      told={({ id }) => (
        <>
          Forked: <RunLink id={String(id)} />
        </>
      )}
      text="Another run begins with the history before a position, and goes on by itself."
      body={(form) => ({
        from: Number(form.get('from')),
        ...(form.get('id') && { id: form.get('id') }),
        ...(form.get('input') && { input: jsonIn(form, 'input') }),
      })}
    >
      <label>
        From the position <input name="from" type="number" min={0} required value={from} />
      </label>
      <label>
        Its id, if you like <input name="id" autocomplete="off" />
      </label>
      <JsonField label="Another input" name="input" />
    </Act>
  );
}
