import type { HeldRun } from './memory-tables.js';
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

/** The changes of a run that is released and blocked. */
export const standing = ({ closing, deadline }: HeldRun, { reason, detail }: Standstill): Partial<HeldRun> => ({
  status: 'suspended',
  wakeAt: closing ? null : deadline,
  reason,
  reasonDetail: detail,
});
