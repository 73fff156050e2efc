import { InvalidArgumentError } from '../core/errors.js';
import { BackgroundService } from '../core/loops.js';
import { digestOf, type StepTask } from '../core/protocol.js';
import { asError } from '../core/thrown.js';
import type { Timers } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import { checkName, type ClaimedRun, type LimitRequest, type Limits, type NewRun, type WaitReason } from './run.js';
import type { TaskDispatcher } from './tasks.js';

/** Dispatches tasks whose turn has come, in the transaction that grants their permits. */
export type Dispatching = (tasks: readonly StepTask[], tx: Transaction) => Promise<void>;

/** The outcome of checking queues. */
export interface Granted {
  /** Whether runs became due. */
  runs: boolean;
  /** When the first limiter closed by its rate opens, by the storage's clock; null if none is closed. */
  opensAt: number | null;
}

/** When the first of these limiters opens that are closed by their rate; null if none is. */
export function firstOpening(looked: Iterable<Pick<Granted, 'opensAt'>>): number | null {
  const times = [...looked].flatMap(({ opensAt }) => opensAt ?? []);
  return times.length > 0 ? Math.min(...times) : null;
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
  return digestOf([namespace, kind, name, key]);
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

/** Limits, with the functions that compute their keys from the input. */
export interface KeyedLimits {
  concurrency?: { limit: number; key?: (input: never) => string };
  rate?: { max: number; durationMs: number; key?: (input: never) => string };
}

/**
 * The queue that a run waits in: one per key of its workflow. Undefined without limits, priority and key.
 *
 * @throws InvalidArgumentError when a key is no string of 1 to 191 characters
 */
export function limitRequestOf(
  namespace: string,
  { name, limits = {} }: { name: string; limits?: KeyedLimits },
  input: unknown,
  { priority, concurrencyKey }: { priority: number; concurrencyKey?: string | undefined },
): LimitRequest | undefined {
  const numbers = numbersOf(limits);
  if (!isLimited(numbers) && priority === 0 && concurrencyKey === undefined) return undefined;
  const given = concurrencyKey === undefined ? undefined : checkName(concurrencyKey, 'concurrencyKey');
  const key = given ?? keyOf(name, limits, input);
  return { limiter: limiterOf(namespace, 'workflow', name, key), namespace, name, key, limits: numbers };
}

/** The queue of a remote step; undefined without limits. @throws InvalidArgumentError as {@link limitRequestOf} */
export function stepLimitRequestOf(
  namespace: string,
  { name, limits }: { name: string; limits?: KeyedLimits },
  input: unknown,
): LimitRequest | undefined {
  if (!limits) return undefined;
  const key = keyOf(name, limits, input);
  return { limiter: limiterOf(namespace, 'step', name, key), namespace, name, key, limits: numbersOf(limits) };
}

const numbersOf = ({ concurrency, rate }: KeyedLimits): LimitRequest['limits'] => ({
  ...(concurrency && { concurrency: concurrency.limit }),
  ...(rate && { rate: { max: rate.max, durationMs: rate.durationMs } }),
});

/** Both limits share one queue, so they must use the same key. Empty if there is no key function. */
function keyOf(name: string, { concurrency, rate }: KeyedLimits, input: unknown): string {
  const keys = [concurrency?.key, rate?.key].flatMap((key) => (key ? [readKey(name, key, input)] : []));
  const [first = '', second = first] = keys;
  if (first === second) return first;
  const expected = `the same key as concurrency.key returned (${JSON.stringify(first)})`;
  throw new InvalidArgumentError(`The key of rateLimit of "${name}"`, second, expected);
}

function readKey(name: string, key: (input: never) => string, input: unknown): string {
  const what = `The concurrency key of "${name}"`;
  let value: unknown;
  try {
    value = key(input as never);
  } catch (error) {
    throw new InvalidArgumentError(
      what,
      String(asError(error)),
      'a key function that returns a string for every input',
    );
  }
  return checkName(value, what);
}

/** Whether the run waits for a turn in the queue, in place of a due time. */
export const needsTurn = ({ limiter, priority, delayMs, after = [] }: NewRun): boolean =>
  limiter !== undefined && (priority !== 0 || limiter.key !== '') && delayMs === 0 && after.length === 0;

/** The number of turns per priority. Turns are integers that every driver reads exactly. */
const TURNS = 2 ** 40;

/** The first turn of a priority; turns of higher priorities are smaller. */
export const firstTurn = (priority: number): number => -priority * TURNS;

export const endOfTurns = (priority: number): number => firstTurn(priority) + TURNS;

export interface LimiterKeeperOptions {
  timers: Timers;
  /** Whether workflows of this process have limits. */
  limited: () => boolean;
  /** Called when runs became due. */
  onDue: () => void;
  onError: (error: unknown) => void;
}

const SWEEP_MS = 5_000;
/** How many limiters one transaction locks. */
const BATCH = 50;
const PAGE = 200;

/**
 * Grants free permits of limiters to the next in their queues: at once when this process frees one, when a limiter that
 * was closed by its rate opens, and every few seconds for grants that a dead process has missed. A process that does
 * not use limits sends no queries.
 */
export class LimiterKeeper extends BackgroundService {
  private readonly dirty = new Set<string>();
  private working: Promise<void> | undefined;
  private stopped = false;
  private used = false;
  private position = '';
  private nextOpening: { at: number; cancel: () => void } | undefined;
  private unsubscribe = (): void => {};
  private readonly lost = new Map<string, () => void>();
  private lookingUp: Promise<void> | undefined;

  constructor(
    private readonly admissions: Admissions,
    private readonly dispatcher: TaskDispatcher,
    private readonly options: LimiterKeeperOptions,
  ) {
    super('limits', { maxMs: SWEEP_MS, onError: options.onError });
  }

  override start(): void {
    this.unsubscribe = this.admissions.onFreed((limiters) => this.changed(limiters));
    super.start();
  }

  override async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    this.nextOpening?.cancel();
    await super.stop();
    await this.working;
  }

  /** Call it after the commit that may have freed permits of these limiters, or added waiters. */
  changed(limiters: readonly string[]): void {
    if (limiters.length === 0) return;
    this.used = true;
    for (const limiter of limiters) this.dirty.add(limiter);
    this.working ??= this.work();
  }

  /** See {@link Admissions.admit}. */
  async admit(runs: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
    this.used = true;
    const { admitted, ...granted } = await this.admissions.admit(runs);
    this.granted(granted);
    return admitted;
  }

  /** For a step with neither a task nor an answer: calls `ask`, unless the step waits in its queue. */
  askAgain(stepId: string, ask: () => void): Promise<void> {
    this.lost.set(stepId, ask);
    this.lookingUp ??= Promise.resolve().then(() => this.lookUpLost());
    return this.lookingUp;
  }

  private async lookUpLost(): Promise<void> {
    const lost = new Map(this.lost);
    this.lost.clear();
    this.lookingUp = undefined;
    try {
      for (const stepId of await this.admissions.queued([...lost.keys()])) lost.delete(stepId);
      // Checked again: the step may have left the queue, with a new task, after the caller's check.
      for (const stepId of await this.dispatcher.lost([...lost.keys()])) lost.get(stepId)?.();
    } catch (error) {
      this.options.onError(error);
    }
  }

  private async work(): Promise<void> {
    while (this.dirty.size > 0) {
      const limiters = [...this.dirty].slice(0, BATCH);
      for (const limiter of limiters) this.dirty.delete(limiter);
      // If it fails, the sweep finds the limiters.
      await this.grant(limiters).catch(this.options.onError);
    }
    // Synchronously with the last check, so that no limiter is added unnoticed.
    this.working = undefined;
  }

  private async grant(limiters: readonly string[]): Promise<void> {
    this.granted(await this.admissions.grant(limiters, (tasks, tx) => this.dispatcher.dispatch(tasks, tx)));
  }

  private granted({ runs, opensAt }: Granted): void {
    if (runs) this.options.onDue();
    if (opensAt !== null) this.openAt(opensAt);
  }

  /** One timer, for the limiter that opens first. */
  private openAt(at: number): void {
    if (this.stopped || (this.nextOpening && this.nextOpening.at <= at)) return;
    this.nextOpening?.cancel();
    const cancel = this.options.timers.at(at, () => {
      this.nextOpening = undefined;
      this.position = '';
      this.loop.wake();
    });
    this.nextOpening = { at, cancel };
  }

  /** Checks one page of the limiters with entries. */
  async look(): Promise<'busy' | 'idle'> {
    if (!this.used && !this.options.limited()) return 'idle';
    const { limiters, opensAt, next } = await this.admissions.waiting(this.position, PAGE);
    this.position = next ?? '';
    if (opensAt !== null) this.openAt(opensAt);
    this.changed(limiters);
    return next === undefined ? 'idle' : 'busy';
  }
}
