import { deployCheck, type Obstacle } from '../engine/check/deploy-check.js';
import { type ReplayProviders, replayPartsOf } from './replay.providers.js';

/** Replays the unfinished runs of this app's storage against this app's code. */
export async function* checkRuns(
  providers: ReplayProviders,
  { namespace = providers.settings.namespace, limit }: { namespace?: string; limit?: number },
): AsyncGenerator<Obstacle | undefined> {
  const { storage, workflows } = providers;
  const { engine } = storage;
  await storage.prepare(new Set());
  yield* deployCheck(
    { unfinished: engine.unfinished, store: engine.store, workflows },
    { ...replayPartsOf(providers), namespace, ...(limit !== undefined && { limit }) },
  );
}
