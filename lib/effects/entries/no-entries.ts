import { EFFECT_STATUSES, type EffectStatus } from '../effect-entry.js';

/** 0 of each status. */
export const noEntries = (): Record<EffectStatus, number> =>
  Object.fromEntries(EFFECT_STATUSES.map((status) => [status, 0])) as Record<EffectStatus, number>;
