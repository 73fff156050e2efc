import { type AuditSink, ExternalAuditLog } from '../external-audit-log.js';
import type { EffectStorage } from '../effect-storage.js';
import { InMemoryAuditLog } from './in-memory-audit-log.js';
import { InMemoryEffectClaims } from './in-memory-effect-claims.js';
import { InMemoryEffectInsight } from './in-memory-effect-insight.js';
import { InMemoryEffectRequeue } from './in-memory-effect-requeue.js';
import { InMemoryEffectSettlements } from './in-memory-effect-settlements.js';
import { InMemoryEffectStore, type MemoryTransactions } from './in-memory-effect-store.js';
import type { MemoryEffects } from './memory-effects.js';

export interface InMemoryEffectStorageOptions {
  /** Where audit events go instead of memory. */
  sink?: AuditSink | undefined;
  /** Which transactions may be joined. Default: none; what is enqueued is there at once. */
  transactions?: MemoryTransactions | undefined;
}

export function inMemoryEffectStorage(
  tables: MemoryEffects,
  { sink, transactions }: InMemoryEffectStorageOptions = {},
): EffectStorage {
  const own = new InMemoryAuditLog(tables);
  const auditLog = sink ? new ExternalAuditLog(sink) : own;
  return {
    store: new InMemoryEffectStore(tables, transactions),
    claims: new InMemoryEffectClaims(tables),
    settlements: new InMemoryEffectSettlements(tables, auditLog),
    insight: new InMemoryEffectInsight(tables),
    requeue: new InMemoryEffectRequeue(tables, auditLog),
    audit: own,
  };
}
