import type { Codec } from '../../protocol/codec.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Clock, SynchronizedClock } from '../../time/clock.js';
import { Timers } from '../../time/timers.js';
import { type ActivationShared, readBackFrom } from '../activation/activation-shared.js';
import { childCloser } from '../endings/giving-up.js';
import type { BackgroundService } from '../model/background-service.js';
import { Engine, type EngineOptions } from './engine.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { LimiterKeeper } from '../limits/limiter-keeper.js';
import { Payloads } from '../model/payloads.js';
import type { BlameLimits } from '../activation/aside-writes.js';
import { Recorder } from '../activation/recorder.js';
import type { StepEffects, StepEvents } from '../model/outgoing.js';
import type { RemoteStepDirectory } from '../model/remote-step-directory.js';
import { ScheduleRunner } from '../schedules/schedule-runner.js';
import { Retention } from '../endings/retention.js';
import { SignalExchange } from '../signals/signal-exchange.js';
import type { WorkflowLookup, WorkflowRegistry } from '../model/workflow-registry.js';
import type { Retry } from '../model/workflow-context.js';

export interface EngineParts {
  storage: EngineStorage;
  workflows: WorkflowRegistry;
  lookup: WorkflowLookup;
  remoteSteps: RemoteStepDirectory;
  /** Writes the events of `ctx.publish`. Without it, `ctx.publish` throws. */
  events?: StepEvents;
  /** Writes the calls of `ctx.effects`. Without it, `ctx.effects` throws. */
  effects?: StepEffects;
  telemetry: Telemetry;
  codec: Codec;
  clock: Clock;
  /** If times are the database's: the clock that each heartbeat sets. */
  databaseClock?: SynchronizedClock;
  retry: Retry | undefined;
  limits: { payloadBytes: number; warnPayloadBytes: number; steps: number; warnSteps: number };
  /** When a run is blocked because the database refuses its write. Default: `BLAME_LIMITS`. */
  blame?: BlameLimits;
}

/** An engine with its background services. It can be started and stopped once. */
export interface ComposedEngine {
  engine: Engine;
  shared: ActivationShared;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Composes an engine on any storage. */
export function composeEngine(parts: EngineParts, options: EngineOptions): ComposedEngine {
  const { storage, telemetry, clock, databaseClock } = parts;
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'engine', error });
  const stopped = new AbortController();
  const wake = () => engine.wake();
  const { notified, node, pollMs } = options;
  const signals = new SignalExchange(storage.mailbox, storage.answers, { notified, pollMs, onError });
  const timers = new Timers(clock);
  const limited = () => parts.workflows.all().some(({ limits }) => limits !== undefined);
  const limiters = new LimiterKeeper(storage.admissions, storage.dispatcher, { timers, limited, onDue: wake, onError });
  const shared = sharedOf(parts, {
    namespace: node.namespace,
    owner: node.id,
    signals,
    limiters,
    timers,
    onError,
    stopped: stopped.signal,
  });
  const engine = new Engine(
    { ...storage, workflows: parts.workflows, shared, telemetry, ...(databaseClock && { databaseClock }) },
    options,
  );
  const schedules = new ScheduleRunner({ ...shared, ...parts, notified, namespace: node.namespace });
  const retention = new Retention({ ...parts, namespace: node.namespace }, options.retention);
  const services: BackgroundService[] = [signals, limiters, schedules, retention];
  clock.onTurn?.(() => {
    if (stopped.signal.aborted) return;
    shared.timers.fire();
    // The advance may have let this process's own lease expire.
    engine.heartbeat.beat().then(wake, onError);
  });
  return {
    engine,
    shared,
    start: async () => {
      await engine.start();
      for (const service of services) service.start();
    },
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await engine.stop().finally(() => stopped.abort());
      // A second time: runs that ended meanwhile have released permits.
      await limiters.stop();
    },
  };
}

interface SharedParts extends Pick<ActivationShared, 'namespace' | 'signals' | 'limiters' | 'timers'> {
  /** This process. */
  owner: string;
  onError: (error: unknown) => void;
  stopped: AbortSignal;
}

function sharedOf(
  parts: EngineParts,
  { namespace, owner, signals, limiters, timers, onError, stopped }: SharedParts,
): ActivationShared {
  const { storage, telemetry, codec, clock, limits, remoteSteps, retry, lookup, events, effects } = parts;
  const { store, dispatcher, answers, transactions, control } = storage;
  const payloads = new Payloads(codec, {
    payloadBytes: limits.payloadBytes,
    warnBytes: limits.warnPayloadBytes,
    onLarge: (what, bytes) => telemetry.emit('payload.large', { what, bytes }),
  });
  return {
    recorder: recorderOf(parts, { owner, limiters, onError }),
    namespace,
    payloads,
    transactions,
    remoteSteps,
    clock,
    retry,
    signals,
    limiters,
    timers,
    events,
    effects,
    onLine: (line) => telemetry.emit('step.log', line),
    onTransactionLost: (loss) => telemetry.emit('transaction.lost', loss),
    readBack: readBackFrom(store, { onFailure: onError, stopped }),
    limits: {
      steps: limits.steps,
      warnSteps: limits.warnSteps,
      onLongHistory: ({ id: runId, workflow }, steps) => telemetry.emit('history.long', { runId, workflow, steps }),
    },
    workflows: lookup,
    closeChildren: childCloser({ control, dispatcher, answers }, { onFailure: onError, stopped }),
  };
}

function recorderOf(
  { storage, telemetry, events, effects, blame }: EngineParts,
  { owner, limiters, onError }: Pick<SharedParts, 'owner' | 'limiters' | 'onError'>,
): Recorder {
  const { store, dispatcher, answers } = storage;
  return new Recorder({
    store,
    dispatcher,
    answers,
    onError,
    owner,
    ...(events && { events }),
    ...(effects && { effects }),
    ...(blame && { blame }),
    onHistoryLost: (runIds) => telemetry.emit('history.lost', { runs: runIds.length, runIds: runIds.slice(0, 10) }),
    onLimiters: (changed) => limiters.changed(changed),
  });
}
