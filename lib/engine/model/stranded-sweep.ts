import { type Clock, stopwatch } from '../../time/clock.js';
import type { TaskDispatcher } from './task-dispatcher.js';

/** What the sweep needs from the database. */
export interface StrandedRuns {
  /** Of the next runs after this id: the step ids that parked ones wait for, and where to go on; no `next` at the end. */
  awaited(
    afterId: string,
    limit: number,
  ): Promise<{ steps: { runId: string; stepId: string }[]; next: string | undefined }>;
  /** Makes parked runs due. */
  wake(runIds: readonly string[]): Promise<void>;
}

export interface StrandedSweepOptions {
  /** Runs were woken. */
  onWoken?: () => void;
  /** Tells how long a look takes. Default: this machine's. */
  elapsed?: Clock;
}

const PAGE = 1_000;
/** A look begins no page after this: what is left is for the next look, so any number of runs costs the same. */
const LOOK_MS = 500;

/**
 * A parked run whose task was deleted would wait for ever. Page by page such runs are found and woken: whoever plays one
 * sends its task again. Runs in memory look after their tasks themselves.
 */
export class StrandedSweep {
  private position = '';

  constructor(
    private readonly runs: StrandedRuns,
    private readonly dispatcher: TaskDispatcher,
    private readonly options: StrandedSweepOptions = {},
  ) {}

  /** One look: from where the last one ended to the last run, or as far as it comes in its time. */
  async tick(): Promise<'idle'> {
    const { elapsed = stopwatch, onWoken } = this.options;
    const end = elapsed.now() + LOOK_MS;
    let woken = 0;
    do woken += await this.wakePage();
    while (this.position !== '' && elapsed.now() < end);
    if (woken > 0) onWoken?.();
    return 'idle';
  }

  /** Answers how many runs of the next page were woken. */
  private async wakePage(): Promise<number> {
    const { steps, next } = await this.runs.awaited(this.position, PAGE);
    this.position = next ?? '';
    const lost = new Set(steps.length === 0 ? [] : await this.dispatcher.lost(steps.map(({ stepId }) => stepId)));
    const stranded = [...new Set(steps.filter(({ stepId }) => lost.has(stepId)).map(({ runId }) => runId))];
    if (stranded.length > 0) await this.runs.wake(stranded);
    return stranded.length;
  }
}
