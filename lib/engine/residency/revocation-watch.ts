import type { Activation } from '../activation/activation.js';
import type { ResidentRuns } from './resident-runs.js';
import type { RunStore } from '../model/run-store.js';

/**
 * Notices that runs with running steps were taken from this process, so that the signals of the steps abort soon.
 * Usually a notification arrives first, but it may be lost or unavailable. For runs that only wait, the next heartbeat
 * is enough. So it costs one read by key, and only while steps run here.
 */
export class RevocationWatch {
  constructor(
    private readonly store: Pick<RunStore, 'lost'>,
    private readonly residents: ResidentRuns,
    /** The process that plays them. */
    private readonly owner: string,
  ) {}

  async tick(): Promise<'idle'> {
    await this.look(this.residents.all().filter(({ isWorking }) => isWorking));
    return 'idle';
  }

  /** Drops the activations whose claims no longer hold. */
  async look(activations: readonly Activation[]): Promise<void> {
    if (activations.length === 0) return;
    const { owner } = this;
    const claims = activations.map(({ run: { id: runId, epoch } }) => ({ runId, epoch, owner }));
    const lost = new Set((await this.store.lost(claims)).map(({ runId, epoch }) => `${epoch}:${runId}`));
    for (const activation of activations) {
      const { id, epoch } = activation.run;
      if (lost.has(`${epoch}:${id}`) && !activation.closed) activation.drop();
    }
  }
}
