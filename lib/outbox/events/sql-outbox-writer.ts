import type { Notifier } from '../../sql/notifier.js';
import type { JoinedTransaction, SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { OutboxOrdering, WrittenEvent } from '../outbox-event.js';
import { OUTBOX_TOPIC } from '../outbox-topic.js';
import type { OutboxTables } from '../sql-outbox-tables.js';
import type { OutboxWriter } from './outbox-writer.js';
import * as mysql from './write-events.mysql.sql.js';
import * as postgres from './write-events.postgres.sql.js';

/**
 * Events in the app's own database. With ordering `commit` they are kept until its transaction commits and written
 * right before that, by one statement: so a lock is held for as short as can be, and after all others were taken.
 */
export class SqlOutboxWriter implements OutboxWriter {
  /** Of transactions whose commit is under way: what its works have added so far. */
  private readonly flushing = new WeakMap<SqlConnection, WrittenEvent[]>();

  constructor(
    private readonly db: SqlExecutor,
    private readonly tables: OutboxTables,
    private readonly notifier: Pick<Notifier, 'local' | 'publish'>,
    private readonly ordering: OutboxOrdering,
  ) {}

  async write(events: readonly WrittenEvent[], transaction?: unknown): Promise<void> {
    const joined = transaction === undefined ? this.db.ambient?.() : this.db.join(transaction);
    if (!joined) return this.writeAlone(events);
    if (events.length === 0) return;
    joined.afterCommit(() => this.announce(events));
    if (this.ordering === 'commit' && joined.beforeCommit?.((tx) => this.flush(tx, events))) return;
    await this.writeNow(joined, events);
  }

  async writeAlone(events: readonly WrittenEvent[]): Promise<void> {
    if (events.length === 0) return;
    // One statement is a transaction too.
    await this.db.run(this.statement(events));
    this.announce(events);
  }

  async writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    if (events.length > 0) await (tx as SqlConnection).run(this.statement(events));
  }

  announce(events: readonly WrittenEvent[]): void {
    const payload = JSON.stringify([...new Set(events.map(({ channel }) => channel))]);
    this.notifier.local(OUTBOX_TOPIC, payload);
    this.notifier.publish(OUTBOX_TOPIC, payload);
  }

  /** Whoever comes first writes for all: the works of a transaction are called at once. */
  private async flush(tx: SqlConnection, events: readonly WrittenEvent[]): Promise<void> {
    const open = this.flushing.get(tx);
    if (open) return void open.push(...events);
    const all = [...events];
    this.flushing.set(tx, all);
    await Promise.resolve();
    this.flushing.delete(tx);
    await tx.run(this.statement(all));
  }

  private async writeNow({ connection }: JoinedTransaction, events: readonly WrittenEvent[]): Promise<void> {
    const { dialect } = this.db;
    const late = this.ordering === 'commit' && dialect.family === 'postgres';
    // The triggers lock when the transaction commits, which is later, and so better, than now.
    await connection.run(late ? postgres.insertEvents(this.tables, events) : this.statement(events));
  }

  private statement(events: readonly WrittenEvent[]) {
    const { dialect } = this.db;
    const locks = this.ordering !== 'none';
    if (dialect.family === 'postgres') return postgres.writeEvents(this.tables, events, locks);
    return (locks ? mysql.insertUnderLocks : mysql.insertEvents)(dialect, this.tables, events);
  }
}
