import type { EffectRemoval, EndedCursor, PurgeEnded } from '../effects/effect-storage.js';
import type { Purging } from '../engine/endings/retention.js';
import type { RetentionSettings } from './retention-options.js';
import type { Storage } from './storage.providers.js';

/** What retention deletes outside of the engine: samples, and what the app has turned on and limited. */
export function purgesOfSlices(
  { effectsMs, abandonedEffectsMs, effectAuditMs, deadLettersMs, actsMs, samplesMs }: RetentionSettings,
  { engine: { acts, samples }, effects, outbox }: Pick<Storage, 'engine' | 'effects' | 'outbox'>,
): Purging[] {
  const removal = effects?.removal;
  const letters = outbox?.relay.deadLetterRemoval;
  return [
    ...purging('effects', effectsMs, removal && pages(removal, 'succeeded')),
    ...purging('abandoned-effects', abandonedEffectsMs, removal && pages(removal, 'abandoned')),
    ...purging('effect-audit', effectAuditMs, removal && ((ms, limit) => removal.purgeAudit(ms, limit))),
    ...purging('samples', samplesMs, (ms, limit) => samples.purge(ms, limit)),
    ...purging('acts', actsMs, (ms, limit) => acts.purge(ms, limit)),
    ...purging('dead-letters', deadLettersMs, letters && ((ms, limit) => letters.purge(ms, limit))),
  ];
}

function purging(
  what: string,
  keptMs: number | null,
  purge: ((olderThanMs: number, limit: number) => Promise<number>) | undefined,
): Purging[] {
  if (keptMs === null || !purge) return [];
  return [{ what, purge: (limit) => purge(keptMs, limit) }];
}

/** Goes on where the last call ended: calls that runs wait for stay, and must not hide those after them. */
function pages(removal: EffectRemoval, status: PurgeEnded['status']) {
  let after: EndedCursor | undefined;
  return async (olderThanMs: number, limit: number): Promise<number> => {
    const { purged, next } = await removal.purge({ status, olderThanMs, limit }, after);
    after = next;
    return purged;
  };
}
