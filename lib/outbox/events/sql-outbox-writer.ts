import { byFamily } from '../../sql/dialects/dialect.js';
import { inPackets } from '../../sql/in-packets.js';
import type { Notifier } from '../../sql/notifier.js';
import {
  type JoinedTransaction,
  type SqlConnection,
  type SqlExecutor,
  sqlTransaction,
} from '../../sql/sql-executor.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Statement } from '../../sql/dialects/statement.js';
import { OUTBOX_TOPIC, type OutboxOrdering, type WrittenEvent } from '../model/outbox-event.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import type { OutboxWriter } from './outbox-writer.js';
import * as mysql from './write-events.mysql.sql.js';
import * as postgres from './write-events.postgres.sql.js';

/**
 * Stores events in the app's own database. With ordering `commit`, events are collected and written right before the
 * transaction commits, in one statement if they fit: so locks are held briefly, and acquired after all other locks.
 */
export class SqlOutboxWriter implements OutboxWriter {
  /** For transactions that are committing: the events that their works have added so far. */
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
    if (events.length > 0) await this.writeWith(joined, events);
  }

  async writeWith(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    const joined: JoinedTransaction = sqlTransaction(tx);
    joined.afterCommit(() => this.tell(events));
    if (this.ordering === 'commit' && joined.beforeCommit?.((last) => this.flush(last, events))) return;
    await this.writeNow(joined, events);
  }

  async writeAlone(events: readonly WrittenEvent[]): Promise<void> {
    if (events.length === 0) return;
    const statements = this.statements(events);
    // A single statement is a transaction too.
    if (statements.length === 1) await runAll(this.db, statements);
    else await this.db.transaction((tx) => runAll(tx, statements));
    this.tell(events);
  }

  async writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    if (events.length === 0) return;
    tx.afterCommit(() => this.tell(events));
    await runAll(sqlTransaction(tx), this.statements(events));
  }

  private tell(events: readonly WrittenEvent[]): void {
    this.wake([...new Set(events.map(({ channel }) => channel))]);
  }

  wake(channels: readonly string[]): void {
    const payload = JSON.stringify(channels);
    this.notifier.local(OUTBOX_TOPIC, payload);
    this.notifier.publish(OUTBOX_TOPIC, payload);
  }

  /** The first call writes for all: the works of a transaction are called together. */
  private async flush(tx: SqlConnection, events: readonly WrittenEvent[]): Promise<void> {
    const open = this.flushing.get(tx);
    if (open) {
      // One by one: spread arguments go on the stack, which overflows with a hundred thousand.
      for (const event of events) open.push(event);
      return;
    }
    const all = [...events];
    this.flushing.set(tx, all);
    await Promise.resolve();
    this.flushing.delete(tx);
    await runAll(tx, this.statements(all));
  }

  private async writeNow(connection: SqlConnection, events: readonly WrittenEvent[]): Promise<void> {
    const atOnce = () => this.statements(events);
    const statements = byFamily(connection.dialect, {
      // The triggers lock at commit, which is later than now and therefore better.
      postgres: () => (this.ordering === 'commit' ? [postgres.insertEvents(this.tables, events)] : atOnce()),
      mysql: atOnce,
    });
    await runAll(connection, statements);
  }

  /** The statements to run in this order in one transaction. */
  private statements(events: readonly WrittenEvent[]): Statement[] {
    const { dialect } = this.db;
    const locks = this.ordering !== 'none';
    return byFamily(dialect, {
      // PostgreSQL accepts 1 GB per value; a JavaScript string ends at half of that.
      postgres: () => [postgres.writeEvents(this.tables, events, locks)],
      mysql: () =>
        packetsOf(events).map((packet, ordinal) =>
          // The first packet locks for all packets: otherwise two writers could deadlock.
          locks && ordinal === 0
            ? mysql.insertUnderLocks(dialect, this.tables, packet, events)
            : mysql.insertEvents(dialect, this.tables, packet),
        ),
    });
  }
}

async function runAll(connection: SqlConnection, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await connection.run(statement);
}

const packetsOf = (events: readonly WrittenEvent[]): WrittenEvent[][] =>
  inPackets(events, ({ mutationId, channel, name, data, headers }) => [mutationId, channel, name, data, headers]);
