import type { RunRow, StepRow } from '../../lib/dashboard/options.js';
import type { Sent } from './api.js';

type Run = Pick<Sent<RunRow>, 'status' | 'finishedAt'>;
type Step = Pick<Sent<StepRow>, 'seq' | 'kind' | 'status' | 'wakeAt'>;

/** Kinds of steps that are tried again after an error. */
const TRIED: readonly string[] = ['step', 'transaction', 'remote'];

/** A worker answers it, or somebody in its place. */
export const isWithWorker = ({ kind, status }: Step): boolean => kind === 'remote' && status === 'pending';

/** Whether its next attempt is due later, and so may be made now; once it is due, it may be under way. */
export const awaitsAttempt = ({ finishedAt }: Run, { kind, status, wakeAt }: Step, now: number): boolean =>
  finishedAt === null && TRIED.includes(kind) && status === 'pending' && wakeAt !== null && Date.parse(wakeAt) > now;

/** Whether the code can still get another outcome of it; the server checks more, such as what the code would then do. */
export function isResolvable({ status, finishedAt }: Run, step: Step): boolean {
  if (isWithWorker(step) || step.seq < 0 || step.kind === 'marker' || step.status === 'completed') return false;
  if (step.status === 'failed') return status === 'failed';
  return status === 'failed' || (finishedAt === null && status !== 'pending' && status !== 'compensating');
}
