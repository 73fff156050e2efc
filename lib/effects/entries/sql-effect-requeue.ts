import { randomUUID } from 'node:crypto';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { AuditLog } from '../audit-log.js';
import type { EffectRequeue } from '../effect-requeue.js';
import { announceDue } from './announce-due.js';
import { type RequeuedEffect, requeuedEvent } from './audit-events.js';
import type { EffectScope } from './effect-scope.sql.js';
import { lockAbandoned, makePending } from './requeue.sql.js';

interface AbandonedRow {
  entry_id: string;
  operation: string;
  subject: string;
  handler: string;
  attempts: number | string;
  last_error: string | null;
}

/** What one statement asks for. */
const MOST_IDS = 1_000;
const ENTRY_ID = /^[\da-f-]{36}$/;

/** All in one transaction, locked in the order of ids. */
export class SqlEffectRequeue implements EffectRequeue {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly audit: AuditLog,
    private readonly notifier: Pick<Notifier, 'local' | 'publish'>,
  ) {}

  async requeue(entryIds: readonly string[]): Promise<string[]> {
    const ids = [...new Set(entryIds)].filter((id) => ENTRY_ID.test(id)).sort();
    if (ids.length === 0) return [];
    const requeueId = randomUUID();
    const requeued = await this.db.transaction((tx) => this.requeueAll(tx, ids, requeueId));
    if (requeued.length > 0) announceDue(this.notifier, [...new Set(requeued.map(({ handler }) => handler))]);
    return requeued.map(({ entryId }) => entryId);
  }

  private async requeueAll(tx: SqlConnection, ids: readonly string[], requeueId: string): Promise<RequeuedEffect[]> {
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
