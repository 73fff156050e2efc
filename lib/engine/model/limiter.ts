import { createHash } from 'node:crypto';
import type { ClaimedRun, LimitRequest, Limits, WaitReason } from './run.js';
import type { StepTask } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';

/** Dispatches tasks whose turn has come, in the transaction that grants their permits. */
export type Dispatching = (tasks: readonly StepTask[], tx: Transaction) => Promise<void>;

/** The outcome of checking queues. */
export interface Granted {
  /** Whether runs became due. */
  runs: boolean;
  /** When the first limiter closed by its rate opens, by the storage's clock; null if none is closed. */
  opensAt: number | null;
}

/**
 * Admits runs and limited steps once their preconditions hold. Permits of a limiter are granted under the lock of the
 * limiter's row, in the order of the queue; a holder releases its permit in the transaction that ends it. There is no
 * polling per run.
 */
export interface Admissions {
  /**
   * Returns which of the runs claimed with a precondition may be played now. The others are parked with their reason.
   * They are due again when the last run they wait for has ended, at their turn in the limiter, or at their deadline.
   */
  admit(runs: readonly ClaimedRun[]): Promise<Granted & { admitted: ClaimedRun[] }>;
  /** Grants free permits of these limiters to the next in the queues: steps are dispatched, runs become due. */
  grant(limiters: readonly string[], dispatching: Dispatching): Promise<Granted>;
  /**
   * Returns limiters with both waiters and free permits, a page at a time: the grant was missed. `opensAt`: when the
   * first limiter of the page that is closed by its rate opens.
   */
  waiting(
    afterLimiter: string,
    limit: number,
  ): Promise<{ limiters: string[]; opensAt: number | null; next: string | undefined }>;
  /** Returns which of these steps wait in a queue, so that their tasks are not dispatched yet. */
  queued(stepIds: readonly string[]): Promise<string[]>;
  /** Calls `listener` when other code of this process has freed permits. Returns a function that unsubscribes. */
  onFreed(listener: (limiters: readonly string[]) => void): () => void;
}

/** When permits of a rate-limited limiter were granted, oldest first: per bucket the latest time and the count. */
export type Grants = readonly (readonly [at: number, count: number])[];

export interface LimiterState {
  /** The number of held permits. */
  granted: number;
  grants: Grants;
}

export interface Queued {
  holder: string;
  limits: Limits;
}

/** The entries of a queue that pass, and why the next one does not. */
export interface Passing<Entry extends Queued> {
  pass: Entry[];
  grants: Grants;
  reason: Extract<WaitReason, 'concurrency_limit' | 'rate_limit'> | null;
  /** With `rate_limit`: when the next one may pass, epoch ms. */
  opensAt: number | null;
}

/** Buckets per rate duration: a granted permit counts for at most 1 % longer than the duration. */
const BUCKETS = 100;

/** The limiter's id for this name and key. */
export function limiterOf(namespace: string, kind: 'workflow' | 'step', name: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([namespace, kind, name, key]))
    .digest('base64url');
}

export const isLimited = ({ concurrency, rate }: Limits): boolean => concurrency !== undefined || rate !== undefined;

/** Whether holders keep a permit until they end. With a rate limit alone they do not: only their starts are counted. */
export const keepsPermit = ({ concurrency }: Limits): boolean => concurrency !== undefined;

/** Passes the first entries of `queue`, in its order, as long as the limits permit. */
export function passing<Entry extends Queued>(
  state: LimiterState,
  queue: readonly Entry[],
  now: number,
): Passing<Entry> {
  let { granted, grants } = state;
  const pass: Entry[] = [];
  for (const entry of queue) {
    const { concurrency, rate } = entry.limits;
    if (concurrency !== undefined && granted >= concurrency)
      return { pass, grants, reason: 'concurrency_limit', opensAt: null };
    if (rate) {
      grants = recent(grants, rate.durationMs, now);
      const opensAt = opening(grants, rate, now);
      if (opensAt !== null) return { pass, grants, reason: 'rate_limit', opensAt };
      grants = added(grants, rate.durationMs, now);
    }
    if (keepsPermit(entry.limits)) granted++;
    pass.push(entry);
  }
  return { pass, grants, reason: null, opensAt: null };
}

/** The grants that still count: those less than one duration ago. */
const recent = (grants: Grants, durationMs: number, now: number): Grants =>
  grants.filter(([at]) => now - at < durationMs);

/** When the rate permits the next grant; null if it does so now. */
function opening(grants: Grants, { max, durationMs }: NonNullable<Limits['rate']>, now: number): number | null {
  let counted = grants.reduce((sum, [, count]) => sum + count, 0);
  if (counted < max) return null;
  for (const [at, count] of grants) {
    counted -= count;
    if (counted < max) return Math.max(now + 1, at + durationMs);
  }
  return now + durationMs;
}

/** Adds a grant. All grants of one bucket count from the time of the last one. */
function added(grants: Grants, durationMs: number, now: number): Grants {
  const width = Math.max(1, Math.floor(durationMs / BUCKETS));
  const last = grants.at(-1);
  if (!last || (last[0] < now && Math.floor(last[0] / width) !== Math.floor(now / width))) return [...grants, [now, 1]];
  return [...grants.slice(0, -1), [Math.max(last[0], now), last[1] + 1]];
}

export const readLimitRequest = (text: string): LimitRequest => JSON.parse(text) as LimitRequest;

export const readGrants = (text: string | null): Grants => (text === null ? [] : (JSON.parse(text) as Grants));
