import type { Held } from '../acts/holds.js';
import { StoredTexts } from '../core/codec.js';
import { Batcher, Semaphore } from '../core/loops.js';
import { UnknownWorkflowError } from '../core/run-errors.js';
import type { Telemetry } from '../core/telemetry.js';
import { stopwatch, systemClock, toMs } from '../core/time.js';
import type { OperationRules } from '../effects/effects.js';
import { WorkflowClient, type WorkflowClientPorts } from '../engine/client/client.js';
import { type Boot, ResultWaiter } from '../engine/client/results.js';
import { WorkflowSchedules } from '../engine/client/schedules.js';
import type { ClassOf } from '../engine/context.js';
import type { ReplayOf } from '../engine/control.js';
import type { OutgoingErasure } from '../engine/erasure.js';
import type { NodeIdentity } from '../engine/nodes.js';
import { Payloads } from '../engine/payloads.js';
import { type ComposedEngine, composeEngine, withStoredErrors } from '../engine/play/engine.js';
import {
  askedInputs,
  deployCheck,
  type DeployCheckPage,
  deployCheckPage,
  type Obstacle,
  type RecomputeInputs,
  type ReplayCheckParts,
} from '../engine/play/replay.js';
import { contextIn, contextTextWithTrace, type RunContext } from '../engine/run.js';
import { type RunCatalog, startOf } from '../engine/starts.js';
import {
  type KnownWorkflow,
  type RemoteStepDirectory,
  retryPolicy,
  type WorkflowRegistry,
} from '../engine/workflow.js';
import { type ConcurrencyClass, type HandlerOptions, HandlerRegistry } from '../worker/handlers.js';
import { Worker } from '../worker/worker.js';
import { traitsOf, workflowOf } from './decorators.js';
import type { ServedStep } from './explorers.js';
import type { DurableSettings, WorkerSettings } from './options.js';
import { callsInSight, callsOf, erasureOfOutgoing, eventsOf, purgesOfSlices, storyOfOutgoing } from './outgoing.js';
import { eventLimits } from './slice-options.js';
import type { Storage } from './storage.providers.js';
import { type TraceApi, traceContextOf } from './trace-context.js';

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
  /** Default: nothing is held. */
  held?: Held;
  onDraining?: (draining: boolean) => void;
}

/** An engine that can be started and, once, stopped. */
export type EngineRole = ComposedEngine;

/** Returns undefined if this process executes no workflows. */
export function createEngine(providers: EngineProviders): EngineRole | undefined {
  const { settings, storage, telemetry, workflows, remoteSteps, node, effectRules, held, onDraining } = providers;
  if (settings.engine === false) return undefined;
  const { notifier, clock, databaseClock, engine, outbox, effects } = storage;
  const { codec, errors, retry, onExhausted, keepInputs, strict, determinism, limits } = settings;
  return composeEngine(
    {
      storage: engine,
      workflows,
      remoteSteps,
      telemetry,
      codec,
      errors,
      clock,
      retry,
      onExhausted,
      keepInputs,
      strict,
      determinism: determinism === 'off' ? undefined : determinism,
      limits,
      lookup: (workflow, version) => resolve(workflow, workflows, version),
      ...(databaseClock && { databaseClock }),
      ...eventsOf(outbox, eventLimits(settings)),
      ...callsOf(effects, effectRules, clock),
      purges: purgesOfSlices(settings.engine.retention, storage),
      outgoing: outgoingOf(settings, storage),
    },
    { ...settings.engine, node, notified: () => notifier.live, ...(held && { held }), onDraining },
  );
}

export interface ClientProviders extends Pick<EngineProviders, 'settings' | 'storage' | 'workflows'> {
  waiter: ResultWaiter;
  /** Default: it is over. */
  boot?: Boot;
  /** Undefined if the client cannot replay runs. */
  recompute?: RecomputeInputs;
  /** Undefined if the app has no OpenTelemetry. */
  traces?: TraceApi | undefined;
  /** Undefined if nobody listens. */
  telemetry?: Telemetry | undefined;
  replay?: ReplayOf;
}

export function createWaiter({ engine, notifier }: Storage, telemetry: Telemetry): ResultWaiter {
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'results', error });
  return new ResultWaiter(engine.catalog, {
    pollMs: WAITER_POLL_MS,
    quietly: (begin) => telemetry.quietly(begin),
    notified: () => notifier.live,
    onError,
  });
}

export function createClient(providers: ClientProviders): WorkflowClient {
  const { settings, storage, workflows, waiter, boot, recompute, replay, traces, telemetry } = providers;
  const payloads = payloadsOf(settings);
  const dispatcher = withStoredErrors(storage.engine.dispatcher, payloads, storage.engine.catalog);
  return new WorkflowClient({
    storage: { ...storage.engine, dispatcher },
    payloads,
    outgoing: outgoingOf(settings, storage),
    outgoingStory: storyOfOutgoing(storage),
    waiter,
    boot,
    resolve: (workflow, version) => resolve(workflow, workflows, version),
    namespace: settings.namespace,
    clock: storage.clock,
    ...carrying(settings, traces, telemetry),
    calls: storage.effects && callsInSight(storage.effects),
    recompute,
    replay,
    telemetry,
  });
}

/** The app's own values count more than the active span. */
function carrying(
  { contextFrom }: DurableSettings,
  traces: TraceApi | undefined,
  telemetry: Telemetry | undefined,
): Pick<WorkflowClientPorts, 'context'> {
  if (!contextFrom && !traces) return {};
  return {
    context: (run, links) => {
      const named = contextFrom?.();
      const tracing = telemetry?.tracing;
      const trace = tracing ? tracing.told({ ...startOf(run), links }) : traceContextOf(traces);
      return contextTextWithTrace(named, trace);
    },
  };
}

export function createSchedules({
  settings,
  storage,
  workflows,
}: Omit<ClientProviders, 'waiter' | 'boot' | 'traces' | 'telemetry'>): WorkflowSchedules {
  return new WorkflowSchedules({
    storage: storage.engine,
    payloads: payloadsOf(settings),
    resolve: (workflow) => resolve(workflow, workflows),
    namespace: settings.namespace,
    clock: storage.clock,
  });
}

/** With the schema of another `version`, if one is asked for that this process may not even know. */
function resolve(workflow: string | ClassOf<unknown>, known: WorkflowRegistry, version?: number): KnownWorkflow {
  const latest = declaredOf(workflow, known);
  if (version === undefined || version === latest.version) return latest;
  const { input: _, ...others } = latest;
  const schema = known.find(latest.name, version)?.input;
  return { ...others, ...(schema && { input: schema }) };
}

/** A class contains all traits, provider or not; of a name, this process may know nothing more. */
function declaredOf(workflow: string | ClassOf<unknown>, known: WorkflowRegistry): KnownWorkflow {
  if (typeof workflow === 'string')
    return known.has(workflow) ? known.latest(workflow) : { name: workflow, version: 1 };
  const declared = typeof workflow === 'function' ? workflowOf(workflow) : undefined;
  if (!declared) throw new UnknownWorkflowError((workflow as { name?: string } | undefined)?.name ?? String(workflow));
  const { name, version = 1 } = declared;
  return known.find(name, version) ?? { ...traitsOf(declared), name, version };
}

const outgoingOf = ({ effects: options }: DurableSettings, { effects, outbox }: Storage): OutgoingErasure =>
  erasureOfOutgoing({ effects, outbox, hasOwnAudit: options !== false && options.audit !== undefined });

/** Passes the settings object itself, because the start may lower its limits. */
const payloadsOf = ({ codec, errors, limits }: DurableSettings): Payloads =>
  new Payloads(codec, limits, new StoredTexts(codec, errors));

export interface WorkerProviders {
  settings: DurableSettings;
  storage: Storage;
  telemetry: Telemetry;
  workerId: string;
  /** Default: nothing is held. */
  held?: Held;
}

/** Creates one worker per lease duration of the steps; in most apps one. */
export function createWorkers(steps: readonly ServedStep[], providers: WorkerProviders): Worker[] {
  const { settings } = providers;
  const { worker } = settings;
  if (worker === false) return [];
  const byLease = new Map<number, HandlerRegistry>();
  const classes = new Map<object, ConcurrencyClass>();
  for (const served of steps) {
    const { leaseDuration } = served.step.worker;
    const leaseMs = leaseDuration === undefined ? worker.leaseMs : toMs(leaseDuration);
    const handlers = byLease.get(leaseMs) ?? new HandlerRegistry();
    byLease.set(leaseMs, handlers);
    handlers.register(served.step.name, served.run, handlerOptions(served, settings, worker, classes));
  }
  return [...byLease].map(([leaseMs, handlers]) => createWorker(leaseMs, handlers, worker, providers));
}

function handlerOptions(
  { step, type }: ServedStep,
  settings: DurableSettings,
  worker: WorkerSettings,
  classes: Map<object, ConcurrencyClass>,
): HandlerOptions {
  const { timeout } = step.options;
  const { concurrency } = step.worker;
  // Two classes may have the same name.
  const name = `${type.name}#${classes.size}`;
  const concurrencyClass = classes.get(type) ?? { name, ...(concurrency !== undefined && { concurrency }) };
  classes.set(type, concurrencyClass);
  return {
    concurrencyClass,
    groups: worker.groups ?? [step.group],
    retryAttempts: retryPolicy(step, settings).attempts,
    ...(timeout !== undefined && { timeoutMs: toMs(timeout) }),
  };
}

function createWorker(
  leaseMs: number,
  handlers: HandlerRegistry,
  worker: WorkerSettings,
  { settings, storage, telemetry, workerId, held }: WorkerProviders,
): Worker {
  const { concurrency, batchSize, pollMs, shutdownTimeoutMs, maxClaims, credits } = worker;
  const bounds = { leaseMs, concurrency, batchSize, pollMs, shutdownTimeoutMs, maxClaims, credits };
  const { codec, errors, limits, clock } = settings;
  const { payloadBytes: payloadLimit } = limits;
  const logs = storage.stepLogs && { logs: storage.stepLogs };
  const clocks = { clock: clock ?? systemClock, elapsed: clock ?? stopwatch };
  const contextOf = contextsOf(storage.engine.catalog);
  const { lostAttempts } = storage;
  const more = { payloadLimit, codec, errors, telemetry, lostAttempts, contextOf, ...logs, ...(held && { held }) };
  return new Worker(storage.source, handlers, { workerId, ...bounds, ...clocks, ...more });
}

/** Reads contexts of runs; calls of the same turn of the event loop share one statement. */
export function contextsOf(catalog: Pick<RunCatalog, 'contexts'>): (runId: string) => Promise<RunContext> {
  const batcher = new Batcher<string, RunContext>(async (runIds) => {
    const texts = await catalog.contexts([...new Set(runIds)]);
    return runIds.map((id) => contextIn(texts.get(id)));
  });
  return (runId) => batcher.add(runId);
}

interface ReplayProviders {
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
  const { codec, errors, retry, limits, namespace } = settings;
  const { clock, outbox, effects } = storage;
  return {
    codec,
    errors,
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
  const turns = new Semaphore(1);
  return async (history) => {
    const { workflow, version } = history.run;
    const definition = providers.workflows.find(workflow, version);
    return definition && turns.run(() => askedInputs(history, definition, parts));
  };
}

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
  const turns = new Semaphore(1);
  return async (cursor) =>
    workflows.all().length === 0
      ? undefined
      : turns.run(() => deployCheckPage({ unfinished, store, workflows }, cursor, parts));
}
