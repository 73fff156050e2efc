import type { StepAnswer } from '../../protocol/step.js';
import { howManyFit } from '../../time/batcher.js';
import { sleep } from '../../time/sleep.js';
import type { Residents } from '../play/residents.js';
import type { RunStore } from './run-store.js';
import { isNote } from '../signals/left-signals.js';
import type { AnswerCursor, TaskDispatcher } from '../task-dispatcher.js';

const BATCH_SIZE = 500;
/** Another process is likely the one that these answers are for; it takes them meanwhile. */
const LEAVE_TO_OWNER_MS = 20;

export interface AnswerCollectorOptions {
  namespace: string;
  /** Runs were woken that anybody may take. */
  onWoken: () => void;
}

/**
 * Brings workers' answers to their runs: to those in this process's memory directly, into the history of those that
 * nobody owns, and not at all to those that another process owns. No code of a workflow runs in here.
 */
export class AnswerCollector {
  private cursor: AnswerCursor | undefined;
  /** The next reading starts from the first answer, also when another is under way just now. */
  private again = false;

  constructor(
    private readonly dispatcher: TaskDispatcher,
    private readonly store: RunStore,
    private readonly residents: Residents,
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
    const { namespace, onWoken } = this.options;
    const left = [...answers];
    while (left.length > 0) {
      const some = left.splice(0, howManyFit(left, BATCH_SIZE, sizeOf));
      const settled = await this.store.settleUnowned(namespace, some, (stepIds, tx) =>
        this.dispatcher.take(stepIds, tx),
      );
      if (settled.length > 0) onWoken();
    }
  }
}

const sizeOf = ({ output, error }: StepAnswer): number => (output?.length ?? 0) + (error?.length ?? 0);
