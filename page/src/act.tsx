import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { may, send } from './api.js';
import { keepFocus, tell } from './told.js';

/** What the server answers to a change; routes add names of their own. */
export interface Answer {
  changed?: boolean;
  [name: string]: unknown;
}

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
  done: (answer: Answer) => void;
  /** What is said when it is done, such as a link to what has come of it. Default: the verb, and whether it changed anything. */
  told?: (answer: Answer, form: FormData) => ComponentChildren;
  /** Why it cannot be done now: the button is there and says so. */
  not?: string | undefined;
}

/** The dialog that is open, as it was when it was opened: the button below it may change, or go. */
interface Opened extends ActProps {
  button: HTMLButtonElement;
  gone: boolean;
}

const opened = signal<Opened | undefined>(undefined);

/** A button for a change: it asks why, since the act log wants to know. Not there for users who may not do it. */
export function Act(props: ActProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const own = button.current;
    return () => {
      const open = opened.peek();
      if (open && open.button === own) opened.value = { ...open, gone: true };
    };
  }, [props.verb, props.address]);
  if (!may(props.permission)) return null;
  return (
    <button
      ref={button}
      type="button"
      disabled={props.not !== undefined}
      title={props.not}
      onClick={() => (opened.value = { ...props, button: button.current!, gone: false })}
    >
      {props.verb}
    </button>
  );
}

/** Where the dialogs of all buttons are: it outlives the row of its button. */
export function ActDialog({ view }: { view: string }) {
  useEffect(() => () => void (opened.value = undefined), [view]);
  const act = opened.value;
  return act ? <Form key={act.address + act.verb} act={act} /> : null;
}

function Form({ act }: { act: Opened }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setProblem(undefined);
    try {
      const answer = await send<Answer>(act.address, { ...act.body?.(form), reason: form.get('reason') });
      dialog.current?.close();
      act.done(answer);
      tell(act.told?.(answer, form) ?? `${act.verb}: ${answer.changed === false ? 'it changed nothing' : 'done'}.`);
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  const closed = () => {
    opened.value = undefined;
    if (act.button.isConnected) act.button.focus();
    keepFocus();
  };
  return (
    <dialog ref={dialog} aria-labelledby="act" onClose={closed}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="act">{act.verb}</h2>
        <p>{act.text}</p>
        <p role="status" class={act.gone ? 'notice' : 'hide'}>
          {act.gone && `Meanwhile the page has changed: it no longer offers "${act.verb}".`}
        </p>
        {act.children}
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
            {busy ? `${act.verb} …` : act.verb}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}
