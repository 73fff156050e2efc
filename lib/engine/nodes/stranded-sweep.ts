import type { TaskDispatcher } from '../task-dispatcher.js';

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

const PAGE = 1_000;

/**
 * A parked run whose task was deleted would wait for ever. Slowly, page by page, such runs are found and woken: whoever
 * plays one sends its task again. Runs in memory look after their tasks themselves.
 */
export class StrandedSweep {
  private position = '';

  constructor(
    private readonly runs: StrandedRuns,
    private readonly dispatcher: TaskDispatcher,
  ) {}

  async tick(): Promise<'idle'> {
    const { steps, next } = await this.runs.awaited(this.position, PAGE);
    this.position = next ?? '';
    if (steps.length === 0) return 'idle';
    const lost = new Set(await this.dispatcher.lost(steps.map(({ stepId }) => stepId)));
    const stranded = [...new Set(steps.filter(({ stepId }) => lost.has(stepId)).map(({ runId }) => runId))];
    if (stranded.length > 0) await this.runs.wake(stranded);
    return 'idle';
  }
}
