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
