import { traitsOf, workflowOf } from '../decorators/declarations.js';
import type { DurableSettings } from './durable-options.js';
import { callsOf, outboxStepEvents } from './outgoing-of-steps.js';
import type { OperationRules } from '../effects/checked-operation.js';
import { composeEngine, type ComposedEngine } from '../engine/compose/compose-engine.js';
import type { NodeIdentity } from '../engine/model/node-roster.js';
import { Payloads } from '../engine/model/payloads.js';
import type { RemoteStepDirectory } from '../engine/model/remote-step-directory.js';
import { ResultWaiter } from '../engine/client/result-waiter.js';
import { WorkflowClient } from '../engine/client/workflow-client.js';
import { WorkflowSchedules } from '../engine/schedules/workflow-schedules.js';
import type { ClassOf } from '../engine/model/workflow-context.js';
import type { KnownWorkflow, WorkflowRegistry } from '../engine/model/workflow-registry.js';
import { UnknownWorkflowError } from '../errors.js';
import type { Storage } from './storage.providers.js';
import type { Telemetry } from '../telemetry/telemetry.js';

/** The poll interval of a waiting client without notifications. */
const WAITER_POLL_MS = 1_000;

export interface EngineProviders {
  settings: DurableSettings;
  storage: Storage;
  telemetry: Telemetry;
  workflows: WorkflowRegistry;
  remoteSteps: RemoteStepDirectory;
  node: NodeIdentity;
  /** The rules for calls of `ctx.effects`. */
  effectRules: OperationRules;
}

/** An engine that can be started and, once, stopped. */
export type EngineRole = ComposedEngine;

/** Returns undefined if this process executes no workflows. */
export function createEngine(providers: EngineProviders): EngineRole | undefined {
  const { settings, storage, telemetry, workflows, remoteSteps, node, effectRules } = providers;
  if (settings.engine === false) return undefined;
  const { notifier, clock, databaseClock, engine, outbox, effects } = storage;
  const { codec, retry, limits } = settings;
  return composeEngine(
    {
      storage: engine,
      workflows,
      remoteSteps,
      telemetry,
      codec,
      clock,
      retry,
      limits,
      lookup: (workflow) => resolve(workflow, workflows),
      ...(databaseClock && { databaseClock }),
      ...(outbox && { events: outboxStepEvents(outbox.writer, limits) }),
      ...callsOf(effects, effectRules, clock),
    },
    { ...settings.engine, node, notified: () => notifier.live },
  );
}

export interface ClientProviders extends Pick<EngineProviders, 'settings' | 'storage' | 'workflows'> {
  waiter: ResultWaiter;
}

export function createWaiter({ engine, notifier }: Storage, telemetry: Telemetry): ResultWaiter {
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'results', error });
  return new ResultWaiter(engine.catalog, {
    pollMs: WAITER_POLL_MS,
    notified: () => notifier.live,
    onError,
  });
}

export function createClient({ settings, storage, workflows, waiter }: ClientProviders): WorkflowClient {
  return new WorkflowClient({
    storage: storage.engine,
    payloads: payloadsOf(settings),
    waiter,
    resolve: (workflow) => resolve(workflow, workflows),
    namespace: settings.namespace,
    clock: storage.clock,
  });
}

export function createSchedules({ settings, storage, workflows }: Omit<ClientProviders, 'waiter'>): WorkflowSchedules {
  return new WorkflowSchedules({
    storage: storage.engine,
    payloads: payloadsOf(settings),
    resolve: (workflow) => resolve(workflow, workflows),
    namespace: settings.namespace,
    clock: storage.clock,
  });
}

/** A class contains all traits, provider or not; of a name, this process may know nothing more. */
export function resolve(workflow: string | ClassOf<unknown>, known: WorkflowRegistry): KnownWorkflow {
  if (typeof workflow === 'string')
    return known.has(workflow) ? known.latest(workflow) : { name: workflow, version: 1 };
  const declared = typeof workflow === 'function' ? workflowOf(workflow) : undefined;
  if (!declared) throw new UnknownWorkflowError((workflow as { name?: string } | undefined)?.name ?? String(workflow));
  const { name, version = 1 } = declared;
  return known.find(name, version) ?? { ...traitsOf(declared), name, version };
}

/** Passes the settings object itself, because the start may lower its limits. */
const payloadsOf = ({ codec, limits }: DurableSettings): Payloads => new Payloads(codec, limits);
