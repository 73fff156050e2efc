import type { StepAnswer } from '../../protocol/step.js';
import type { StepRecord } from '../model/step-record.js';
import type { Journal } from './journal.js';

/** A request to a worker that has no answer yet. */
export interface AwaitedAnswer {
  stepId: string;
  /** When it was asked for, epoch ms; perhaps by another process. */
  since: number;
  accept: (answer: StepAnswer) => void;
  /** Sends the task again, which is gone. Without it what is awaited cannot get lost. */
  resend?: () => void | Promise<void>;
}

/** The kinds of steps whose outcome comes as an answer. */
export const ANSWERED: ReadonlySet<string> = new Set(['remote', 'child', 'signal']);

/** Which answers a run waits for, and what becomes of those that come early, twice, or too late. */
export class AwaitedAnswers {
  private readonly awaited = new Map<number, AwaitedAnswer>();
  /** Answers that came before the code asked; at most one per position. */
  private readonly early = new Map<number, StepAnswer>();
  /** The answer last accepted or forgotten at a position: it may come again, by another way, before its row is gone. */
  private readonly last = new Map<number, string>();

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
    if (this.last.get(seq) === identityOf(answer)) return;
    const awaited = this.awaited.get(seq);
    if (awaited) {
      this.last.set(seq, identityOf(answer));
      this.awaited.delete(seq);
      return awaited.accept(answer);
    }
    const step = this.journal.get(seq);
    if (!step || !ANSWERED.has(step.kind) || step.settled !== null) return this.discard(answer);
    this.early.set(seq, answer);
    if (isBetweenAttempts(step)) this.forget(seq);
  }

  /** What has come is not the answer to what is asked for at `seq` from now on. */
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

/** Nobody is asked just now: an answer is one to the attempt before, which came too late. */
const isBetweenAttempts = ({ kind, wakeAt }: StepRecord): boolean => kind === 'remote' && wakeAt !== null;

const identityOf = ({ createdAt, startedAt, output }: StepAnswer): string =>
  `${createdAt}/${startedAt}/${output?.slice(0, 100)}`;
