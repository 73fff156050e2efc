import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { AuditLog } from '../audit-log.js';
import { checkStillStands } from '../../sql/still-stands.js';
import type { ClaimedEffect } from '../effect-claims.js';
import type { EffectGroup } from '../effect-entry.js';
import type { EffectSettlements, OnCompletion, Settled, Settlement } from '../effect-settlements.js';
import { completedEvent, settledEvents } from './audit-events.js';
import type { EffectScope } from './effect-scope.sql.js';
import { countGroup, type GroupRow, lockOpen, selectSucceeded, settleEntry } from './settle.sql.js';

/** Each settlement is a transaction; the audit log is asked last, when nothing else can fail but the commit. */
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

  /** Nothing is recorded of it, so one statement does. */
  private async fail({ claim }: ClaimedEffect, settlement: Settlement): Promise<Settled> {
    return (await this.db.run(settleEntry(this.scope, claim, settlement))).affected > 0 ? 'settled' : 'lost';
  }

  private async end(tx: SqlConnection, claimed: ClaimedEffect, settlement: Settlement): Promise<Settled> {
    const { affected } = await tx.run(settleEntry(this.scope, claimed.claim, settlement));
    if (affected === 0) return 'lost';
    await this.audit.append(settledEvents(claimed, settlement), tx);
    return 'settled';
  }

  private async succeed(
    tx: SqlConnection,
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

  /** Looked at again: one that was enqueued while this waited for its locks is open, and completes the group itself. */
  private async entriesOfComplete(tx: SqlConnection, claimed: ClaimedEffect): Promise<number | undefined> {
    const { rows } = await tx.run<GroupRow>(countGroup(this.scope, claimed));
    return Number(rows[0]?.open) === 0 ? Number(rows[0]?.entries) : undefined;
  }
}

const groupOf = ({ operation, subject }: ClaimedEffect): EffectGroup => ({ operation, subject });
