import type { Clock } from '../../time/clock.js';
import type { PurgeSignals, SignalRemoval } from '../model/mailbox.js';
import type { HeldSignal, MemoryTables } from '../tables/memory-tables.js';

/** The counterpart of `SqlSignalRemoval`. Looks at all signals to runs at once. */
export class InMemorySignalRemoval implements SignalRemoval {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

  async purgeOfKeys(request: PurgeSignals): Promise<number> {
    return this.delete(this.old(request, 'key').slice(0, request.limit));
  }

  async purgeOfRuns(request: PurgeSignals): ReturnType<SignalRemoval['purgeOfRuns']> {
    const before = this.clock.now() - request.olderThanMs;
    const isOver = ({ takenBy, target }: HeldSignal) => {
      const run = this.tables.runs.get(target);
      const mayTake = run && !(run.status === 'completed' || run.status === 'cancelled');
      return takenBy !== null || !run || (!mayTake && run.finishedAt !== null && run.finishedAt <= before);
    };
    return { purged: this.delete(this.old(request, 'run').filter(isOver)), next: undefined };
  }

  async deleteUntaken(channel: string, limit: number): Promise<number> {
    const untaken = this.tables.signals.filter(
      (signal) => signal.channel === channel && signal.takenBy === null && signal.position !== null,
    );
    return this.delete(untaken.sort((a, b) => a.position! - b.position!).slice(0, limit));
  }

  async forget(channels: readonly string[], limit: number): Promise<number> {
    return this.delete(this.tables.signals.filter(({ channel }) => channels.includes(channel)).slice(0, limit));
  }

  private old({ namespace, olderThanMs }: PurgeSignals, addressed: HeldSignal['addressed']): HeldSignal[] {
    const before = this.clock.now() - olderThanMs;
    return this.tables.signals.filter(
      (signal) =>
        signal.namespace === namespace &&
        signal.addressed === addressed &&
        signal.position !== null &&
        signal.createdAt <= before,
    );
  }

  private delete(over: readonly HeldSignal[]): number {
    const { signals } = this.tables;
    for (const signal of over) signals.splice(signals.indexOf(signal), 1);
    return over.length;
  }
}
