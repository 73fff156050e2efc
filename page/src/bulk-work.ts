import { useRef, useState } from 'preact/hooks';
import type { BulkResult } from '../../lib/operate/operator-runs.js';
import { send } from './api.js';

export const ACTIONS = ['cancel', 'terminate', 'retry', 'signal', 'delete'] as const;
export type Action = (typeof ACTIONS)[number];

/** How many refusals are told. */
const TOLD = 20;

/** Which runs, as they were when the dialog was opened. */
export interface Chosen {
  action: Action;
  body: Record<string, unknown>;
  what: string;
}

/** What is sent beside the runs. */
export interface Request {
  reason: FormDataEntryValue | null;
  /** Of a signal. */
  name?: FormDataEntryValue | null;
  payload?: unknown;
}

export interface Progress {
  done: number;
  refused: BulkResult['refused'];
  dryRun: boolean;
  state: 'going' | 'ended' | 'stopped';
}

/** The work on what was chosen: one request after the other, until it has ended or is stopped. */
export function useWork({ action, body }: Chosen) {
  /** The work that goes on. */
  const current = useRef<{ stopped: boolean } | undefined>(undefined);
  const changed = useRef(false);
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const work = async (read: () => Request, dryRun: boolean, own: { stopped: boolean }) => {
    const request = { ...body, ...read(), dryRun };
    let told: Progress = { done: 0, refused: [], dryRun, state: 'going' };
    let cursor: string | undefined;
    do {
      const answer: BulkResult = await send(`bulk/${action}`, { ...request, ...(cursor && { cursor }) });
      cursor = answer.cursor;
      const refused = [...told.refused, ...answer.refused].slice(0, TOLD);
      const state = !cursor ? 'ended' : own.stopped ? 'stopped' : 'going';
      told = { ...told, done: told.done + answer.done.length, refused, state };
      setProgress(told);
    } while (told.state === 'going');
  };
  /** `read` may throw: that is told as a problem, too. */
  const start = (read: () => Request, dryRun: boolean) => {
    if (current.current) return;
    const own = { stopped: false };
    current.current = own;
    changed.current ||= !dryRun;
    setBusy(true);
    setProblem(undefined);
    work(read, dryRun, own)
      .catch((error: Error) => setProblem(error.message))
      .finally(() => {
        current.current = undefined;
        setBusy(false);
      });
  };
  const stop = () => {
    if (current.current) current.current.stopped = true;
  };
  return { progress, problem, busy, start, stop, hasChanged: () => changed.current };
}
