import type { DurableSettings } from './durable-options.js';
import { callsOf, eventsOf } from './outgoing-of-steps.js';
import type { OperationRules } from '../effects/checked-operation.js';
import { resolve } from './engine.providers.js';
import { deployCheck, type Obstacle } from '../engine/check/deploy-check.js';
import type { RemoteStepDirectory } from '../engine/model/remote-step-directory.js';
import type { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import type { Storage } from './storage.providers.js';

export interface CheckProviders {
  settings: DurableSettings;
  storage: Storage;
  workflows: WorkflowRegistry;
  remoteSteps: RemoteStepDirectory;
  /** The rules for calls of `ctx.effects`. */
  effectRules: OperationRules;
}

/** Replays the unfinished runs of this app's storage against this app's code. */
export async function* checkRuns(
  { settings, storage, workflows, remoteSteps, effectRules }: CheckProviders,
  { namespace = settings.namespace, limit }: { namespace?: string; limit?: number },
): AsyncGenerator<Obstacle | undefined> {
  const { codec, retry, limits } = settings;
  const { clock, engine, outbox, effects } = storage;
  await storage.prepare();
  const lookup = (workflow: Parameters<typeof resolve>[0]) => resolve(workflow, workflows);
  yield* deployCheck(
    { unfinished: engine.unfinished, store: engine.store, workflows },
    {
      codec,
      clock,
      namespace,
      remoteSteps,
      lookup,
      retry,
      limits,
      ...eventsOf(outbox, limits),
      ...callsOf(effects, effectRules, clock),
      ...(limit !== undefined && { limit }),
    },
  );
}
