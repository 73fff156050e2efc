import type { DurableSettings } from './durable-options.js';
import { callsOf, eventsOf } from './outgoing-of-steps.js';
import { resolve } from './engine.providers.js';
import type { OperationRules } from '../effects/checked-operation.js';
import type { RecomputeInputs } from '../engine/insight/recorded-history.js';
import type { RemoteStepDirectory } from '../engine/model/remote-step-directory.js';
import type { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import { askedInputs } from '../engine/play/asked-inputs.js';
import type { ReplayCheckParts } from '../engine/play/replay-check.js';
import { eventLimits } from './outbox-options.js';
import type { Storage } from './storage.providers.js';

export interface ReplayProviders {
  settings: DurableSettings;
  storage: Storage;
  workflows: WorkflowRegistry;
  remoteSteps: RemoteStepDirectory;
  /** The rules for calls of `ctx.effects`. */
  effectRules: OperationRules;
}

/** What a replay of this app's runs with this app's code needs. */
export function replayPartsOf(providers: ReplayProviders): ReplayCheckParts {
  const { settings, storage, workflows, remoteSteps, effectRules } = providers;
  const { codec, retry, limits, namespace } = settings;
  const { clock, outbox, effects } = storage;
  return {
    codec,
    clock,
    namespace,
    remoteSteps,
    lookup: (workflow, version) => resolve(workflow, workflows, version),
    retry,
    limits,
    ...eventsOf(outbox, eventLimits(settings)),
    ...callsOf(effects, effectRules, clock),
  };
}

/** One history at a time: a replay executes code of the app, in a process that has other work. */
export function inputsByReplay(providers: ReplayProviders): RecomputeInputs {
  const parts = replayPartsOf(providers);
  let turn: Promise<unknown> = Promise.resolve();
  return (history) => {
    const { workflow, version } = history.run;
    const definition = providers.workflows.find(workflow, version);
    if (!definition) return Promise.resolve(undefined);
    const asked = turn.then(() => askedInputs(history, definition, parts));
    turn = asked.catch(() => undefined);
    return asked.then(({ inputs, check }) => ({
      inputs,
      ...(check.verdict === 'blocks'
        ? { position: check.position, recorded: check.recorded, asked: check.asked, detail: check.detail }
        : {}),
    }));
  };
}
