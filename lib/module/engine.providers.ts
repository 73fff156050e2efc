import { traitsOf, workflowOf } from '../decorators/declarations.js';
import type { DurableSettings } from './durable-options.js';
import { callsOf, outboxStepEvents } from './outgoing-of-steps.js';
import type { OperationRules } from '../effects/checked-operation.js';
import { composeEngine, type ComposedEngine } from '../engine/compose/compose-engine.js';
import type { NodeIdentity } from '../engine/model/node-record.js';
import { withStoredErrors } from '../engine/compose/stored-answers.js';
import { StoredTexts } from '../protocol/stored-texts.js';
import type { Held } from '../holds/held-names.js';
import { erasureOfOutgoing } from './erasure-of-outgoing.js';
import { callsInSight, storyOfOutgoing } from '../admin/outgoing-in-sight.js';
import type { OutgoingErasure } from '../engine/model/outgoing-erasure.js';
import { Payloads } from '../engine/model/payloads.js';
import type { RecomputeInputs } from '../engine/insight/recorded-history.js';
import type { ReplayOf } from '../engine/model/run-edits.js';
import type { RemoteStepDirectory } from '../engine/model/remote-step-directory.js';
import { contextTextWithTrace } from '../engine/model/run-context.js';
import { startOf } from '../engine/model/traced-start.js';
import type { NewRun } from '../engine/model/run.js';
import { ResultWaiter } from '../engine/client/result-waiter.js';
import { WorkflowClient } from '../engine/client/workflow-client.js';
import { WorkflowSchedules } from '../engine/schedules/workflow-schedules.js';
import type { ClassOf } from '../engine/model/workflow-context.js';
import type { KnownWorkflow, WorkflowRegistry } from '../engine/model/workflow-registry.js';
import { UnknownWorkflowError } from '../errors/code-errors.js';
import { purgesOfSlices } from './retention-of-slices.js';
import { eventLimits } from './outbox-options.js';
import type { Storage } from './storage.providers.js';
import { type TraceApi, traceContextOf } from './trace-context.js';
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
      ...(outbox && { events: outboxStepEvents(outbox.writer, eventLimits(settings)) }),
      ...callsOf(effects, effectRules, clock),
      purges: purgesOfSlices(settings.engine.retention, storage),
      outgoing: outgoingOf(settings, storage),
    },
    { ...settings.engine, node, notified: () => notifier.live, ...(held && { held }), onDraining },
  );
}

export interface ClientProviders extends Pick<EngineProviders, 'settings' | 'storage' | 'workflows'> {
  waiter: ResultWaiter;
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
  const { settings, storage, workflows, waiter, recompute, replay, traces, telemetry } = providers;
  const payloads = payloadsOf(settings);
  const dispatcher = withStoredErrors(storage.engine.dispatcher, payloads, storage.engine.catalog);
  return new WorkflowClient({
    storage: { ...storage.engine, dispatcher },
    payloads,
    outgoing: outgoingOf(settings, storage),
    outgoingStory: storyOfOutgoing(storage),
    waiter,
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
): { context?: (run: NewRun) => string | undefined } {
  if (!contextFrom && !traces) return {};
  return {
    context: (run) => {
      const named = contextFrom?.();
      const tracing = telemetry?.tracing;
      const trace = tracing ? tracing.told(startOf(run)) : traceContextOf(traces);
      return contextTextWithTrace(named, trace);
    },
  };
}

export function createSchedules({
  settings,
  storage,
  workflows,
}: Omit<ClientProviders, 'waiter' | 'traces' | 'telemetry'>): WorkflowSchedules {
  return new WorkflowSchedules({
    storage: storage.engine,
    payloads: payloadsOf(settings),
    resolve: (workflow) => resolve(workflow, workflows),
    namespace: settings.namespace,
    clock: storage.clock,
  });
}

/** With the schema of another `version`, if one is asked for that this process may not even know. */
export function resolve(workflow: string | ClassOf<unknown>, known: WorkflowRegistry, version?: number): KnownWorkflow {
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
