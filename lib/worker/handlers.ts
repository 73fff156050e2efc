import { isA } from '../core/brand.js';
import { type Codec, type CodecContext, encodedWithin, jsonCodec, StoredTexts } from '../core/codec.js';
import {
  ConfigurationError,
  PayloadTooLargeError,
  SerializationError,
  UnreadablePayloadError,
} from '../core/errors.js';
import { groupOf, type StepContext } from '../core/protocol.js';
import { NonRetryableStepError } from '../core/run-errors.js';
import { asError } from '../core/thrown.js';
import { type Clock, deferralOf } from '../core/time.js';
import { toWireError, type WireError } from '../core/wire-error.js';
import type { ClaimedTask, ClaimRequest, GroupQuota, TaskReport } from './task-source.js';

/** Runs one remote step. Its result is stored as JSON. */
export type StepHandler = (input: unknown, step: StepContext) => unknown;

/** Handlers with a common concurrency limit: those of one worker class. */
export interface ConcurrencyClass {
  name: string;
  /** Default: only the process's own limit applies. */
  concurrency?: number;
}

export interface HandlerOptions {
  /** The queue tokens of its tasks. Default: the group of its name. */
  groups?: readonly string[];
  concurrencyClass?: ConcurrencyClass;
  /** An attempt that takes longer fails. Default: none. */
  timeoutMs?: number;
  /** The number of attempts of its own retry policy; `maxClaims` never reduces it. */
  retryAttempts?: number;
}

export interface RegisteredHandler extends HandlerOptions {
  readonly name: string;
  readonly groups: readonly string[];
  readonly run: StepHandler;
}

/** Handlers by step name. */
export class HandlerRegistry {
  private readonly handlers = new Map<string, RegisteredHandler>();

  /** @throws ConfigurationError when the name is already registered. */
  register(name: string, run: StepHandler, options: HandlerOptions = {}): void {
    if (this.handlers.has(name)) {
      throw new ConfigurationError(`Two handlers for the remote step "${name}": rename one, or register it once`);
    }
    this.handlers.set(name, { ...options, name, run, groups: options.groups ?? [groupOf(name)] });
  }

  find(name: string): RegisteredHandler | undefined {
    return this.handlers.get(name);
  }

  all(): Iterable<RegisteredHandler> {
    return this.handlers.values();
  }

  get names(): string[] {
    return [...this.handlers.keys()];
  }

  /** The names, by the group from which their tasks are claimed. */
  get byGroup(): Record<string, string[]> {
    const namesOf = (group: string) => this.names.filter((name) => this.handlers.get(name)!.groups.includes(group));
    return Object.fromEntries(this.groups.map((group) => [group, namesOf(group)]));
  }

  /** All queue tokens of its handlers. */
  get groups(): string[] {
    return [...new Set([...this.handlers.values()].flatMap(({ groups }) => groups))];
  }

  get size(): number {
    return this.handlers.size;
  }
}

/** Counts running handlers, in the process and per concurrency class. */
export class Slots {
  private readonly perClass = new Map<string, number>();
  private taken = 0;

  constructor(private readonly size: number) {}

  get free(): number {
    return this.size - this.taken;
  }

  get isMostlyFree(): boolean {
    return this.taken < this.size / 2;
  }

  /** How many more of this class may start, apart from the limit of the process. */
  freeIn(concurrencyClass: ConcurrencyClass | undefined): number {
    if (concurrencyClass?.concurrency === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, concurrencyClass.concurrency - (this.perClass.get(concurrencyClass.name) ?? 0));
  }

  take(concurrencyClass: ConcurrencyClass | undefined): void {
    this.add(concurrencyClass, 1);
  }

  giveBack(concurrencyClass: ConcurrencyClass | undefined): void {
    this.add(concurrencyClass, -1);
  }

  private add(concurrencyClass: ConcurrencyClass | undefined, count: number): void {
    this.taken += count;
    if (!concurrencyClass) return;
    this.perClass.set(concurrencyClass.name, (this.perClass.get(concurrencyClass.name) ?? 0) + count);
  }
}

export type ClaimPlan = Pick<ClaimRequest, 'groups' | 'names' | 'limit'>;

/** However often single groups are woken, all groups are polled at this interval. */
const LOOK_AT_ALL_MS = 100;

/**
 * Plans the next claim. Every group gets a fair share of the free slots, in turn. Groups that were woken, or returned
 * as many tasks as requested, come first, so that busy groups do not cause polls of idle ones.
 */
export class ClaimPlanner {
  /** Groups that likely have more; undefined: any group may. */
  private promising: Set<string> | undefined;
  private lookedAtAll = Number.NEGATIVE_INFINITY;
  private turn = 0;
  private heldBack = false;
  /** Groups that likely had more when the current claim was planned. It stays so if the claim fails. */
  private asked: ReadonlySet<string> = new Set();
  /** Groups that likely have more, of which nothing may start. */
  private left: ReadonlySet<string> = new Set();

  constructor(
    private readonly handlers: HandlerRegistry,
    private readonly slots: Slots,
    private readonly clock: Clock,
    /** Whether the tasks of a group must not be claimed now. */
    private readonly isHeld: (group: string) => boolean = () => false,
  ) {}

  /** Whether to claim at once when a slot becomes free. */
  get expectsMore(): boolean {
    return this.heldBack || this.hasPromising;
  }

  /** Whether the last claim left tasks behind that could start now. */
  get hasPromising(): boolean {
    return this.promising === undefined || this.promising.size > 0;
  }

  /** Without groups: any may have tasks. Returns whether it concerns this worker. */
  wake(groups?: readonly string[]): boolean {
    if (!groups) this.promising = undefined;
    const served = new Set(this.handlers.groups);
    const ours = (groups ?? []).filter((group) => served.has(group));
    for (const group of ours) this.promising?.add(group);
    return !groups || ours.length > 0;
  }

  /** What to claim with `limit` slots; undefined when no handler may start. */
  plan(limit: number): ClaimPlan | undefined {
    const ready = [...this.handlers.all()].filter(({ concurrencyClass }) => this.slots.freeIn(concurrencyClass) > 0);
    this.heldBack = limit <= 0 || ready.length < this.handlers.size;
    if (limit <= 0 || ready.length === 0) return undefined;
    const groups = this.shares(this.scope(ready), limit);
    if (groups.length === 0) return undefined;
    return { groups, names: ready.map(({ name }) => name), limit };
  }

  /** Whether tasks of this group may be waiting for a claim, as far as is known. */
  mayWait(group: string): boolean {
    const { promising, asked, left } = this;
    return promising === undefined || promising.has(group) || asked.has(group) || left.has(group);
  }

  /** A group that returned as many tasks as requested may have more. Not called for a claim that has failed. */
  learn({ groups }: ClaimPlan, tasks: readonly ClaimedTask[]): void {
    this.asked = new Set();
    const counts = new Map<string, number>();
    for (const { group } of tasks) counts.set(group, (counts.get(group) ?? 0) + 1);
    const full = tasks.length > 0 && groups.filter(({ group, limit }) => (counts.get(group) ?? 0) >= limit);
    for (const { group } of full || []) this.promising?.add(group);
  }

  /** The groups to poll now, each with those of its handlers that may start. */
  private scope(ready: readonly RegisteredHandler[]): Map<string, RegisteredHandler[]> {
    const byGroup = new Map<string, RegisteredHandler[]>();
    for (const handler of ready) {
      for (const group of handler.groups)
        if (!this.isHeld(group)) byGroup.set(group, [...(byGroup.get(group) ?? []), handler]);
    }
    const { promising = new Set(this.handlers.groups) } = this;
    const expected = [...promising, ...this.asked, ...this.left];
    this.promising = new Set();
    this.asked = new Set(expected.filter((group) => byGroup.has(group)));
    this.left = new Set(expected.filter((group) => !byGroup.has(group)));
    const now = this.clock.now();
    const chosen = [...byGroup].filter(([group]) => this.asked.has(group));
    if (chosen.length > 0 && Math.abs(now - this.lookedAtAll) < LOOK_AT_ALL_MS) return new Map(chosen);
    this.lookedAtAll = now;
    return byGroup;
  }

  private shares(scope: Map<string, RegisteredHandler[]>, limit: number): GroupQuota[] {
    const groups = [...scope.keys()];
    if (groups.length === 0) return [];
    const first = this.turn++ % groups.length;
    const inTurn = [...groups.slice(first), ...groups.slice(0, first)];
    const share = Math.ceil(limit / groups.length);
    const left = new Map<string, number>();
    const quotas: GroupQuota[] = [];
    for (const group of inTurn) {
      const quota = Math.min(share, this.draw(left, scope.get(group) ?? [], share));
      if (quota > 0) quotas.push({ group, limit: quota });
      // Other groups of its class got the slots but may be empty: it comes first next time.
      else this.promising?.add(group);
    }
    return quotas;
  }

  /** Takes up to `share` of the remaining slots of the classes of a group's handlers. */
  private draw(left: Map<string, number>, handlers: readonly RegisteredHandler[], share: number): number {
    let drawn = 0;
    for (const { concurrencyClass } of handlers) {
      const free = this.slots.freeIn(concurrencyClass);
      if (!concurrencyClass || free === Number.POSITIVE_INFINITY) return share;
      const remaining = left.get(concurrencyClass.name) ?? free;
      const part = Math.min(remaining, share - drawn);
      left.set(concurrencyClass.name, remaining - part);
      drawn += part;
    }
    if (drawn < share) this.heldBack = true;
    return drawn;
  }
}

/** The outcome of a handler, before it is known whether its lease still holds. */
export type StepOutcome = Pick<TaskReport, 'status' | 'output' | 'error'> & {
  wireError?: WireError;
  /** How long the handler took; undefined if it was not called. */
  tookMs?: number;
};

/** @throws UnreadablePayloadError */
export function readInput(text: string | null, codec: Codec, context?: CodecContext): unknown {
  try {
    return text === null ? null : (codec.decode(text, context) ?? null);
  } catch (cause) {
    throw new UnreadablePayloadError('The input of the step', { cause });
  }
}

/** @throws SerializationError, PayloadTooLargeError */
export const writeOutput = (value: unknown, codec: Codec, limit: number, context?: CodecContext): string =>
  // Through the codec, too: one that encrypts may refuse to read what is plain.
  encodedWithin(limit, 'The output of the step', () => codec.encode(value ?? null, context));

/** Of a step that failed because its output was refused; null if it cannot be stored. */
export function keptOutput(value: unknown, codec: Codec, limit: number, context?: CodecContext): string | null {
  try {
    return writeOutput(value, codec, limit, context);
  } catch {
    return null;
  }
}

/**
 * A failure as the contract writes it; `retryable: false` where another attempt cannot help. `wireError` is the error
 * for people, which is sealed in the answer if the app has a codec of its own.
 */
export function failed(thrown: unknown, texts = PLAIN, context?: CodecContext, clock?: Clock): StepOutcome {
  const { error, retryAfterMs } = asked(asError(thrown), clock);
  const wireError = toWireError(error, texts.rules);
  if (isFinal(error)) wireError.retryable = false;
  if (retryAfterMs !== undefined) wireError.retryAfterMs = retryAfterMs;
  return { status: 'failed', output: null, error: JSON.stringify(texts.seal(wireError, context)), wireError };
}

/** A delay that is invalid is an ordinary failure. */
function asked(error: Error, clock: Clock | undefined): { error: Error; retryAfterMs?: number | undefined } {
  try {
    return { error, retryAfterMs: deferralOf(error, clock) };
  } catch (invalid) {
    return { error: asError(invalid) };
  }
}

const PLAIN = new StoredTexts(jsonCodec);

const FINAL = [SerializationError, PayloadTooLargeError, UnreadablePayloadError];

const isFinal = (error: Error & { retryable?: unknown }): boolean =>
  error.retryable === false || isA(error, NonRetryableStepError) || FINAL.some((type) => error instanceof type);
