import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { may, send } from './api.js';

interface ActProps {
  /** The verb on the button. */
  verb: string;
  permission: string;
  /** What will happen, in a sentence. */
  text: string;
  /** Below `api/`. */
  address: string;
  /** What is sent beside the reason; from the fields of the form. @throws Error */
  body?: (form: FormData) => Record<string, unknown>;
  /** More fields of the form. */
  children?: ComponentChildren;
  done: () => void;
}

/** A button for a change: it asks why, since the act log wants to know. Not there for users who may not do it. */
export function Act({ verb, permission, text, address, body = () => ({}), children, done }: ActProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  if (!may(permission)) return null;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      await send(address, { ...body(form), reason: form.get('reason') });
      setProblem(undefined);
      dialog.current?.close();
      done();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {verb}
      </button>
      <dialog ref={dialog} aria-labelledby={id} onClose={() => setProblem(undefined)}>
        <form onSubmit={(event) => void submit(event)}>
          <h2 id={id}>{verb}</h2>
          <p>{text}</p>
          {children}
          <label>
            Why, for the act log <input name="reason" required maxLength={1_000} autocomplete="off" />
          </label>
          {problem && (
            <p role="alert" class="alert">
              {problem}
            </p>
          )}
          <div class="actions">
            <button type="submit" class="go" disabled={busy}>
              {verb}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}

/** The text of a field as JSON. @throws Error that says so */
export function jsonIn(form: FormData, name: string): unknown {
  const field = form.get(name);
  const text = typeof field === 'string' ? field.trim() : '';
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}
