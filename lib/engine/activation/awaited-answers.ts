import type { StepAnswer } from '../../protocol/step.js';
import type { StepRecord } from '../model/step-record.js';
import type { Journal } from './journal.js';

/** A request to a worker that has no answer yet. */
export interface AwaitedAnswer {
  stepId: string;
  /** When it was requested, perhaps by another process; epoch ms. */
  since: number;
  accept: (answer: StepAnswer) => void;
  /** Dispatches a lost task again. Undefined if the awaited answer cannot get lost. */
  resend?: () => void | Promise<void>;
}

/** The kinds of steps that are settled by answers. */
export const ANSWERED: ReadonlySet<string> = new Set(['remote', 'child', 'signal']);

/** The answers that a run waits for. Also handles answers that come early, twice, or too late. */
export class AwaitedAnswers {
  private readonly awaited = new Map<number, AwaitedAnswer>();
  /** Answers that came before the code awaited them; at most one per position. */
  private readonly early = new Map<number, StepAnswer>();
  /** The last accepted or discarded answer per position: it may arrive again before its row is deleted. */
  private readonly last = new Map<number, string>();

  constructor(
    private readonly journal: Journal,
    /** Hears when the answer of a worker was written that the code gets now. */
    private readonly onAccepted: (since: number) => void,
    /** Deletes an unneeded answer. */
    private readonly discard: (answer: StepAnswer) => void,
  ) {}

  get size(): number {
    return this.awaited.size;
  }

  all(): AwaitedAnswer[] {
    return [...this.awaited.values()];
  }

  /** Whether its answer is still awaited. */
  has(awaited: AwaitedAnswer): boolean {
    return this.all().includes(awaited);
  }

  add(seq: number, awaited: AwaitedAnswer): void {
    this.awaited.set(seq, awaited);
    const early = this.early.get(seq);
    this.early.delete(seq);
    if (early) this.hand(early);
  }

  /** Returns false if no answer was awaited there. */
  delete(seq: number): boolean {
    return this.awaited.delete(seq);
  }

  hand(answer: StepAnswer): void {
    const { seq } = answer;
    if (this.last.get(seq) === identityOf(answer)) return;
    const awaited = this.awaited.get(seq);
    if (awaited) {
      this.last.set(seq, identityOf(answer));
      this.awaited.delete(seq);
      // Others, as signals, may have been written long before somebody waited for them.
      if (this.journal.get(seq)?.kind === 'remote') this.onAccepted(answer.createdAt);
      return awaited.accept(answer);
    }
    const step = this.journal.get(seq);
    if (!step || !ANSWERED.has(step.kind) || step.settled !== null) return this.discard(answer);
    this.early.set(seq, answer);
    if (isBetweenAttempts(step)) this.forget(seq);
  }

  /** Discards an early answer: it does not belong to the request made at `seq` now. */
  forget(seq: number): void {
    const early = this.early.get(seq);
    if (!early) return;
    this.early.delete(seq);
    this.last.set(seq, identityOf(early));
    this.discard(early);
  }

  clear(): void {
    this.awaited.clear();
    this.early.clear();
  }
}

/** The step waits for its next attempt: an answer belongs to the previous attempt and came too late. */
const isBetweenAttempts = ({ kind, wakeAt }: StepRecord): boolean => kind === 'remote' && wakeAt !== null;

const identityOf = ({ createdAt, startedAt, output, by }: StepAnswer): string =>
  `${createdAt}/${startedAt}/${by?.attempt}/${output?.slice(0, 100)}`;
