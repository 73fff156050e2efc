import { SqlActLog } from '../../acts/sql-act-log.js';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { type SqlNow, tablesWithPrefix } from '../../sql/tables.js';
import { type AuditSink, ExternalAuditLog } from '../audit-log.js';
import { type AwaitedGroups, NONE_AWAITED } from '../awaited-groups.js';
import type { EffectStorage } from '../effect-storage.js';
import type { EffectTables } from './effect-scope.sql.js';
import { SqlAuditLog } from './sql-audit-log.js';
import { SqlEffectClaims } from './sql-effect-claims.js';
import { SqlEffectErasure } from './sql-effect-erasure.js';
import { SqlEffectInsight } from './sql-effect-insight.js';
import { SqlEffectRemoval } from './sql-effect-removal.js';
import { SqlEffectRequeue, SqlEffectSettlements } from './sql-effect-settlements.js';
import { SqlEffectStory } from './sql-effect-story.js';
import { SqlEffectStore } from './sql-effect-store.js';

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
    acts: new SqlActLog(db, tablesWithPrefix(tables.prefix), now),
  };
}
