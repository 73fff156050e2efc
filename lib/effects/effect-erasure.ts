import type { EffectGroup } from './effect-entry.js';

/** The calls of these runs, or of these groups. */
export type WhoseEffects = { readonly runIds: readonly string[] } | { readonly groups: readonly EffectGroup[] };

export interface EraseEffects {
  readonly whose: WhoseEffects;
  /** Abandoned calls too: then nobody can requeue them. */
  readonly discards: boolean;
  /** The most calls that one transaction looks at. */
  readonly limit: number;
  /** Only calls with a greater id: the `next` of the previous page. */
  readonly after?: string;
}

export interface ErasedEffects {
  readonly effects: number;
  readonly auditEvents: number;
  /** Where the next page begins; without it at the end. */
  readonly next?: string;
}

/** A call that may still be made. */
export interface KeptEffect {
  readonly entryId: string;
  readonly handler: string;
  /** The run that enqueued it; null for a call of the app. */
  readonly runId: string | null;
  readonly isAbandoned: boolean;
}

/** Removes what calls hold about a person. Nothing that is still to be called is touched. */
export interface EffectErasure {
  /**
   * Erases up to `limit` ended calls: subject, ref, payload and error, and in our audit log subject and details. Counts,
   * handlers, times and outcomes stay. An erased call cannot be requeued, so abandoned ones stay while a run waits for
   * their operation. One transaction.
   */
  erase(request: EraseEffects): Promise<ErasedEffects>;
  /** The first calls that `erase` keeps. */
  kept(request: EraseEffects): Promise<KeptEffect[]>;
}
