import { stepIdOf } from '../../protocol/step.js';
import type { Clock } from '../../time/clock.js';
import type { LimiterEntry, MemoryTables } from '../tables/memory-tables.js';
import {
  type AttemptRecord,
  type LimiterInSight,
  MOST_ATTEMPTS,
  MOST_LINES,
  type RunInsight,
  type RunSurroundings,
  type TaskInSight,
} from '../model/run-insight.js';
import type { ParentClose, RunRecord } from '../model/run.js';
import type { LogLine } from '../model/run-store.js';
import { NO_PAYLOADS } from './in-memory-run-listing.js';

/** Reads the tasks of these steps from the transport. */
export type TasksOf = (stepIds: readonly string[]) => TaskInSight[];

/** Reads data about runs for people, from memory. */
export class InMemoryRunInsight implements RunInsight {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
    private readonly tasksOf: TasksOf,
  ) {}

  async attempts(runId: string, seqs?: readonly number[]): Promise<AttemptRecord[]> {
    const held = this.tables.attempts.get(runId) ?? [];
    const attempts = held.filter(({ seq }) => !seqs || seqs.includes(seq));
    return attempts.sort((a, b) => a.seq - b.seq || a.attempt - b.attempt).slice(0, MOST_ATTEMPTS);
  }

  async logs(runId: string, seq?: number): Promise<LogLine[]> {
    const lines = (this.tables.logs.get(runId) ?? []).filter((line) => seq === undefined || line.seq === seq);
    return lines.slice(0, MOST_LINES).map((line) => ({ ...line }));
  }

  async attributes(runIds: readonly string[]): ReturnType<RunInsight['attributes']> {
    return [...new Set(runIds)].sort().flatMap((runId) => {
      const held = [...(this.tables.attributes.get(runId) ?? [])].map(([name, value]) => ({ runId, name, value }));
      return held.sort((a, b) => compare(a.name, b.name));
    });
  }

  async children(runId: string, limit: number): Promise<(RunRecord & { parentClose: ParentClose | null })[]> {
    return [...this.tables.runs.values()]
      .filter(({ parentId }) => parentId === runId)
      .sort((a, b) => a.createdAt - b.createdAt || compare(a.id, b.id))
      .slice(0, limit)
      .map((run) => ({ ...run }));
  }

  async surroundings({ id }: RunRecord): Promise<RunSurroundings> {
    const { waits } = this.tables;
    return {
      tasks: this.tasks(id),
      signals: [...waits.values()]
        .filter(({ runId }) => runId === id)
        .map(({ seq, channel, deadline }) => ({ seq, channel, deadline }))
        .sort((a, b) => a.seq - b.seq || compare(a.channel, b.channel)),
      after: this.awaited(id),
      limiters: this.limiters(id),
    };
  }

  async withoutPayloads(runIds: readonly string[]): Promise<RunRecord[]> {
    const found = [...new Set(runIds)].flatMap((id) => this.tables.runs.get(id) ?? []);
    return found.map((run) => ({ ...run, ...NO_PAYLOADS }));
  }

  private tasks(runId: string): TaskInSight[] {
    const open = this.tables.history(runId).filter(({ kind, settled }) => kind === 'remote' && settled === null);
    return this.tasksOf(open.map(({ seq }) => stepIdOf(runId, seq))).sort((a, b) => a.seq - b.seq);
  }

  private awaited(runId: string): RunSurroundings['after'] {
    return [...this.tables.dependencies]
      .filter(([, waiting]) => waiting.has(runId))
      .map(([id]) => ({ id, status: this.tables.runs.get(id)?.status ?? null }))
      .sort((a, b) => compare(a.id, b.id));
  }

  private limiters(runId: string): LimiterInSight[] {
    const entries = [...this.tables.limiterEntries.values()];
    const ours = entries.filter((entry) => entry.runId === runId).sort(byTurn);
    return ours.map((entry) => {
      const { holder, granted, limitRequest } = entry;
      const others = entries.filter((other) => other.limitRequest.limiter === limitRequest.limiter);
      const waiting = others.filter((other) => !other.granted);
      const ahead = granted ? 0 : waiting.filter((other) => byTurn(other, entry) < 0).length;
      const { name, key, limits, limiter } = limitRequest;
      const openAt = this.tables.limiters.get(limiter)?.openAt ?? null;
      return { holder, name, key, granted, limits, ahead, holding: others.length - waiting.length, openAt };
    });
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byTurn = (a: LimiterEntry, b: LimiterEntry): number =>
  a.turn - b.turn || a.queuedAt - b.queuedAt || compare(a.holder, b.holder);
