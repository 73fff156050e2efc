import type { StorageMethods } from '../protocol/port-methods.js';
import type { AuditReader } from './audit-log.js';
import type { EffectClaims } from './effect-claims.js';
import type { EffectInsight } from './effect-insight.js';
import type { EffectRequeue } from './effect-requeue.js';
import type { EffectSettlements } from './effect-settlements.js';
import type { EffectStore } from './effect-store.js';

/** Every port of effects. */
export interface EffectStorage {
  readonly store: EffectStore;
  readonly claims: EffectClaims;
  readonly settlements: EffectSettlements;
  readonly insight: EffectInsight;
  readonly requeue: EffectRequeue;
  /** Of what the same storage keeps; empty where events go to a sink of the app's. */
  readonly audit: AuditReader;
}

/** What each method of these does to what is stored. */
export const EFFECT_METHODS: StorageMethods<EffectStorage> = {
  store: { enqueue: 'writes', writeIn: 'writes', announce: 'tells' },
  claims: { claim: 'finds', extend: 'lives', release: 'writes', onDue: 'tells' },
  settlements: { settle: 'writes' },
  insight: {
    statusCounts: 'reads',
    listAbandoned: 'reads',
    listScheduled: 'reads',
    unclaimed: 'reads',
    isComplete: 'reads',
  },
  requeue: { requeue: 'writes' },
  audit: { read: 'reads' },
};
