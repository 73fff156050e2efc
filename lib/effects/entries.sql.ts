import { randomUUID } from 'node:crypto';
import { SqlActLog } from '../acts/acts.sql.js';
import { afterCommit, type Transaction } from '../core/transaction.js';
import { amongKeys } from '../sql/dialects.js';
import {
  checkStillStands,
  inTransaction,
  type SqlConnection,
  type SqlExecutor,
  type SqlTransaction,
  sqlTransaction,
} from '../sql/executor.js';
import type { Notifier } from '../sql/notifier.js';
import { id, int, raw, sql, type Statement } from '../sql/statement.js';
import { inPackets, nowOf, SqlAdapter, type SqlNow, tablesWithPrefix } from '../sql/tables.js';
import { SqlEffectClaims } from './claims.sql.js';
import {
  type AuditEvent,
  type AuditLog,
  type AuditPage,
  type AuditReader,
  type AuditSink,
  type AwaitedGroups,
  type ClaimedEffect,
  completedEvent,
  type EffectGroup,
  type EffectRequeue,
  type EffectSettlements,
  type EffectStorage,
  type EffectStore,
  ExternalAuditLog,
  knownType,
  type NewEffect,
  NONE_AWAITED,
  type OnCompletion,
  type RecordedAuditEvent,
  type RequeuedEffect,
  requeuedEvent,
  type Settled,
  settledEvents,
  type Settlement,
  tellDue,
} from './entries.js';
import { SqlEffectErasure, SqlEffectInsight, SqlEffectRemoval, SqlEffectStory } from './insight.sql.js';
import {
  countGroup,
  type EffectScope,
  type EffectTables,
  type GroupRow,
  lockOpen,
  selectSucceeded,
  settleEntry,
} from './tables.sql.js';

export interface SqlEffectStorageOptions {
  /** The app's own audit sink, used instead of our table. */
  sink?: AuditSink | undefined;
  /** Default: the database's clock. */
  now?: SqlNow | undefined;
  /** Default: no runs wait for calls. */
  awaited?: AwaitedGroups | undefined;
}

export function sqlEffectStorage(
  db: SqlExecutor,
  tables: EffectTables,
  notifier: Pick<Notifier, 'live' | 'subscribe' | 'local' | 'publish'>,
  { sink, now = () => db.dialect.now, awaited = NONE_AWAITED }: SqlEffectStorageOptions = {},
): EffectStorage {
  const scope = { tables, dialect: db.dialect, now };
  const own = new SqlAuditLog(db, scope);
  const auditLog = sink ? new ExternalAuditLog(sink) : own;
  return {
    store: new SqlEffectStore(db, scope, notifier),
    claims: new SqlEffectClaims(db, scope, notifier),
    settlements: new SqlEffectSettlements(db, scope, auditLog),
    insight: new SqlEffectInsight(db, scope),
    story: new SqlEffectStory(db, scope),
    requeue: new SqlEffectRequeue(db, scope, auditLog, notifier),
    removal: new SqlEffectRemoval(db, scope, awaited),
    erasure: new SqlEffectErasure(db, scope, awaited),
    audit: own,
    acts: new SqlActLog(db, tablesWithPrefix(tables.prefix, tables.home), now),
  };
}

const COLUMNS = {
  ...({ entry_id: 'key', operation: 'text', subject: 'text', handler: 'text', ref: 'text', payload: 'text' } as const),
  ...({ run_id: 'key', trace: 'text' } as const),
};

export function insertEffects(scope: EffectScope, effects: readonly NewEffect[]): Statement {
  const { tables, dialect } = scope;
  const rows = effects.map(({ entryId, runId, ...effect }) => ({ entry_id: entryId, ...effect, run_id: runId }));
  return sql`
  INSERT INTO ${tables.effects} (entry_id, operation, subject, handler, ref, payload, run_id, trace, enqueued_at)
  SELECT g.entry_id, g.operation, g.subject, g.handler, g.ref, g.payload, g.run_id, g.trace, (SELECT ${nowOf(scope)})
  FROM ${dialect.rows(rows, COLUMNS)} AS g`;
}

/** Stores calls in the app's own database. */
export class SqlEffectStore implements EffectStore {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly notifier: Pick<Notifier, 'local' | 'publish'>,
  ) {}

  async enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void> {
    if (effects.length === 0) return;
    const joined = transaction === undefined ? this.db.ambient?.() : this.db.join(transaction);
    if (joined) return this.writeIn(joined, effects);
    await this.alone(packetsOf(effects));
    tellDue(this.notifier, effects);
  }

  writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void> {
    tx.afterCommit(() => tellDue(this.notifier, effects));
    return this.insert(sqlTransaction(tx), packetsOf(effects));
  }

  private async alone(packets: readonly NewEffect[][]): Promise<void> {
    // A single statement is a transaction too.
    if (packets.length === 1) return this.insert(this.db, packets);
    await this.db.transaction((tx) => this.insert(tx, packets));
  }

  private async insert(connection: SqlConnection, packets: readonly NewEffect[][]): Promise<void> {
    for (const packet of packets) await connection.run(insertEffects(this.scope, packet));
  }
}

const packetsOf = (effects: readonly NewEffect[]): NewEffect[][] =>
  inPackets(effects, ({ entryId, operation, subject, handler, ref, payload }) => [
    entryId,
    operation,
    subject,
    handler,
    ref,
    payload,
  ]);

/** Locks in the order of ids, like settlements. */
export const lockAbandoned = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  SELECT entry_id, operation, subject, handler, attempts, last_error FROM ${tables.effects} ${dialect.forceIndex()}
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND status = 'abandoned' AND payload_erased = 0
  ORDER BY entry_id FOR UPDATE`;

export const makePending = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  UPDATE ${tables.effects} ${dialect.forceIndex()} SET status = 'pending', ready = 1, attempts = 0, last_error = NULL, error = NULL, finished_at = NULL
  WHERE entry_id ${amongKeys(dialect, entryIds)}`;

interface AbandonedRow {
  entry_id: string;
  operation: string;
  subject: string;
  handler: string;
  attempts: number | string;
  last_error: string | null;
}

/** The maximum number of ids per statement. */
const MOST_IDS = 1_000;
const ENTRY_ID = /^[\da-f-]{36}$/;

/** Requeues all entries in one transaction, locked in the order of ids. */
export class SqlEffectRequeue implements EffectRequeue {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly audit: AuditLog,
    private readonly notifier: Pick<Notifier, 'local' | 'publish'>,
  ) {}

  async requeue(entryIds: readonly string[], given?: Transaction): Promise<string[]> {
    const ids = [...new Set(entryIds)].filter((id) => ENTRY_ID.test(id)).sort();
    if (ids.length === 0) return [];
    const requeueId = randomUUID();
    const requeued = await inTransaction(this.db, given, (tx) => this.requeueAll(tx, ids, requeueId));
    afterCommit(given, () => tellDue(this.notifier, requeued));
    return requeued.map(({ entryId }) => entryId);
  }

  private async requeueAll(tx: SqlTransaction, ids: readonly string[], requeueId: string): Promise<RequeuedEffect[]> {
    const found: RequeuedEffect[] = [];
    for (let from = 0; from < ids.length; from += MOST_IDS) {
      const { rows } = await tx.run<AbandonedRow>(lockAbandoned(this.scope, ids.slice(from, from + MOST_IDS)));
      found.push(...rows.map(effectOf));
      if (rows.length > 0)
        await tx.run(
          makePending(
            this.scope,
            rows.map(({ entry_id: id }) => id),
          ),
        );
    }
    const events = found.map((effect) => requeuedEvent(effect, requeueId));
    if (events.length > 0) await this.audit.append(events, tx);
    return found;
  }
}

const effectOf = (row: AbandonedRow): RequeuedEffect => ({
  entryId: row.entry_id,
  operation: row.operation,
  subject: row.subject,
  handler: row.handler,
  attempts: Number(row.attempts),
  lastError: row.last_error,
});

/** Settles each entry in a transaction. The audit log comes last, when only the commit can still fail. */
export class SqlEffectSettlements implements EffectSettlements {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly audit: AuditLog,
  ) {}

  async settle(claimed: ClaimedEffect, settlement: Settlement, onCompletion?: OnCompletion): Promise<Settled> {
    if (settlement.status === 'failed') return this.fail(claimed, settlement);
    if (settlement.status !== 'succeeded') return this.db.transaction((tx) => this.end(tx, claimed, settlement));
    if (!onCompletion) return this.db.transaction((tx) => this.succeed(tx, claimed, settlement));
    return this.db.ormTransaction((handle, tx) =>
      this.succeed(tx, claimed, settlement, () => onCompletion(groupOf(claimed), handle, tx)),
    );
  }

  /** A failure has no audit event, so one statement is enough. */
  private async fail({ claim }: ClaimedEffect, settlement: Settlement): Promise<Settled> {
    return (await this.db.run(settleEntry(this.scope, claim, settlement))).affected > 0 ? 'settled' : 'lost';
  }

  private async end(tx: SqlTransaction, claimed: ClaimedEffect, settlement: Settlement): Promise<Settled> {
    const { affected } = await tx.run(settleEntry(this.scope, claimed.claim, settlement));
    if (affected === 0) return 'lost';
    await this.audit.append(settledEvents(claimed, settlement), tx);
    return 'settled';
  }

  private async succeed(
    tx: SqlTransaction,
    claimed: ClaimedEffect,
    settlement: Settlement,
    complete?: () => Promise<void>,
  ): Promise<Settled> {
    const { claim } = claimed;
    const { rows: open } = await tx.run<{ entry_id: string }>(lockOpen(this.scope, claimed));
    const { affected } = await tx.run(settleEntry(this.scope, claim, settlement));
    if (affected === 0) return 'lost';
    const events = settledEvents(claimed, settlement);
    const isLast = open.every(({ entry_id: id }) => id === claim.entryId);
    const entries = isLast ? await this.entriesOfComplete(tx, claimed) : undefined;
    if (entries !== undefined) {
      if (complete) await complete().then(() => checkStillStands(tx, selectSucceeded(this.scope, claim)));
      events.push(completedEvent(claimed, entries, claim.entryId));
    }
    await this.audit.append(events, tx);
    return entries === undefined ? 'settled' : 'completed';
  }

  /** Counts again: an entry that was enqueued during the wait for locks is open and completes the group itself. */
  private async entriesOfComplete(tx: SqlTransaction, claimed: ClaimedEffect): Promise<number | undefined> {
    const { rows } = await tx.run<GroupRow>(countGroup(this.scope, claimed));
    return Number(rows[0]?.open) === 0 ? Number(rows[0]?.entries) : undefined;
  }
}

const groupOf = ({ operation, subject }: ClaimedEffect): EffectGroup => ({ operation, subject });

const AUDIT_COLUMNS = {
  ...({ event_id: 'text', type: 'text', operation: 'text', subject: 'text', entry_id: 'text' } as const),
  ...({ handler: 'text', details: 'text', ordinal: 'int' } as const),
};
const NAMES = raw('event_id, type, operation, subject, entry_id, handler, details');

/** Inserts events in the given order. */
export function insertEvents(scope: EffectScope, events: readonly AuditEvent[]): Statement {
  const { tables, dialect } = scope;
  const rows = events.map(({ eventId, entryId, details, ...event }, ordinal) => ({
    ...event,
    event_id: eventId,
    entry_id: entryId,
    details: JSON.stringify(details),
    ordinal,
  }));
  return sql`
  INSERT INTO ${tables.audit} (${NAMES}, recorded_at)
  SELECT ${NAMES}, ${nowOf(scope)} FROM ${dialect.rows(rows, AUDIT_COLUMNS)} AS g ORDER BY g.ordinal`;
}

/** A page begins after an event; if that was purged, with the oldest one that is there. */
export const selectEvents = (
  { tables }: EffectScope,
  { operation, subject }: EffectGroup,
  page?: AuditPage,
): Statement => sql`
  SELECT ${NAMES}, recorded_at FROM ${tables.audit}
  WHERE operation = ${operation} AND subject = ${subject}
  ${page?.after === undefined ? raw('') : sql`AND ${id('id')} > COALESCE((SELECT a.id FROM ${tables.audit} AS a WHERE a.event_id = ${page.after}), 0)`}
  ORDER BY ${id('id')} ${page ? sql`LIMIT ${int(page.limit)}` : raw('')}`;

interface EventRow {
  event_id: string;
  type: string;
  operation: string;
  subject: string;
  entry_id: string | null;
  handler: string | null;
  details: string;
  recorded_at: number | string;
}

/** Stores events next to the entries, in the transaction that changes them: exactly once. */
export class SqlAuditLog extends SqlAdapter<EffectScope> implements AuditLog, AuditReader {
  async append(events: readonly AuditEvent[], tx: Transaction): Promise<void> {
    if (events.length > 0) await sqlTransaction(tx).run(insertEvents(this.scope, events));
  }

  async read(group: EffectGroup, page?: AuditPage): Promise<RecordedAuditEvent[]> {
    const { rows } = await this.db.run<EventRow>(selectEvents(this.scope, group, page));
    return rows.map((row) => ({
      eventId: row.event_id,
      type: knownType(row.type),
      operation: row.operation,
      subject: row.subject,
      entryId: row.entry_id,
      handler: row.handler,
      details: JSON.parse(row.details) as RecordedAuditEvent['details'],
      recordedAt: new Date(Number(row.recorded_at)),
    }));
  }
}
