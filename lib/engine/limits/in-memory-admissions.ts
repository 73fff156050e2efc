import { inMemoryTransaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import type { Admissions } from '../model/limiter.js';
import { admitToLimiters, grantPermits, roomyLimiters } from './in-memory-limiters.js';
import { pastOthers } from '../endings/in-memory-run-dependencies.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import type { ClaimedRun } from '../model/run.js';

/** Preconditions in memory: other runs to wait for, and limiters with limits. */
export class InMemoryAdmissions implements Admissions {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

  async admit(runs: readonly ClaimedRun[]): ReturnType<Admissions['admit']> {
    const waiting = runs.filter(({ precondition }) => precondition === 'after');
    return this.tables.exclusively(async () => {
      const past = pastOthers(this.tables, waiting, this.clock.now());
      const conditional = [
        ...runs.filter(({ precondition }) => precondition === 'limiter'),
        ...past.filter(({ precondition }) => precondition === 'limiter'),
      ];
      const { admitted, ...granted } = admitToLimiters(this.tables, conditional, this.clock.now());
      return { admitted: [...past.filter(({ precondition }) => precondition === null), ...admitted], ...granted };
    });
  }

  grant(...[limiters, dispatching]: Parameters<Admissions['grant']>): ReturnType<Admissions['grant']> {
    return inMemoryTransaction(undefined, (tx) =>
      this.tables.exclusively(() => grantPermits(this.tables, limiters, this.clock.now(), dispatching, tx)),
    );
  }

  async waiting(): ReturnType<Admissions['waiting']> {
    return roomyLimiters(this.tables, this.clock.now());
  }

  async queued(stepIds: readonly string[]): Promise<string[]> {
    return stepIds.filter((stepId) => this.tables.limiterEntries.get(stepId)?.granted === false);
  }

  onFreed(listener: (limiters: readonly string[]) => void): () => void {
    this.tables.limiterListeners.add(listener);
    return () => void this.tables.limiterListeners.delete(listener);
  }
}
