import { afterCommit, inMemoryTransaction, type Transaction } from '../core/transaction.js';
import { InMemoryAdapter } from './tables.memory.js';
import { isFinal } from './run.js';
import {
  changesPlans,
  type ListedSchedule,
  type ListSchedules,
  type LockedSchedule,
  type LookAtSchedules,
  type MakeSchedules,
  type RewriteSchedules,
  type ScheduleChoice,
  type ScheduleRecord,
  type ScheduleStore,
  type ScheduleView,
} from './schedules.js';

/** Schedules in a map; changes run one at a time. */
export class InMemoryScheduleStore extends InMemoryAdapter implements ScheduleStore {
  private readonly listeners = new Set<() => void>();
  private changing: Promise<unknown> = Promise.resolve();

  async insert(make: MakeSchedules, tx?: Transaction): Promise<number> {
    const free = (await make(this.clock.now())).filter((schedule) => !this.tables.schedules.has(keyOf(schedule)));
    for (const schedule of free) this.put(schedule);
    if (free.length > 0) afterCommit(tx, this.tell);
    return free.length;
  }

  async list({ namespace, ids, workflows, declared, afterId, limit }: ListSchedules): Promise<ListedSchedule[]> {
    return [...this.tables.schedules.values()]
      .filter((schedule) => schedule.namespace === namespace && (!ids || ids.includes(schedule.id)))
      .filter((schedule) => (!workflows || workflows.includes(schedule.workflow)) && (!declared || schedule.declared))
      .filter(({ id }) => afterId === undefined || id > afterId)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map((schedule) => ({ ...schedule, lastStatus: this.statusOf(schedule) }));
  }

  async late(namespace: string, olderThanMs: number, limit: number): Promise<ScheduleRecord[]> {
    const before = this.clock.now() - olderThanMs;
    const due = ({ nextAt }: ScheduleRecord) => nextAt ?? Number.POSITIVE_INFINITY;
    return [...this.tables.schedules.values()]
      .filter((schedule) => schedule.namespace === namespace && !schedule.paused && due(schedule) <= before)
      .sort((a, b) => due(a) - due(b) || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map((schedule) => ({ ...schedule }));
  }

  async remove(namespace: string, ids: readonly string[], tx?: Transaction): Promise<number> {
    const { length } = ids.filter((id) => this.tables.schedules.delete(keyOf({ namespace, id })));
    if (length > 0) afterCommit(tx, this.tell);
    return length;
  }

  change(which: ScheduleChoice, rewrite: RewriteSchedules, tx?: Transaction): Promise<number> {
    return inMemoryTransaction(tx, (own) => {
      const changed = this.changing.then(() => this.changeIn(own, which, rewrite));
      this.changing = changed.catch(() => undefined);
      return changed;
    });
  }

  private async changeIn(tx: Transaction, which: ScheduleChoice, rewrite: RewriteSchedules): Promise<number> {
    const now = this.clock.now();
    const locked = this.chosen(which, now);
    if (locked.length === 0) return 0;
    const changed = await rewrite(locked, now, tx);
    for (const schedule of changed) if (this.tables.schedules.has(keyOf(schedule))) this.put(schedule);
    if (changesPlans(locked, changed)) tx.afterCommit(this.tell);
    return locked.length;
  }

  async look({ namespace, workflows, except }: LookAtSchedules): Promise<ScheduleView> {
    const ours = [...this.tables.schedules.values()].filter(
      (schedule) =>
        schedule.namespace === namespace && workflows.includes(schedule.workflow) && !except.includes(schedule.id),
    );
    const times = ours.flatMap(({ nextAt }) => nextAt ?? []);
    return {
      at: times.length > 0 ? Math.min(...times) : null,
      buffered: ours
        .filter(({ bufferedAt }) => bufferedAt !== null)
        .map((schedule) => ({ id: schedule.id, runId: schedule.lastRunId, over: this.isOver(schedule) })),
    };
  }

  private readonly tell = (): void => {
    for (const listener of this.listeners) listener();
  };

  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private chosen(which: ScheduleChoice, now: number): LockedSchedule[] {
    const all = [...this.tables.schedules.values()].filter(({ namespace }) => namespace === which.namespace);
    const chosen =
      'ids' in which
        ? all.filter(({ id }) => which.ids.includes(id))
        : all
            .filter(({ id, workflow }) => which.due.workflows.includes(workflow) && !which.due.except.includes(id))
            .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
            .sort((a, b) => Number(a.nextAt) - Number(b.nextAt))
            .slice(0, which.due.limit);
    return chosen.map((schedule) => ({ ...schedule, lastStatus: this.statusOf(schedule) }));
  }

  private statusOf({ lastRunId }: ScheduleRecord) {
    return (lastRunId !== null && this.tables.runs.get(lastRunId)?.status) || null;
  }

  private isOver(schedule: ScheduleRecord): boolean {
    const status = this.statusOf(schedule);
    return status === null || isFinal(status);
  }

  private put(schedule: ScheduleRecord): void {
    const { lastStatus: _, ...record } = schedule as LockedSchedule;
    this.tables.schedules.set(keyOf(record), record);
  }
}

const keyOf = ({ namespace, id }: { namespace: string; id: string }): string => `${namespace}\n${id}`;
