import type { Loops, PollLoop } from '../../lib/core/loops.js';
import { randomUUID } from 'node:crypto';
import { type Codec, jsonCodec } from '../../lib/core/codec.js';
import { Telemetry } from '../../lib/core/telemetry.js';
import { type Clock, systemClock, type Timers } from '../../lib/core/time.js';
import { WorkflowClient } from '../../lib/engine/client/client.js';
import { ResultWaiter } from '../../lib/engine/client/results.js';
import { WorkflowSchedules } from '../../lib/engine/client/schedules.js';
import type { OnExhausted, Retry, WorkflowContext } from '../../lib/engine/context.js';
import { NO_OUTGOING, type OutgoingErasure } from '../../lib/engine/erasure.js';
import { Payloads } from '../../lib/engine/payloads.js';
import { composeEngine, type Engine, type EngineOptions, withStoredErrors } from '../../lib/engine/play/engine.js';
import type { BlameLimits } from '../../lib/engine/play/recorder.js';
import { askedInputs, type RecomputeInputs, replaysWith } from '../../lib/engine/play/replay.js';
import type { StepEffects, StepEvents } from '../../lib/engine/step.js';
import type { EngineStorage } from '../../lib/engine/storage.js';
import { type RemoteStepDirectory, type WorkflowLookup, WorkflowRegistry } from '../../lib/engine/workflow.js';

/** Where engines of one test meet: one storage, whatever its kind. */
export interface Storage extends EngineStorage {
  notified?: () => boolean;
}

// Of any input: what a body continues with is its own business.
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = (ctx: WorkflowContext<any>, input: never) => Promise<unknown>;

export interface EngineParts {
  engine: Engine;
  client: WorkflowClient;
  schedules: WorkflowSchedules;
  registry: WorkflowRegistry;
  telemetry: Telemetry;
  timers: Timers;
  loops: Loops;
  /** Starts the engine with all that goes on beside it. */
  start(): Promise<void>;
  define(name: string, run: Body, version?: number): void;
  stop(): Promise<void>;
  /** As a process that is killed: nothing of it goes on, and it waits for nothing. */
  die(): void;
}

const noDirectory: RemoteStepDirectory = { ofClass: () => new Map(), ofName: () => undefined };

export interface EnginePartsOptions extends Partial<Omit<EngineOptions, 'node'>> {
  nodeId?: string;
  namespace?: string;
  clock?: Clock;
  retry?: Retry;
  onExhausted?: OnExhausted;
  events?: StepEvents;
  effects?: StepEffects;
  steps?: RemoteStepDirectory;
  blame?: BlameLimits;
  payloadBytes?: number;
  historySteps?: number;
  outgoing?: OutgoingErasure;
  codec?: Codec;
  strict?: boolean;
  determinism?: 'warn' | 'error';
}

/** An engine and a client on a storage: one "process". */
export function engineParts(storage: Storage, options: EnginePartsOptions = {}): EngineParts {
  const {
    nodeId = randomUUID(),
    namespace = '',
    clock = systemClock,
    steps = noDirectory,
    retry,
    onExhausted,
    events,
    effects,
    blame,
    payloadBytes = 1 << 20,
    historySteps = 10_000,
    outgoing = NO_OUTGOING,
    codec = jsonCodec,
    strict,
    determinism,
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
      codec,
      clock,
      retry,
      onExhausted,
      strict,
      determinism,
      limits,
      outgoing,
      ...(events && { events }),
      ...(effects && { effects }),
      ...(blame && { blame }),
    },
    {
      node: { id: nodeId, namespace, roles: 'engine' },
      batchSize: 100,
      residencyMs: 30_000,
      maxResident: 10_000,
      nodeLeaseMs: 60_000,
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
  const payloads = new Payloads(codec, { payloadBytes });
  const checked = { codec, clock, namespace, remoteSteps: steps, lookup, retry, limits };
  const replay = replaysWith(registry, { ...checked, ...(events && { events }), ...(effects && { effects }) });
  const recompute: RecomputeInputs = async (history) => {
    const definition = registry.find(history.run.workflow, history.run.version);
    return definition && askedInputs(history, definition, checked);
  };
  const client = new WorkflowClient({
    recompute,
    replay,
    storage: { ...storage, dispatcher: withStoredErrors(storage.dispatcher, payloads, storage.catalog) },
    payloads,
    outgoing,
    waiter,
    resolve: lookup,
    namespace,
    clock,
    telemetry,
  });
  return {
    engine,
    client,
    schedules: new WorkflowSchedules({ storage, payloads, resolve: lookup, namespace, clock }),
    registry,
    telemetry,
    timers: composed.shared.timers,
    loops: composed.loops,
    start: () => composed.start(),
    define: (name, run, version = 1) => registry.register({ name, version, runner: { run } }),
    stop: async () => {
      await Promise.all([waiter.stop(), composed.stop()]);
    },
    die: () => {
      for (const loop of Object.values(composed.loops) as PollLoop[]) void loop.stop();
      composed.shared.timers.stop();
      void waiter.stop();
      void composed.stop();
    },
  };
}
