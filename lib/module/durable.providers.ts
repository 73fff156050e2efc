import { OperatorActs } from '../acts/operator-acts.js';
import type { Provider } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DurableEvents } from './durable-events.js';
import { DurableHealth } from './durable-health.js';
import { DurableLifecycle } from './durable.lifecycle.js';
import { DurableLog } from './durable.log.js';
import { type DurableSettings, settingsOf } from './durable-options.js';
import type { DurableModuleOptions } from './durable-options.interface.js';
import { DurableMetrics } from './durable-metrics.js';
import { DurableNodes } from './durable-nodes.js';
import { DurableRuntime } from './durable-runtime.js';
import { ProcessRuntime } from './process-runtime.js';
import { DURABLE_EXECUTOR, DURABLE_OPTIONS, DURABLE_SETTINGS, DURABLE_STORAGE, TRACE_API } from './durable.tokens.js';
import { DurableDoctor } from '../doctor/durable-doctor.js';
import { EffectsRole, effectsProviders } from './effects.providers.js';
import { createClient, createSchedules, createWaiter } from './engine.providers.js';
import { ResultWaiter } from '../engine/client/result-waiter.js';
import { WorkflowClient } from '../engine/client/workflow-client.js';
import { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import { WorkflowSchedules } from '../engine/schedules/workflow-schedules.js';
import { DeclaredRemoteSteps } from '../explorers/declared-remote-steps.js';
import { EffectExplorer } from '../explorers/effect.explorer.js';
import { OutboxDestinationExplorer } from '../explorers/outbox-destination.explorer.js';
import { RunHookExplorer } from '../explorers/run-hook.explorer.js';
import { RemoteStepExplorer, WorkflowExplorer } from '../explorers/workflow.explorer.js';
import { HeldNames } from '../holds/held-names.js';
import { Intake } from '../holds/intake.js';
import { MetricGauges } from './metric-gauges.js';
import { createOperator } from './operator.providers.js';
import { Operator } from '../operator/operator.js';
import { OutboxRole } from './outbox-role.js';
import type { OutboxSettings } from './outbox-options.js';
import { outboxProviders } from './outbox.providers.js';
import { replaysWith } from '../engine/check/edit-check.js';
import { inputsByReplay, replayPartsOf } from './replay.providers.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { createStorage, type Storage } from './storage.providers.js';
import { type TraceApi, traceApi } from './trace-context.js';
import { TelemetryTap } from './telemetry-tap.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { systemClock } from '../time/clock.js';
import { NestLogTarget } from './nest-log-target.js';

type Change = (options: DurableModuleOptions) => DurableModuleOptions;

const making = new AsyncLocalStorage<Change>();

/** The module's options while an app is created: the given ones, unless a test replaces them. */
const standInFor = (options: DurableModuleOptions): DurableModuleOptions => making.getStore()?.(options) ?? options;

/** Replaces options of apps created by `make`; apps created elsewhere at the same time keep their own. */
export const withStandIn = <T>(change: Change, make: () => Promise<T>): Promise<T> => making.run(change, make);

const publishedAs = ({ table, nodesTable, schema, ordering }: OutboxSettings) => ({
  table,
  nodesTable,
  schema,
  ordering,
});

/** Connects ports to their adapters; storage, engine and worker have their own files. */
export const durableProviders: Provider[] = [
  {
    provide: DURABLE_SETTINGS,
    inject: [DURABLE_OPTIONS],
    useFactory: (options: DurableModuleOptions) => settingsOf(standInFor(options)),
  },
  WorkflowRegistry,
  {
    provide: DeclaredRemoteSteps,
    inject: [DURABLE_SETTINGS],
    useFactory: ({ overrides }: DurableSettings) => new DeclaredRemoteSteps(overrides),
  },
  {
    provide: DurableLog,
    inject: [DURABLE_SETTINGS],
    useFactory: ({ errors }: DurableSettings) => new DurableLog(new NestLogTarget('Durable'), systemClock, errors),
  },
  {
    provide: Telemetry,
    inject: [DurableLog],
    useFactory: (log: DurableLog) => {
      const telemetry = new Telemetry();
      log.subscribe(telemetry);
      return telemetry;
    },
  },
  {
    provide: DURABLE_STORAGE,
    inject: [DURABLE_SETTINGS, DURABLE_EXECUTOR, Telemetry],
    useFactory: createStorage,
  },
  { provide: ResultWaiter, inject: [DURABLE_STORAGE, Telemetry], useFactory: createWaiter },
  {
    provide: WorkflowClient,
    inject: [
      ...[DURABLE_SETTINGS, DURABLE_STORAGE, WorkflowRegistry, ResultWaiter, DeclaredRemoteSteps, EffectsRole],
      ...[TRACE_API, Telemetry],
    ],
    useFactory: (
      settings: DurableSettings,
      storage: Storage,
      workflows: WorkflowRegistry,
      waiter: ResultWaiter,
      remoteSteps: DeclaredRemoteSteps,
      { parts: { rules: effectRules } }: EffectsRole,
      traces: TraceApi | undefined,
      telemetry: Telemetry,
    ) => {
      const providers = { settings, storage, workflows, remoteSteps, effectRules };
      const [inputsOf, replayOf] = [inputsByReplay(providers), replaysWith(workflows, replayPartsOf(providers))];
      // What the code traces was traced when it was played.
      const recompute: typeof inputsOf = (history) => telemetry.quietly(() => inputsOf(history));
      const replay: typeof replayOf = (run, history) => telemetry.quietly(() => replayOf(run, history));
      return createClient({ settings, storage, workflows, waiter, recompute, replay, traces, telemetry });
    },
  },
  { provide: TRACE_API, useFactory: traceApi },
  {
    provide: WorkflowSchedules,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE, WorkflowRegistry],
    useFactory: (settings: DurableSettings, storage: Storage, workflows: WorkflowRegistry) =>
      createSchedules({ settings, storage, workflows }),
  },
  {
    provide: OperatorActs,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE],
    useFactory: ({ namespace }: DurableSettings, { engine }: Storage) => new OperatorActs(engine.acts, namespace),
  },
  {
    provide: Operator,
    inject: [
      DURABLE_SETTINGS,
      DURABLE_STORAGE,
      WorkflowClient,
      WorkflowSchedules,
      OperatorActs,
      OutboxRole,
      EffectsRole,
      WorkflowRegistry,
      DeclaredRemoteSteps,
      Telemetry,
    ],
    useFactory: createOperator,
  },
  {
    provide: HeldNames,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE, Telemetry],
    useFactory: ({ namespace }: DurableSettings, { engine, notifier }: Storage, telemetry: Telemetry) =>
      new HeldNames(engine.holds, {
        namespace,
        notified: () => notifier.live,
        onError: (error) => telemetry.emit('loop.error', { loop: 'holds', error }),
      }),
  },
  { provide: Intake, inject: [HeldNames], useFactory: (held: HeldNames) => new Intake(held) },
  ...outboxProviders,
  ...effectsProviders,
  WorkflowExplorer,
  RemoteStepExplorer,
  OutboxDestinationExplorer,
  RunHookExplorer,
  EffectExplorer,
  ProcessRuntime,
  DurableRuntime,
  DurableEvents,
  DurableNodes,
  DurableHealth,
  {
    provide: DurableDoctor,
    inject: [DURABLE_SETTINGS, DURABLE_EXECUTOR],
    useFactory: ({ prefix, outbox, limits }: DurableSettings, executor: SqlExecutor | undefined) =>
      new DurableDoctor(executor, { prefix, outbox: outbox && publishedAs(outbox), payload: limits.payloadBytes }),
  },
  MetricGauges,
  TelemetryTap,
  DurableMetrics,
  DurableLifecycle,
];
