import { randomUUID } from 'node:crypto';
import { Engine, type EngineOptions } from '../../lib/engine/engine.js';
import { Payloads } from '../../lib/engine/payloads.js';
import { readBackFrom } from '../../lib/engine/read-back.js';
import { Recorder } from '../../lib/engine/recorder.js';
import type { RemoteStepDirectory } from '../../lib/engine/remote-step-directory.js';
import { ResultWaiter } from '../../lib/engine/result-waiter.js';
import type { NodeRoster } from '../../lib/engine/node-roster.js';
import type { RunCatalog, Transactions } from '../../lib/engine/run-catalog.js';
import type { RunStore } from '../../lib/engine/run-store.js';
import type { StrandedRuns } from '../../lib/engine/stranded-sweep.js';
import type { TaskDispatcher } from '../../lib/engine/task-dispatcher.js';
import { WorkflowClient } from '../../lib/engine/workflow-client.js';
import type { Retry, WorkflowContext } from '../../lib/engine/workflow-context.js';
import { WorkflowRegistry } from '../../lib/engine/workflow-registry.js';
import { jsonCodec } from '../../lib/protocol/codec.js';
import { Telemetry } from '../../lib/telemetry/telemetry.js';
import { type Clock, systemClock } from '../../lib/time/clock.js';
import { Timers } from '../../lib/time/timers.js';

/** Where engines of one test meet: one storage, whatever its kind. */
export interface Storage {
  store: RunStore;
  catalog: RunCatalog;
  roster: NodeRoster;
  dispatcher: TaskDispatcher;
  transactions: Transactions;
  stranded: StrandedRuns;
  notified?: () => boolean;
}

export type Body = (ctx: WorkflowContext, input: never) => Promise<unknown>;

export interface EngineParts {
  engine: Engine;
  client: WorkflowClient;
  registry: WorkflowRegistry;
  telemetry: Telemetry;
  timers: Timers;
  define(name: string, run: Body, version?: number): void;
  stop(): Promise<void>;
}

const noDirectory: RemoteStepDirectory = { ofClass: () => new Map(), ofName: () => undefined };

export const noTransactions: Transactions = {
  join: () => {
    throw new TypeError('No transactions here');
  },
  ambient: () => undefined,
  begin: (work) => work({}, {}),
};

export interface EnginePartsOptions extends Partial<Omit<EngineOptions, 'node'>> {
  nodeId?: string;
  namespace?: string;
  clock?: Clock;
  retry?: Retry;
  steps?: RemoteStepDirectory;
  payloadBytes?: number;
  historySteps?: number;
}

/** An engine and a client on a storage: one "process". */
export function engineParts(storage: Storage, options: EnginePartsOptions = {}): EngineParts {
  const {
    nodeId = randomUUID(),
    namespace = '',
    clock = systemClock,
    steps = noDirectory,
    retry,
    payloadBytes = 1 << 20,
    historySteps = 10_000,
    ...rest
  } = options;
  const registry = new WorkflowRegistry();
  const telemetry = new Telemetry();
  const timers = new Timers(clock);
  const payloads = new Payloads(jsonCodec, { payloadBytes });
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'test', error });
  const recorder = new Recorder(storage.store, storage.dispatcher, onError);
  const stopped = new AbortController();
  const readBack = readBackFrom(storage.store, { onError, stopped: stopped.signal });
  const shared = {
    recorder,
    payloads,
    transactions: storage.transactions,
    remoteSteps: steps,
    clock,
    timers,
    readBack,
    retry,
    limits: { steps: historySteps },
  };
  const engine = new Engine(
    {
      store: storage.store,
      roster: storage.roster,
      dispatcher: storage.dispatcher,
      workflows: registry,
      shared,
      telemetry,
      stranded: storage.stranded,
    },
    {
      node: { id: nodeId, namespace, roles: 'engine' },
      batchSize: 100,
      residencyMs: 30_000,
      maxResident: 10_000,
      nodeLeaseMs: 10_000,
      pollMs: 500,
      notified: storage.notified ?? (() => false),
      crashCap: 10,
      shutdownMs: 5_000,
      ...rest,
    },
  );
  const waiter = new ResultWaiter(storage.catalog, {
    pollMs: 500,
    notified: storage.notified ?? (() => false),
    onError,
  });
  const resolve = (workflow: unknown) =>
    typeof workflow === 'string' && !registry.has(workflow)
      ? { name: workflow, version: 1 }
      : registry.latest(String(workflow));
  const client = new WorkflowClient({
    catalog: storage.catalog,
    transactions: storage.transactions,
    dispatcher: storage.dispatcher,
    payloads,
    waiter,
    resolve,
    namespace,
    clock,
  });
  return {
    engine,
    client,
    registry,
    telemetry,
    timers,
    define: (name, run, version = 1) => registry.register({ name, version, runner: { run } }),
    stop: async () => {
      stopped.abort();
      await waiter.stop();
      await engine.stop();
    },
  };
}
