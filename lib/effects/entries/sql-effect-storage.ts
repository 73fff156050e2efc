import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/sql-now.js';
import { type AuditSink, ExternalAuditTrail } from '../external-audit-trail.js';
import type { EffectStorage } from '../effect-storage.js';
import type { EffectTables } from '../sql-effect-tables.js';
import { SqlAuditTrail } from './sql-audit-trail.js';
import { SqlEffectClaims } from './sql-effect-claims.js';
import { SqlEffectInsight } from './sql-effect-insight.js';
import { SqlEffectRequeue } from './sql-effect-requeue.js';
import { SqlEffectSettlements } from './sql-effect-settlements.js';
import { SqlEffectStore } from './sql-effect-store.js';

export interface SqlEffectStorageOptions {
  /** Where audit events go instead of our own table. */
  sink?: AuditSink | undefined;
  /** Default: the database's clock. */
  now?: SqlNow | undefined;
}

export function sqlEffectStorage(
  db: SqlExecutor,
  tables: EffectTables,
  notifier: Pick<Notifier, 'live' | 'subscribe' | 'local' | 'publish'>,
  { sink, now = () => db.dialect.now }: SqlEffectStorageOptions = {},
): EffectStorage {
  const scope = { tables, dialect: db.dialect, now };
  const own = new SqlAuditTrail(db, scope);
  const trail = sink ? new ExternalAuditTrail(sink) : own;
  return {
    store: new SqlEffectStore(db, scope, notifier),
    claims: new SqlEffectClaims(db, scope, notifier),
    settlements: new SqlEffectSettlements(db, scope, trail),
    insight: new SqlEffectInsight(db, scope),
    requeue: new SqlEffectRequeue(db, scope, trail, notifier),
    audit: own,
  };
}
