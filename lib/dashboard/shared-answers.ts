import { HttpException } from '@nestjs/common';
import { stopwatch } from '../time/clock.js';

/** An answer is given to whoever asks the same so soon after it. */
const FRESH_MS = 1_000;
/** Answers that are asked for again and again take about a fiftieth of the time: each is kept so much longer than it took. */
const REST = 50;
/** However long they take: whoever looks wants to see what changes. */
const MOST_KEPT_MS = 30_000;
/** A question is slow if its last answer took longer. */
const SLOW_MS = 1_000;
/** So many slow questions of one kind are asked at once. */
const MOST_SLOW = 4;
/** So many answers are held in memory. */
const MOST_HELD = 500;

interface Shared {
  answer: Promise<unknown>;
  /** Undefined: it is under way. */
  answeredAt?: number;
  /** Until then it is given to whoever takes one that is as old. */
  keptUntil?: number;
  /** Somebody asks it again and again: others that only ask it once keep it for as long. */
  repeated: boolean;
}

interface Kind {
  underWay: number;
  lastTookMs: number;
}

/**
 * Answers that were given a moment ago: ten tabs ask the database what one asks. Who looks again and again takes older
 * ones, too, so that all who look cost little together. A question that is under way is not asked again, and of slow
 * ones, no more than four of a kind are under way.
 */
export class SharedAnswers {
  private readonly shared = new Map<string, Shared>();
  private readonly kinds = new Map<string, Kind>();

  constructor(private readonly now: () => number = () => stopwatch.now()) {}

  /**
   * An answer to this question that is not older than `maxAgeMs`, or is under way; with 0, a new one. Everything that
   * makes a difference to it belongs in `key`.
   *
   * @throws HttpException with status 429 when others of its kind are slow, and what `ask` throws
   */
  async answer<T>(
    kind: string,
    key: readonly unknown[],
    ask: () => Promise<T>,
    maxAgeMs: number = FRESH_MS,
  ): Promise<T> {
    this.dropOld();
    const name = nameOf(kind, key);
    const known = this.shared.get(name);
    if (known && this.isAtMost(known, maxAgeMs)) return known.answer as Promise<T>;
    const began = this.now();
    const repeated = maxAgeMs > FRESH_MS || known?.repeated === true;
    const asked: Shared = { answer: this.ask(kind, ask), repeated };
    this.hold(name, asked);
    try {
      const answer = (await asked.answer) as T;
      asked.answeredAt = this.now();
      asked.keptUntil = asked.answeredAt + (repeated ? this.keptMs(asked.answeredAt - began) : FRESH_MS);
      return answer;
    } catch (error) {
      if (this.shared.get(name) === asked) this.putBack(name, known);
      throw error;
    }
  }

  /** In how many ms an answer to this question is another one than now. */
  restMs(kind: string, key: readonly unknown[]): number {
    const until = this.shared.get(nameOf(kind, key))?.keptUntil ?? 0;
    return Math.max(0, Math.ceil(until - this.now()));
  }

  /** Something has changed: whoever asks from now on does not get an older answer. */
  forget(): void {
    this.shared.clear();
  }

  private async ask<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const kind = this.kinds.get(name) ?? { underWay: 0, lastTookMs: 0 };
    this.kinds.set(name, kind);
    if (kind.lastTookMs > SLOW_MS && kind.underWay >= MOST_SLOW)
      throw new HttpException('The database has much to do: ask again in some seconds', 429);
    kind.underWay++;
    const began = this.now();
    try {
      return await ask();
    } finally {
      kind.underWay--;
      kind.lastTookMs = this.now() - began;
    }
  }

  private isAtMost({ answeredAt, keptUntil = 0 }: Shared, maxAgeMs: number): boolean {
    const now = this.now();
    if (maxAgeMs <= 0) return false;
    return answeredAt === undefined || (now <= keptUntil && now - answeredAt <= maxAgeMs);
  }

  private keptMs(tookMs: number): number {
    let count = 0;
    for (const { repeated } of this.shared.values()) if (repeated) count++;
    return Math.max(FRESH_MS, Math.min(MOST_KEPT_MS, tookMs * REST * count));
  }

  private hold(name: string, asked: Shared): void {
    this.shared.delete(name);
    this.shared.set(name, asked);
    const [oldest] = this.shared.keys();
    if (this.shared.size > MOST_HELD) this.shared.delete(oldest!);
  }

  /** While the database does not answer, whoever looks again gets what is kept. */
  private putBack(name: string, known: Shared | undefined): void {
    if (known?.keptUntil !== undefined && this.now() <= known.keptUntil) this.shared.set(name, known);
    else this.shared.delete(name);
  }

  /** Questions that are asked again and again count for a while longer, so that all do when many expire together. */
  private dropOld(): void {
    const now = this.now();
    for (const [name, { keptUntil, repeated }] of this.shared)
      if (keptUntil !== undefined && keptUntil + (repeated ? MOST_KEPT_MS : 0) < now) this.shared.delete(name);
  }
}

const nameOf = (kind: string, key: readonly unknown[]): string => JSON.stringify([kind, ...key]);
