import type { Codec } from '../../protocol/codec.js';
import type { ErrorRules } from '../../protocol/error-rules.js';
import { StoredTexts } from '../../protocol/stored-texts.js';
import { withStoredErrors } from './stored-answers.js';
import { withToldDispatches } from './told-dispatches.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Clock, SynchronizedClock } from '../../time/clock.js';
import type { Loops } from '../../time/poll-loop.js';
import { Timers } from '../../time/timers.js';
import type { ActivationShared } from '../activation/activation-shared.js';
import { holderFrom, readBackFrom } from '../activation/shared-parts.js';
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
import { type Determinism, SecondPlays } from '../play/second-play.js';
import type { ClaimedRun } from '../model/run.js';
import type { NonDeterminismError } from '../../errors/code-errors.js';
import { ScheduleRunner } from '../schedules/schedule-runner.js';
import { type Purging, Retention } from '../endings/retention.js';
import { ErasureService } from '../erasure/erasure-service.js';
import { NO_OUTGOING, type OutgoingErasure } from '../model/outgoing-erasure.js';
import { SignalExchange } from '../signals/signal-exchange.js';
import type { WorkflowLookup, WorkflowRegistry } from '../model/workflow-registry.js';
import type { OnExhausted, Retry } from '../model/step-options.js';

export interface EngineParts {
  storage: EngineStorage;
  workflows: WorkflowRegistry;
  lookup: WorkflowLookup;
  remoteSteps: RemoteStepDirectory;
  /** Writes the events of `ctx.publish`. Without it, `ctx.publish` throws. */
  events?: StepEvents;
  /** Writes the calls of `ctx.effects`. Without it, `ctx.effects` throws. */
  effects?: StepEffects;
  /** What retention deletes besides the rows of the engine. */
  purges?: readonly Purging[];
  /** Erases calls and events of runs that were erased. Default: there are none. */
  outgoing?: OutgoingErasure;
  telemetry: Telemetry;
  codec: Codec;
  /** What of errors is recorded. Default: everything but stacks. */
  errors?: ErrorRules;
  clock: Clock;
  /** If times are the database's: the clock that each heartbeat sets. */
  databaseClock?: SynchronizedClock;
  retry: Retry | undefined;
  onExhausted?: OnExhausted | undefined;
  keepInputs?: boolean | undefined;
  /** Whether calls that `run` has not awaited block it. Default false: they are reported. */
  strict?: boolean | undefined;
  /** Whether each run is played a second time, and what follows if it parts from the first. Default: it is not. */
  determinism?: Determinism | undefined;
  limits: { payloadBytes: number; warnPayloadBytes: number; steps: number; warnSteps: number };
  /** When a run is blocked because the database refuses its write. Default: `BLAME_LIMITS`. */
  blame?: BlameLimits;
}

/** An engine with its background services. It can be started and stopped once. */
export interface ComposedEngine {
  engine: Engine;
  shared: ActivationShared;
  /** Set in development. */
  secondPlays: SecondPlays | undefined;
  readonly loops: Loops;
  start(): Promise<void>;
  stop(): Promise<void>;
}

function sealing({ storage, codec, limits, telemetry }: EngineParts, texts: StoredTexts): EngineParts['storage'] {
  const told = withToldDispatches(storage.dispatcher, telemetry);
  const dispatcher = withStoredErrors(told, new Payloads(codec, limits, texts), storage.catalog);
  return { ...storage, dispatcher };
}

/** Composes an engine on any storage. */
export function composeEngine(given: EngineParts, options: EngineOptions): ComposedEngine {
  const texts = new StoredTexts(given.codec, given.errors);
  const parts = { ...given, storage: sealing(given, texts) };
  const { storage, telemetry, clock } = parts;
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'engine', error });
  const stopped = new AbortController();
  const wake = () => engine.wake();
  const { notified, node, pollMs } = options;
  const signals = new SignalExchange(storage.mailbox, storage.answers, { notified, pollMs, onError });
  const timers = new Timers(clock);
  const limited = () => parts.workflows.all().some(({ limits }) => limits !== undefined);
  const limiters = new LimiterKeeper(storage.admissions, storage.dispatcher, { timers, limited, onDue: wake, onError });
  const secondPlays = secondPlaysOf(parts, node.namespace, stopped.signal);
  const shared = sharedOf(parts, {
    secondPlays,
    texts,
    namespace: node.namespace,
    owner: node.id,
    signals,
    limiters,
    timers,
    onError,
    stopped: stopped.signal,
  });
  const engine = new Engine({ ...parts, ...storage, shared, contextOf: secondPlays?.contextOf }, options);
  const schedules = new ScheduleRunner({ ...shared, ...parts, notified, namespace: node.namespace });
  const retention = new Retention({ ...parts, others: parts.purges, namespace: node.namespace }, options.retention);
  const services: BackgroundService[] = [signals, limiters, schedules, retention, erasureOf(parts, node.namespace)];
  clock.onTurn?.(() => {
    if (stopped.signal.aborted) return;
    shared.timers.fire();
    // The advance may have let this process's own lease expire.
    engine.heartbeat.beat().then(wake, onError);
  });
  return {
    engine,
    shared,
    secondPlays,
    loops: Object.assign({}, ofEngine(engine), ...services.map(({ loops }) => loops)) as Loops,
    start: async () => {
      await storage.hooks?.look();
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

const ofEngine = ({ loops }: Engine): Loops =>
  Object.fromEntries(Object.entries(loops).map(([name, loop]) => [`engine.${name}`, loop]));

function secondPlaysOf(parts: EngineParts, namespace: string, stopped: AbortSignal): SecondPlays | undefined {
  const { determinism: mode, workflows, telemetry } = parts;
  if (!mode) return undefined;
  const onParted = ({ id: runId, workflow, version }: ClaimedRun, error: NonDeterminismError) => {
    const { seq: position, recorded: expected, asked: found } = error;
    telemetry.emit('run.parted', { runId, workflow, version, position, expected, found, error });
  };
  return new SecondPlays({ mode, workflows, parts: { ...parts, namespace }, onParted, stopped });
}

const erasureOf = (parts: EngineParts, namespace: string): BackgroundService =>
  new ErasureService({ outgoing: NO_OUTGOING, ...parts, namespace });

interface SharedParts extends Pick<ActivationShared, 'namespace' | 'signals' | 'limiters' | 'timers'> {
  texts: StoredTexts;
  /** This process. */
  owner: string;
  onError: (error: unknown) => void;
  stopped: AbortSignal;
  secondPlays: SecondPlays | undefined;
}

function sharedOf(
  parts: EngineParts,
  { texts, namespace, owner, signals, limiters, timers, onError, stopped, secondPlays }: SharedParts,
): ActivationShared {
  const { storage, telemetry, codec, clock, limits, remoteSteps, retry, lookup, events, effects } = parts;
  const { store, dispatcher, answers, transactions, control } = storage;
  const onLarge = (what: string, bytes: number) => telemetry.emit('payload.large', { what, bytes });
  const { payloadBytes, warnPayloadBytes: warnBytes } = limits;
  const payloads = new Payloads(codec, { payloadBytes, warnBytes, onLarge }, texts);
  return {
    recorder: recorderOf(parts, { owner, limiters, onError }),
    namespace,
    telemetry,
    process: owner,
    payloads,
    transactions,
    remoteSteps,
    clock,
    retry,
    onExhausted: parts.onExhausted,
    keepInputs: parts.keepInputs ?? false,
    signals,
    limiters,
    timers,
    events,
    effects,
    onLine: (line) => telemetry.emit('step.log', line),
    onMisuse: (misuse) => telemetry.emit('context.misused', misuse),
    onUnhandled: (failure) => telemetry.emit('call.unhandled', failure),
    onUnawaited: (left) => telemetry.emit('calls.unawaited', left),
    strict: parts.strict ?? false,
    // What its code traces was traced by the first play.
    ...(secondPlays && { review: (left, how) => telemetry.quietly(() => secondPlays.review(left, how)) }),
    onStepEnded: (ended) => telemetry.hears('step.ended') && telemetry.emit('step.ended', ended()),
    onWoken: ({ id: runId, workflow }, by, since) =>
      telemetry.hears('run.woken') &&
      telemetry.emit('run.woken', { runId, workflow, by, delayMs: Math.max(0, clock.now() - since) }),
    onTransactionLost: (loss) => telemetry.emit('transaction.lost', loss),
    holder: holderFrom(storage, { onFailure: onError, stopped }),
    readBack: readBackFrom(store, { onFailure: onError, stopped }),
    limits: {
      steps: limits.steps,
      warnSteps: limits.warnSteps,
      onLongHistory: ({ id: runId, workflow }, steps) => telemetry.emit('history.long', { runId, workflow, steps }),
    },
    workflows: lookup,
    closeChildren: childCloser({ control, dispatcher, answers, hooks: storage.hooks }, { onFailure: onError, stopped }),
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
    hooks: storage.hooks,
    ...(events && { events }),
    ...(effects && { effects }),
    ...(blame && { blame }),
    onHistoryLost: (runIds) => telemetry.emit('history.lost', { runs: runIds.length, runIds: runIds.slice(0, 10) }),
    onCommitted: (writes, durationMs) =>
      telemetry.hears('runs.committed') && telemetry.emit('runs.committed', { writes, durationMs }),
    onLimiters: (changed) => limiters.changed(changed),
  });
}
