import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../audit-log.js';
import type { ClaimedEffect } from '../effect-claims.js';
import type { EffectGroup } from '../effect-entry.js';
import type { EffectRequeue, EffectSettlements, OnCompletion, Settled, Settlement } from '../effect-storage.js';
import { type RequeuedEffect, completedEvent, requeuedEvent, settledEvents } from './audit-events.js';
import { tellDue } from './due-hints.js';
import type { EffectScope } from './effect-scope.sql.js';
import { type GroupRow, countGroup, lockOpen, selectSucceeded, settleEntry } from './settle.sql.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { type Statement, sql } from '../../sql/dialects/statement.js';
import { afterCommit, type Transaction } from '../../protocol/transaction.js';
import type { Notifier } from '../../sql/notifier.js';
import { inTransaction, type SqlExecutor, type SqlTransaction } from '../../sql/sql-executor.js';
import { checkStillStands } from '../../sql/driver-connection.js';

/** Locks in the order of ids, like settlements. */
export const lockAbandoned = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  SELECT entry_id, operation, subject, handler, attempts, last_error FROM ${tables.effects}
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND status = 'abandoned' AND payload_erased = 0
  ORDER BY entry_id FOR UPDATE`;

export const makePending = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  UPDATE ${tables.effects} SET status = 'pending', ready = 1, attempts = 0, last_error = NULL, error = NULL, finished_at = NULL
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
