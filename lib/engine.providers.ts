import { workflowOf } from './decorators/declarations.js';
import type { DurableSettings } from './durable-options.js';
import type { Storage } from './storage.providers.js';
import { Engine } from './engine/engine.js';
import type { NodeIdentity } from './engine/node-roster.js';
import { Payloads } from './engine/payloads.js';
import { readBackFrom } from './engine/read-back.js';
import { Recorder } from './engine/recorder.js';
import type { RemoteStepDirectory } from './engine/remote-step-directory.js';
import { ResultWaiter } from './engine/result-waiter.js';
import { SqlNodeRoster } from './engine/sql-node-roster.js';
import { SqlRunCatalog } from './engine/sql-run-catalog.js';
import { SqlStrandedRuns } from './engine/sql-stranded-runs.js';
import { SqlRunStore } from './engine/sql-run-store.js';
import { SqlTransactions } from './engine/sql-transactions.js';
import { WorkflowClient } from './engine/workflow-client.js';
import type { ClassOf } from './engine/workflow-context.js';
import type { WorkflowRegistry } from './engine/workflow-registry.js';
import { UnknownWorkflowError } from './errors.js';
import type { Telemetry } from './telemetry/telemetry.js';
import { Timers } from './time/timers.js';

/** How often a waiting client looks where no notification comes. */
const WAITER_POLL_MS = 1_000;

export interface EngineProviders {
  settings: DurableSettings;
  storage: Storage;
  telemetry: Telemetry;
  workflows: WorkflowRegistry;
  remoteSteps: RemoteStepDirectory;
  node: NodeIdentity;
}

/** An engine that can be started and, once, stopped. */
export interface EngineRole {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Undefined where this process plays no workflows. */
export function createEngine(providers: EngineProviders): EngineRole | undefined {
  const { settings, storage, telemetry, workflows, remoteSteps, node } = providers;
  if (settings.engine === false) return undefined;
  const { executor, tables, notifier, now, clock, databaseClock, dispatcher } = storage;
  const store = new SqlRunStore(executor, tables, notifier, now);
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'engine', error });
  const stopped = new AbortController();
  const shared = {
    recorder: new Recorder(store, dispatcher, onError),
    payloads: payloadsOf(settings),
    transactions: new SqlTransactions(executor),
    remoteSteps,
    clock,
    timers: new Timers(clock),
    readBack: readBackFrom(store, { onError, stopped: stopped.signal }),
    retry: settings.retry,
    limits: { steps: settings.limits.steps },
  };
  const roster = new SqlNodeRoster(executor, tables, now);
  const stranded = new SqlStrandedRuns(executor, tables, now);
  const ports = {
    store,
    roster,
    dispatcher,
    workflows,
    shared,
    telemetry,
    stranded,
    ...(databaseClock && { databaseClock }),
  };
  const engine = new Engine(ports, { ...settings.engine, node, notified: () => notifier.live });
  clock.onTurn?.(() => {
    if (stopped.signal.aborted) return;
    shared.timers.fire();
    // A turn may have let this process's own heartbeat lapse.
    engine.heartbeat.beat().then(() => engine.wake(), onError);
  });
  return { start: () => engine.start(), stop: () => engine.stop().finally(() => stopped.abort()) };
}

export interface ClientProviders extends Pick<EngineProviders, 'settings' | 'storage' | 'workflows'> {
  waiter: ResultWaiter;
}

export function createWaiter({ executor, tables, notifier, now }: Storage, telemetry: Telemetry): ResultWaiter {
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'results', error });
  return new ResultWaiter(new SqlRunCatalog(executor, tables, notifier, now), {
    pollMs: WAITER_POLL_MS,
    notified: () => notifier.live,
    onError,
  });
}

export function createClient({ settings, storage, workflows, waiter }: ClientProviders): WorkflowClient {
  const { executor, tables, notifier, now, clock, dispatcher } = storage;
  return new WorkflowClient({
    catalog: new SqlRunCatalog(executor, tables, notifier, now),
    transactions: new SqlTransactions(executor),
    dispatcher,
    payloads: payloadsOf(settings),
    waiter,
    resolve: (workflow) => resolve(workflow, workflows),
    namespace: settings.namespace,
    clock,
  });
}

/** A class says all by itself, provider or not; of a name this process may know nothing but the name. */
function resolve(workflow: string | ClassOf<unknown>, known: WorkflowRegistry): { name: string; version: number } {
  if (typeof workflow === 'string')
    return { name: workflow, version: known.has(workflow) ? known.latest(workflow).version : 1 };
  const declared = typeof workflow === 'function' ? workflowOf(workflow) : undefined;
  if (!declared) throw new UnknownWorkflowError((workflow as { name?: string } | undefined)?.name ?? String(workflow));
  return { name: declared.name, version: declared.version ?? 1 };
}

const payloadsOf = ({ codec, limits }: DurableSettings): Payloads =>
  new Payloads(codec, { payloadBytes: limits.payloadBytes });
