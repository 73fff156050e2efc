import type { Activation } from '../activation/activation.js';
import type { ResidentRuns } from './resident-runs.js';
import type { RunStore } from '../model/run-store.js';

/**
 * Notices runs that were taken from this process while it works on them, so that the signal of a step aborts soon after
 * its run was ended elsewhere: where notifications arrive they say so at once, unless one was lost. Runs that only wait
 * can wait for the next heartbeat. So it costs one look by key, and only while steps run here.
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

  /** Drops those of these runs that are this process's no longer. */
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
