import { randomUUID } from 'node:crypto';
import { inMemoryTransaction } from '../../lib/protocol/transaction.js';
import { composeEngine } from '../../lib/engine/compose/compose-engine.js';
import type { Engine, EngineOptions } from '../../lib/engine/compose/engine.js';
import type { EngineStorage } from '../../lib/engine/model/engine-storage.js';
import type { BlameLimits } from '../../lib/engine/activation/aside-writes.js';
import { Payloads } from '../../lib/engine/model/payloads.js';
import type { StepEffects, StepEvents } from '../../lib/engine/model/outgoing.js';
import type { RemoteStepDirectory } from '../../lib/engine/model/remote-step-directory.js';
import type { Transactions } from '../../lib/engine/model/run-catalog.js';
import { ResultWaiter } from '../../lib/engine/client/result-waiter.js';
import { WorkflowClient } from '../../lib/engine/client/workflow-client.js';
import { WorkflowSchedules } from '../../lib/engine/schedules/workflow-schedules.js';
import type { Retry, WorkflowContext } from '../../lib/engine/model/workflow-context.js';
import { type WorkflowLookup, WorkflowRegistry } from '../../lib/engine/model/workflow-registry.js';
import { jsonCodec } from '../../lib/protocol/codec.js';
import { Telemetry } from '../../lib/telemetry/telemetry.js';
import { type Clock, systemClock } from '../../lib/time/clock.js';
import type { Timers } from '../../lib/time/timers.js';

/** Where engines of one test meet: one storage, whatever its kind. */
export interface Storage extends EngineStorage {
  notified?: () => boolean;
}

export type Body = (ctx: WorkflowContext, input: never) => Promise<unknown>;

export interface EngineParts {
  engine: Engine;
  client: WorkflowClient;
  schedules: WorkflowSchedules;
  registry: WorkflowRegistry;
  telemetry: Telemetry;
  timers: Timers;
  /** Starts the engine with all that goes on beside it. */
  start(): Promise<void>;
  define(name: string, run: Body, version?: number): void;
  stop(): Promise<void>;
}

const noDirectory: RemoteStepDirectory = { ofClass: () => new Map(), ofName: () => undefined };

export const noTransactions: Transactions = {
  join: () => {
    throw new TypeError('No transactions here');
  },
  ambient: () => undefined,
  begin: (work) => inMemoryTransaction(undefined, (tx) => work({}, tx)),
};

export interface EnginePartsOptions extends Partial<Omit<EngineOptions, 'node'>> {
  nodeId?: string;
  namespace?: string;
  clock?: Clock;
  retry?: Retry;
  events?: StepEvents;
  effects?: StepEffects;
  steps?: RemoteStepDirectory;
  blame?: BlameLimits;
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
    events,
    effects,
    blame,
    payloadBytes = 1 << 20,
    historySteps = 10_000,
    ...rest
  } = options;
  const registry = new WorkflowRegistry();
  const telemetry = new Telemetry();
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'test', error });
  const notified = storage.notified ?? (() => false);
  const lookup: WorkflowLookup = (workflow) =>
    typeof workflow === 'string' && !registry.has(workflow)
      ? { name: workflow, version: 1 }
      : registry.latest(String(workflow));
  const limits = { payloadBytes, warnPayloadBytes: payloadBytes, steps: historySteps, warnSteps: historySteps };
  const composed = composeEngine(
    {
      storage,
      workflows: registry,
      lookup,
      remoteSteps: steps,
      telemetry,
      codec: jsonCodec,
      clock,
      retry,
      limits,
      ...(events && { events }),
      ...(effects && { effects }),
      ...(blame && { blame }),
    },
    {
      node: { id: nodeId, namespace, roles: 'engine' },
      batchSize: 100,
      residencyMs: 30_000,
      maxResident: 10_000,
      nodeLeaseMs: 10_000,
      pollMs: 500,
      notified,
      crashCap: 10,
      shutdownMs: 5_000,
      onHistoryLost: 'replay',
      ...rest,
    },
  );
  const { engine } = composed;
  const waiter = new ResultWaiter(storage.catalog, { pollMs: 500, notified, onError });
  const payloads = new Payloads(jsonCodec, { payloadBytes });
  const client = new WorkflowClient({ storage, payloads, waiter, resolve: lookup, namespace, clock });
  return {
    engine,
    client,
    schedules: new WorkflowSchedules({ storage, payloads, resolve: lookup, namespace, clock }),
    registry,
    telemetry,
    timers: composed.shared.timers,
    start: () => composed.start(),
    define: (name, run, version = 1) => registry.register({ name, version, runner: { run } }),
    stop: async () => {
      await Promise.all([waiter.stop(), composed.stop()]);
    },
  };
}
