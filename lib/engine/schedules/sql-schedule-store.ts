import { afterCommit, type Transaction } from '../../protocol/transaction.js';
import type { Notifier } from '../../sql/notifier.js';
import { connectionOf, inTransaction, type SqlConnection, type SqlExecutor } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import { isFinal, type RunStatus } from '../model/run.js';
import * as schedules from './schedule.sql.js';
import {
  changesPlans,
  type ListSchedules,
  type LookAtSchedules,
  type MakeSchedules,
  type RewriteSchedules,
  type ScheduleChoice,
  type ScheduleRecord,
  type ScheduleStore,
  type ScheduleView,
} from '../model/schedule-store.js';

const TOPIC = 'schedules';

export class SqlScheduleStore implements ScheduleStore {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async insert(make: MakeSchedules, tx?: Transaction): Promise<number> {
    const connection = connectionOf(this.db, tx);
    const { rows } = await connection.run<{ now: number | string }>(schedules.selectClock(this.scope));
    const made = await make(Number(rows[0]?.now));
    if (made.length === 0) return 0;
    const { affected } = await connection.run(schedules.insertSchedules(this.scope, made));
    if (affected > 0) afterCommit(tx, this.tell);
    return affected;
  }

  async list(query: ListSchedules): Promise<ScheduleRecord[]> {
    const { rows } = await this.db.run<schedules.ScheduleRow>(schedules.listSchedules(this.scope, query));
    return rows.map(schedules.scheduleOf);
  }

  async late(namespace: string, olderThanMs: number, limit: number): Promise<ScheduleRecord[]> {
    const late = schedules.selectLate(this.scope, namespace, olderThanMs, limit);
    return (await this.db.run<schedules.ScheduleRow>(late)).rows.map(schedules.scheduleOf);
  }

  async remove(namespace: string, ids: readonly string[], tx?: Transaction): Promise<number> {
    if (ids.length === 0) return 0;
    const { affected } = await connectionOf(this.db, tx).run(schedules.deleteSchedules(this.scope, namespace, ids));
    if (affected > 0) afterCommit(tx, this.tell);
    return affected;
  }

  change(which: ScheduleChoice, rewrite: RewriteSchedules, tx?: Transaction): Promise<number> {
    return inTransaction(this.db, tx, async (connection) => {
      const lock = schedules.lockSchedules(this.scope, which);
      const { rows } = await connection.run<schedules.ScheduleRow & { now: number | string }>(lock);
      if (rows.length === 0) return 0;
      const statuses = await this.statusesOf(connection, rows);
      const locked = rows.map((row) => ({
        ...schedules.scheduleOf(row),
        lastStatus: statuses.get(row.last_run_id ?? '') ?? null,
      }));
      const changed = await rewrite(locked, Number(rows[0]?.now), connection);
      if (changed.length > 0) await connection.run(schedules.updateSchedules(this.scope, changed));
      if (changesPlans(locked, changed)) connection.afterCommit(this.tell);
      return rows.length;
    });
  }

  async look(what: LookAtSchedules): Promise<ScheduleView> {
    const { rows } = await this.db.run<schedules.LookedAtRow>(schedules.lookAtSchedules(this.scope, what));
    const times = rows.flatMap(({ next_at }) => (next_at === null ? [] : [Number(next_at)]));
    const buffered = new Map(rows.filter(({ buffered_at }) => buffered_at !== null).map((row) => [row.id, row]));
    return {
      at: times.length > 0 ? Math.min(...times) : null,
      buffered: [...buffered.values()].map(({ id, last_run_id, last_status }) => ({
        id,
        runId: last_run_id,
        over: last_status === null || isFinal(last_status),
      })),
    };
  }

  private readonly tell = (): void => {
    this.notifier.local(TOPIC, '{}');
    this.notifier.publish(TOPIC, '{}');
  };

  onChanged(listener: () => void): () => void {
    return this.notifier.subscribe(TOPIC, () => listener());
  }

  /** Read after the schedules are locked, so that their last runs do not change until they are written. */
  private async statusesOf(
    connection: SqlConnection,
    rows: readonly schedules.ScheduleRow[],
  ): Promise<Map<string, RunStatus>> {
    const ids = rows.flatMap(({ last_run_id }) => last_run_id ?? []);
    if (ids.length === 0) return new Map();
    const found = await connection.run<{ id: string; status: RunStatus }>(schedules.selectStatuses(this.scope, ids));
    return new Map(found.rows.map(({ id, status }) => [id, status]));
  }
}
