import type { MemoryTables } from '../engine/tables/memory-tables.js';
import type { LostAttempt, LostAttempts } from '../worker/lost-attempts.js';

/** Stores lost attempts in the engine's tables, next to those that have failed. */
export class MemoryLostAttempts implements LostAttempts {
  constructor(private readonly tables: Pick<MemoryTables, 'runs' | 'attempts'>) {}

  async record(lost: readonly LostAttempt[]): Promise<number[]> {
    return lost.map((attempt) => this.keep(attempt));
  }

  private keep(lost: LostAttempt): number {
    const { runId, seq, attempt } = lost;
    const others = this.tables.attempts.get(runId) ?? [];
    if (this.tables.runs.has(runId)) {
      const kept = others.filter((other) => other.seq !== seq || other.attempt !== attempt);
      this.tables.attempts.set(runId, [...kept, { ...lost, outcome: 'lost', askedAt: null, startedAt: null }]);
    }
    const ended = others.filter((other) => other.seq === seq && other.attempt < attempt && other.outcome !== 'lost');
    return attempt - Math.max(0, ...ended.map((other) => other.attempt));
  }
}
