import type { StepAnswer } from '../../protocol/step.js';
import type { Journal } from './journal.js';

/** A request to a worker that has no answer yet. */
export interface AwaitedAnswer {
  stepId: string;
  /** When the waiting began, epoch ms. */
  since: number;
  accept: (answer: StepAnswer) => void;
  /** Sends the task again, which is gone. Without it what is awaited cannot get lost. */
  resend?: () => void;
}

/** The kinds of steps whose outcome comes as an answer. */
export const ANSWERED: ReadonlySet<string> = new Set(['remote', 'child', 'signal']);

/** Which answers a run waits for, and what becomes of those that come early, twice, or too late. */
export class AwaitedAnswers {
  private readonly awaited = new Map<number, AwaitedAnswer>();
  /** Answers that came before the code asked; at most one per position. */
  private readonly early = new Map<number, StepAnswer>();
  /** The answer last accepted at a position: it may come again, by another way, before its row is gone. */
  private readonly accepted = new Map<number, string>();

  constructor(
    private readonly journal: Journal,
    /** Takes an answer that nobody wants out of the way. */
    private readonly discard: (answer: StepAnswer) => void,
  ) {}

  get size(): number {
    return this.awaited.size;
  }

  all(): AwaitedAnswer[] {
    return [...this.awaited.values()];
  }

  /** Whether its answer is still to come. */
  has(awaited: AwaitedAnswer): boolean {
    return this.all().includes(awaited);
  }

  add(seq: number, awaited: AwaitedAnswer): void {
    this.awaited.set(seq, awaited);
    const early = this.early.get(seq);
    this.early.delete(seq);
    if (early) this.hand(early);
  }

  /** False when nothing was awaited there any more. */
  delete(seq: number): boolean {
    return this.awaited.delete(seq);
  }

  hand(answer: StepAnswer): void {
    const { seq } = answer;
    const identity = `${answer.createdAt}/${answer.startedAt}/${answer.output?.slice(0, 100)}`;
    if (this.accepted.get(seq) === identity) return;
    const awaited = this.awaited.get(seq);
    if (awaited) {
      this.accepted.set(seq, identity);
      this.awaited.delete(seq);
      return awaited.accept(answer);
    }
    const step = this.journal.get(seq);
    if (step && ANSWERED.has(step.kind) && step.settled === null) this.early.set(seq, answer);
    else this.discard(answer);
  }

  clear(): void {
    this.awaited.clear();
    this.early.clear();
  }
}
