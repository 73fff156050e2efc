import { DatabaseError } from '../../errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import { howManyFit } from '../../time/batcher.js';
import { sleep } from '../../time/sleep.js';
import type { ResidentRuns } from './resident-runs.js';
import type { RunStore } from '../model/run-store.js';
import { isNote } from '../model/left-signals.js';
import type { AnswerCursor, TaskDispatcher } from '../model/task-dispatcher.js';

const BATCH_SIZE = 500;
/** Another process is likely the one that these answers are for; it takes them meanwhile. */
const LEAVE_TO_OWNER_MS = 20;

export interface AnswerCollectorOptions {
  namespace: string;
  /** Runs were woken that anybody may take. */
  onWoken: () => void;
  /** An answer could not be recorded, while others were. It is tried again. */
  onError?: (error: unknown) => void;
}

/** Answers that have failed together so often are tried apart, if the database answers otherwise. */
const MOST_FAILURES = 3;
const MOST_SUSPECTS = 1_000;

/**
 * Brings workers' answers to their runs: to those in this process's memory directly, into the history of those that
 * nobody owns, and not at all to those that another process owns. No code of a workflow runs in here.
 */
export class AnswerCollector {
  private cursor: AnswerCursor | undefined;
  /** The next reading starts from the first answer, also when another is under way just now. */
  private again = false;
  /** How often in a row answers could not be recorded together. */
  private failures = 0;
  /** Answers that could not be recorded by themselves: they keep no others from it. */
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
    // A run that is resident but refuses is being parked: its answer is for whoever finds it unowned then.
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
   * Answers that came along with a notification. Resolves to true when rows may wait for {@link tick}: those of
   * runs that are not here, after giving their owner the time to take them.
   */
  async arrived(answers: readonly StepAnswer[] | undefined): Promise<boolean> {
    if (!answers) return true;
    const strangers = answers.filter((answer) => !this.deliver(answer));
    if (strangers.length > 0) await sleep(LEAVE_TO_OWNER_MS);
    return strangers.length > 0;
  }

  private deliver(answer: StepAnswer): boolean {
    // A note is no answer to its run, which may be played here to be undone.
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

  /** Halves again and again, so that what cannot be recorded is found. @throws DatabaseError while the database is away. */
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
