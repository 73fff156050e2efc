import { createHash } from 'node:crypto';
import type { ClaimedRun, LimitRequest, Limits, WaitReason } from './run.js';
import type { StepTask } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';

/** Sends tasks whose turn has come, in the transaction that gives them their permit. */
export type Dispatching = (tasks: readonly StepTask[], tx: Transaction) => Promise<void>;

/** What a look at queues has brought. */
export interface Granted {
  /** Whether runs became due. */
  runs: boolean;
  /** When the first of these limiters opens that is closed for its rate, by the storage's clock; null when none is. */
  opensAt: number | null;
}

/**
 * Lets runs and limited steps pass when what they wait for is there. Permits in a limiter are given under the lock of the
 * limiter's row, in the order of the queue; who holds one gives it back in the transaction that ends it. Nothing is polled
 * per run.
 */
export interface Admissions {
  /**
   * Of runs that were claimed with a precondition: those that may be played now. The others are parked with their reason and
   * come back when the last run they wait for has ended, when their turn in the limiter has come, or at their deadline.
   */
  admit(runs: readonly ClaimedRun[]): Promise<Granted & { admitted: ClaimedRun[] }>;
  /** Gives free permits of these limiters to whoever is next: steps are dispatched, runs become due. */
  grant(limiters: readonly string[], dispatching: Dispatching): Promise<Granted>;
  /**
   * Limiters in which somebody waits although there is room, a page at a time: nobody was there to grant. And when the
   * first of the page opens that is closed for its rate.
   */
  waiting(
    afterLimiter: string,
    limit: number,
  ): Promise<{ limiters: string[]; opensAt: number | null; next: string | undefined }>;
  /** Which of these steps wait in a queue, so that nobody has been asked yet. */
  queued(stepIds: readonly string[]): Promise<string[]>;
  /** Calls `listener` when somebody else in this process has freed permits in limiters. Returns a function that ends it. */
  onFreed(listener: (limiters: readonly string[]) => void): () => void;
}

/** When permits were given in a limiter whose rate is limited, oldest first: the latest time of each bucket, and how many. */
export type Grants = readonly (readonly [at: number, count: number])[];

export interface LimiterState {
  /** How many hold a permit. */
  granted: number;
  grants: Grants;
}

export interface Queued {
  holder: string;
  limits: Limits;
}

/** What becomes of a queue: who passes, and why the next one does not. */
export interface Passing<Entry extends Queued> {
  pass: Entry[];
  grants: Grants;
  reason: Extract<WaitReason, 'concurrency_limit' | 'rate_limit'> | null;
  /** With `rate_limit`: when the next one may pass, epoch ms. */
  opensAt: number | null;
}

/** How finely a rate remembers: a permit given counts for at most a hundredth longer than the duration. */
const BUCKETS = 100;

/** The limiter of what is limited by this name, and for this key. */
export function limiterOf(namespace: string, kind: 'workflow' | 'step', name: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([namespace, kind, name, key]))
    .digest('base64url');
}

export const isLimited = ({ concurrency, rate }: Limits): boolean => concurrency !== undefined || rate !== undefined;

/** A holder that gives nothing back has no permit to keep: only how often they begin is limited. */
export const keepsPermit = ({ concurrency }: Limits): boolean => concurrency !== undefined;

/** Lets the first of the queue pass as long as there is room, in order; `queue` is first come, first. */
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

/** Those that still count: two beginnings less than a duration apart lie in one window of that length. */
const recent = (grants: Grants, durationMs: number, now: number): Grants =>
  grants.filter(([at]) => now - at < durationMs);

/** Null when there is room now. */
function opening(grants: Grants, { max, durationMs }: NonNullable<Limits['rate']>, now: number): number | null {
  let counted = grants.reduce((sum, [, count]) => sum + count, 0);
  if (counted < max) return null;
  for (const [at, count] of grants) {
    counted -= count;
    if (counted < max) return Math.max(now + 1, at + durationMs);
  }
  return now + durationMs;
}

/** Those of one bucket count as having begun when the last of them did. */
function added(grants: Grants, durationMs: number, now: number): Grants {
  const width = Math.max(1, Math.floor(durationMs / BUCKETS));
  const last = grants.at(-1);
  if (!last || (last[0] < now && Math.floor(last[0] / width) !== Math.floor(now / width))) return [...grants, [now, 1]];
  return [...grants.slice(0, -1), [Math.max(last[0], now), last[1] + 1]];
}

export const readLimitRequest = (text: string): LimitRequest => JSON.parse(text) as LimitRequest;

export const readGrants = (text: string | null): Grants => (text === null ? [] : (JSON.parse(text) as Grants));
