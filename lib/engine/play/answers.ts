import { DatabaseError } from '../../core/errors.js';
import type { StepAnswer } from '../../core/protocol.js';
import { howManyFit } from '../../core/loops.js';
import { sleep } from '../../core/time.js';
import type { ResidentRuns } from './residency.js';
import type { RunStore } from '../runs.js';
import { isNote } from '../signals.js';
import type { AnswerCursor, TaskDispatcher } from '../tasks.js';

const BATCH_SIZE = 500;
/** These answers are probably for runs of another process, which takes them meanwhile. */
const LEAVE_TO_OWNER_MS = 20;

export interface AnswerCollectorOptions {
  namespace: string;
  /** Called when runs were woken, which any process may claim. */
  onWoken: () => void;
  /** Called when an answer could not be recorded, while others were. It is retried. */
  onError?: (error: unknown) => void;
}

/** A batch of answers that failed this often in a row is retried in parts, if the database is reachable. */
const MOST_FAILURES = 3;
const MOST_SUSPECTS = 1_000;

/**
 * Delivers workers' answers to their runs: directly to resident runs of this process, and into the history of runs
 * without an owner. Answers to runs of other processes are left to them. No workflow code runs here.
 */
export class AnswerCollector {
  private cursor: AnswerCursor | undefined;
  /** The next read starts at the first answer, even if a read is in progress now. */
  private again = false;
  /** How many batches in a row could not be recorded. */
  private failures = 0;
  /** Step ids of answers that could not be recorded alone: they are kept apart from others. */
  private readonly suspects = new Set<string>();

  constructor(
    private readonly dispatcher: TaskDispatcher,
    private readonly store: RunStore,
    private readonly residents: ResidentRuns,
    private readonly options: AnswerCollectorOptions,
  ) {}

  async tick(): Promise<'busy' | 'active' | 'idle'> {
    const from = this.again ? undefined : this.cursor;
    this.again = false;
    const { answers, cursor } = await this.dispatcher.peek(BATCH_SIZE, from);
    this.cursor = cursor;
    const strangers = answers.filter((answer) => !this.deliver(answer));
    // A resident run that refuses an answer is being parked: its answer is recorded once the run has no owner.
    const unowned = strangers.filter((answer) => isNote(answer) || !this.residents.get(answer.runId));
    if (unowned.length > 0) await this.settle(unowned);
    if (unowned.length < strangers.length) this.lookAgain();
    if (answers.length === BATCH_SIZE) return 'busy';
    return answers.length > 0 ? 'active' : 'idle';
  }

  /** The next tick starts from the first answer. */
  lookAgain(): void {
    this.again = true;
  }

  /**
   * Delivers answers from a notification. Resolves to true if {@link tick} should read rows: for answers to runs that
   * are not resident here, after a short time in which their owner can take them.
   */
  async arrived(answers: readonly StepAnswer[] | undefined): Promise<boolean> {
    if (!answers) return true;
    const strangers = answers.filter((answer) => !this.deliver(answer));
    if (strangers.length > 0) await sleep(LEAVE_TO_OWNER_MS);
    return strangers.length > 0;
  }

  private deliver(answer: StepAnswer): boolean {
    // A note is no answer to its run, which may be resident here for its compensation.
    if (isNote(answer)) return false;
    return this.residents.get(answer.runId)?.answer(answer) ?? false;
  }

  private async settle(answers: readonly StepAnswer[]): Promise<void> {
    const isSuspect = ({ stepId }: StepAnswer) => this.suspects.has(stepId);
    const left = this.suspects.size === 0 ? [...answers] : answers.filter((answer) => !isSuspect(answer));
    const apart = left.length === answers.length ? [] : answers.filter(isSuspect);
    while (left.length > 0) await this.settleSome(left.splice(0, howManyFit(left, BATCH_SIZE, sizeOf)));
    for (const answer of apart) await this.settleParts([answer]);
  }

  private async settleSome(some: readonly StepAnswer[]): Promise<void> {
    try {
      await this.settleTogether(some);
      this.failures = 0;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (++this.failures < MOST_FAILURES && !error.aboutData) throw error;
      await this.settleParts(some);
    }
  }

  /** Splits in halves until the failing answers are found. @throws DatabaseError if the database is unavailable. */
  private async settleParts(some: readonly StepAnswer[]): Promise<void> {
    try {
      await this.settleTogether(some);
      for (const { stepId } of some) this.suspects.delete(stepId);
    } catch (error) {
      await this.dispatcher.lost(some.slice(0, 1).map(({ stepId }) => stepId));
      if (some.length === 1) return this.suspect(some[0]!, error);
      const half = Math.ceil(some.length / 2);
      await this.settleParts(some.slice(0, half));
      await this.settleParts(some.slice(half));
    }
  }

  private suspect({ stepId }: StepAnswer, error: unknown): void {
    if (this.suspects.size >= MOST_SUSPECTS) this.suspects.clear();
    this.suspects.add(stepId);
    this.options.onError?.(error);
  }

  private async settleTogether(some: readonly StepAnswer[]): Promise<void> {
    const { namespace, onWoken } = this.options;
    const settled = await this.store.settleUnowned(namespace, some, (stepIds, tx) => this.dispatcher.take(stepIds, tx));
    if (settled.length > 0) onWoken();
  }
}

const sizeOf = ({ output, error }: StepAnswer): number => (output?.length ?? 0) + (error?.length ?? 0);
