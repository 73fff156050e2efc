import type { HeldRun, MemoryTables } from './memory-tables.js';
import { TRIED_REASONS, type RunRecord } from '../model/run.js';
import type { Standstill } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

/* The conditions of the SQL statements, for rows in maps. */

export const isAnswerable = ({ kind, settled }: StepRecord): boolean =>
  settled === null && (kind === 'remote' || kind === 'child' || kind === 'signal');

export const isAsked = ({ kind, status, wakeAt }: StepRecord): boolean =>
  kind === 'remote' && status === 'pending' && wakeAt === null;

/** A closing run that waits has the status `compensating`. */
export const isParked = ({ status, owner }: RunRecord): boolean =>
  owner === null && (status === 'suspended' || status === 'compensating');

export const isBlocked = ({ reason }: RunRecord): boolean => TRIED_REASONS.some((known) => known === reason);

export const awaitsTurn = ({ owner, turn, status }: HeldRun): boolean =>
  owner === null && turn !== null && status === 'pending';

export const isDue = (run: HeldRun, now: number): boolean =>
  run.owner === null && run.wakeAt !== null && run.wakeAt <= now;

export const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Takes a run from its owner, if it has one: due at once. */
export function freeRun(
  tables: MemoryTables,
  run: HeldRun,
  now: number,
  { crashed = false, standstill }: { crashed?: boolean; standstill?: Standstill | undefined } = {},
): void {
  const settled = Math.max(0, ...tables.history(run.id).map((step) => step.settled ?? 0));
  const status = run.closing ? 'compensating' : run.precondition ? 'pending' : 'suspended';
  Object.assign(run, { owner: null, epoch: run.epoch + 1, status, wakeAt: now, settled });
  if (crashed) run.crashes++;
  if (standstill) Object.assign(run, standing(run, standstill));
}

/** The changes of a run that is released and blocked. */
const standing = ({ closing, deadline }: HeldRun, { reason, detail }: Standstill): Partial<HeldRun> => ({
  status: 'suspended',
  wakeAt: closing ? null : deadline,
  reason,
  reasonDetail: detail,
});
