import { stepIdOf } from '../../protocol/step.js';
import { inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import type { GivingUp, PurgeRuns, RunRemoval } from '../model/run-control.js';
import { NO_ENDINGS } from '../model/run-store.js';
import { isFinal, NOTIFIES } from '../model/run.js';

export class InMemoryRunRemoval implements RunRemoval {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

  delete(ids: readonly string[], givingUp: GivingUp, tx?: Transaction): Promise<string[]> {
    return inMemoryTransaction(tx, (own) => this.tables.exclusively(() => this.deleteAll(ids, givingUp, own)));
  }

  purge(request: PurgeRuns, givingUp: GivingUp): Promise<number> {
    return inMemoryTransaction(undefined, (tx) => this.tables.exclusively(() => this.purgeSome(request, givingUp, tx)));
  }

  private async deleteAll(ids: readonly string[], givingUp: GivingUp, tx: Transaction): Promise<string[]> {
    const going = new Set<string>();
    const next = [...ids];
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      const run = this.tables.runs.get(id);
      if (!run || !isFinal(run.status) || going.has(id)) continue;
      going.add(id);
      next.push(...this.childrenOf(id).map((child) => child.id));
    }
    await this.remove(going, givingUp, tx);
    return [...going];
  }

  private async purgeSome(request: PurgeRuns, givingUp: GivingUp, tx: Transaction): Promise<number> {
    const { namespace, status, olderThanMs, limit } = request;
    const before = this.clock.now() - olderThanMs;
    const ended = [...this.tables.runs.values()]
      .filter((run) => run.namespace === namespace && status.includes(run.status))
      .filter((run) => run.finishedAt !== null && run.finishedAt <= before && !this.isWanted(run))
      .sort((a, b) => a.finishedAt! - b.finishedAt! || (a.id < b.id ? -1 : 1));
    const going = new Set(ended.slice(0, limit).map(({ id }) => id));
    await this.remove(going, givingUp, tx);
    return going.size;
  }

  async tidy(limit: number): Promise<number> {
    const now = this.clock.now();
    const expired = [...this.tables.startKeys].filter(([, { expiresAt }]) => expiresAt !== null && expiresAt <= now);
    for (const [key] of expired.slice(0, limit)) this.tables.startKeys.delete(key);
    return Math.min(limit, expired.length);
  }

  private isWanted({ id, parentId }: HeldRun): boolean {
    const parent = parentId === null ? undefined : this.tables.runs.get(parentId);
    return (parent !== undefined && !isFinal(parent.status)) || (this.tables.dependencies.get(id)?.size ?? 0) > 0;
  }

  private childrenOf(id: string): HeldRun[] {
    return [...this.tables.runs.values()].filter(({ parentId }) => parentId === id);
  }

  private async remove(going: ReadonlySet<string>, givingUp: GivingUp, tx: Transaction): Promise<void> {
    if (going.size === 0) return;
    const open = [...going].flatMap((id) => this.tables.history(id)).filter(({ settled }) => settled === null);
    await givingUp({ ...NO_ENDINGS, withdrawn: open.map(({ runId, seq }) => stepIdOf(runId, seq)) }, tx);
    this.forget(going);
  }

  /** Deletes ended runs whose tasks were withdrawn. */
  forget(going: ReadonlySet<string>): void {
    for (const run of this.tables.runs.values()) {
      if (going.has(run.id) || !going.has(run.parentId ?? '')) continue;
      Object.assign(run, {
        parentId: null,
        parentSeq: null,
        parentClose: null,
        notifies: run.notifies & ~NOTIFIES.parent,
      });
    }
    for (const id of going) this.removeOne(id);
    this.removeSignals(going);
  }

  private removeOne(id: string): void {
    const { runs, steps, attempts, logs, attributes, dependencies, waits, startKeys, limiterEntries } = this.tables;
    // Dependencies on runs that did not complete stay: their waiters must notice that the run is gone.
    if (runs.get(id)?.status === 'completed') dependencies.delete(id);
    for (const byRun of [runs, steps, attempts, logs, attributes]) byRun.delete(id);
    for (const waiting of dependencies.values()) waiting.delete(id);
    for (const [key, { runId }] of waits) if (runId === id) waits.delete(key);
    for (const [key, { runId }] of startKeys) if (runId === id) startKeys.delete(key);
    for (const [key, { runId }] of limiterEntries) if (runId === id) limiterEntries.delete(key);
  }

  private removeSignals(going: ReadonlySet<string>): void {
    const { signals, channels } = this.tables;
    for (let i = signals.length - 1; i >= 0; i--) {
      const { addressed, target, channel } = signals[i]!;
      if (addressed !== 'run' || !going.has(target)) continue;
      channels.delete(channel);
      signals.splice(i, 1);
    }
  }
}
