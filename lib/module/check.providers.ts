import { deployCheck, type DeployCheckPage, deployCheckPage, type Obstacle } from '../engine/check/deploy-check.js';
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

/**
 * The same, a page at a time and one after the other: a replay executes code of the app, in a process that has other work.
 * Undefined where there is no code.
 */
export function checkPages(providers: ReplayProviders): (cursor: string) => Promise<DeployCheckPage | undefined> {
  const { storage, workflows } = providers;
  const { unfinished, store } = storage.engine;
  const parts = replayPartsOf(providers);
  let turn: Promise<unknown> = Promise.resolve();
  return async (cursor) => {
    if (workflows.all().length === 0) return undefined;
    const page = turn.then(() => deployCheckPage({ unfinished, store, workflows }, cursor, parts));
    turn = page.catch(() => undefined);
    return page;
  };
}
