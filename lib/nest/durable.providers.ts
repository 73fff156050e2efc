import { AsyncLocalStorage } from 'node:async_hooks';
import type { Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { OperatorActs } from '../acts/acts.js';
import { HeldNames, Intake } from '../acts/holds.js';
import { ConfigurationError } from '../core/errors.js';
import { Telemetry } from '../core/telemetry.js';
import { systemClock } from '../core/time.js';
import { DurableDoctor } from '../doctor/doctor.js';
import { WorkflowClient } from '../engine/client/client.js';
import { ResultWaiter } from '../engine/client/results.js';
import { WorkflowSchedules } from '../engine/client/schedules.js';
import { replaysWith } from '../engine/play/replay.js';
import { type RemoteStepDirectory, WorkflowRegistry } from '../engine/workflow.js';
import { Operator } from '../operate/operator.js';
import type { SqlExecutor } from '../sql/executor.js';
import {
  checkPages,
  createClient,
  createSchedules,
  createWaiter,
  inputsByReplay,
  replayPartsOf,
} from './engine.providers.js';
import { EnhancedMethods } from './enhanced-methods.js';
import {
  DeclaredRemoteSteps,
  EffectExplorer,
  OutboxDestinationExplorer,
  RemoteStepExplorer,
  RunHookExplorer,
  WorkflowExplorer,
} from './explorers.js';
import { DurableHealth, DurableNodes } from './health.js';
import { DurableEvents, DurableLog, NestLogTarget } from './log.js';
import { DurableMetrics, MetricGauges, TelemetryTap } from './metrics.js';
import {
  DURABLE_EXECUTOR,
  DURABLE_IMPORTED_AT,
  DURABLE_OPTIONS,
  DURABLE_SETTINGS,
  DURABLE_STORAGE,
  type DurableModuleOptions,
  type DurableSettings,
  settingsOf,
  TRACE_API,
} from './options.js';
import {
  effectsProviders,
  EffectsRole,
  NO_EFFECTS,
  NO_OUTBOX,
  outboxProviders,
  OutboxRole,
} from './outbox.providers.js';
import { DurableLifecycle, DurableRuntime, ProcessBoot, ProcessRuntime } from './runtime.js';
import { DurablePubSub, DurableStore } from '../store/store.js';
import { DbTransport } from '../worker/db-transport.js';
import { createStorage, type Storage } from './storage.providers.js';
import { type TraceApi, traceApi } from './trace-context.js';

/** What operators see and do, on the storage of this process. */
function createOperator(
  settings: DurableSettings,
  storage: Storage,
  client: WorkflowClient,
  scheduling: WorkflowSchedules,
  acts: OperatorActs,
  { parts: { operations } }: OutboxRole,
  { parts: { effects: calls, rules: effectRules } }: EffectsRole,
  workflows: WorkflowRegistry,
  remoteSteps: RemoteStepDirectory,
  telemetry: Telemetry,
): Operator {
  const { engine, source, clock, outbox, effects } = storage;
  const page = checkPages({ settings, storage, workflows, remoteSteps, effectRules });
  const { insight, audit } = effects ?? NO_EFFECTS;
  return new Operator({
    client,
    scheduling,
    acts,
    engine,
    source,
    namespace: settings.namespace,
    clock,
    outbox: { operations, insight: (outbox ?? NO_OUTBOX).relay.insight, isOn: !!outbox },
    effects: { effects: calls, insight, audit, isOn: !!effects },
    // What the code traces was traced when it was played.
    check: (cursor) => telemetry.quietly(() => page(cursor)),
  });
}

/** Stands for the transport of an app whose tasks are not rows: using it is refused. */
const withoutTables = (storage: string): DbTransport =>
  new Proxy(Object.create(DbTransport.prototype) as DbTransport, {
    get: (target, name) => {
      // Libraries read all methods of all providers.
      if (!Object.hasOwn(DbTransport.prototype, name) || name === 'constructor')
        return Reflect.get(target, name) as unknown;
      return () => {
        throw new ConfigurationError(
          `This app has no DbTransport, since its tasks are in ${storage}, or are sent by a transport of its own. Declare the ` +
            'step with @RemoteStep, or use the transport only where there is a database',
        );
      };
    },
  });

type Change = (options: DurableModuleOptions) => DurableModuleOptions;

const making = new AsyncLocalStorage<Change>();

/** The module's options while an app is created: the given ones, unless a test replaces them. */
const standInFor = (options: DurableModuleOptions): DurableModuleOptions => making.getStore()?.(options) ?? options;

/** Replaces options of apps created by `make`; apps created elsewhere at the same time keep their own. */
export const withStandIn = <T>(change: Change, make: () => Promise<T>): Promise<T> => making.run(change, make);

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
  {
    provide: DbTransport,
    inject: [DURABLE_STORAGE],
    useFactory: ({ transport, name }: Storage) => transport ?? withoutTables(name),
  },
  {
    provide: DurableStore,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE],
    // The settings' own limits, since the start may lower them.
    useFactory: ({ namespace, limits }: DurableSettings, { store }: Storage) =>
      new DurableStore(store.entries, { namespace, limits }),
  },
  {
    provide: DurablePubSub,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE, Telemetry],
    useFactory: ({ namespace }: DurableSettings, { store }: Storage, telemetry: Telemetry) =>
      new DurablePubSub(store.broadcasts, namespace, (error) =>
        telemetry.emit('loop.error', { loop: 'listeners of messages', error }),
      ),
  },
  {
    provide: ProcessBoot,
    inject: [ModulesContainer, WorkflowRegistry, DURABLE_SETTINGS],
    useFactory: (modules: ModulesContainer, workflows: WorkflowRegistry, { autoStart, engine }: DurableSettings) =>
      new ProcessBoot(modules, workflows, autoStart && engine !== false),
  },
  { provide: ResultWaiter, inject: [DURABLE_STORAGE, Telemetry], useFactory: createWaiter },
  {
    provide: WorkflowClient,
    inject: [
      ...[DURABLE_SETTINGS, DURABLE_STORAGE, WorkflowRegistry, ResultWaiter, DeclaredRemoteSteps, EffectsRole],
      ...[TRACE_API, Telemetry, ProcessBoot],
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
      boot: ProcessBoot,
    ) => {
      const providers = { settings, storage, workflows, remoteSteps, effectRules };
      const [inputsOf, replayOf] = [inputsByReplay(providers), replaysWith(workflows, replayPartsOf(providers))];
      // What the code traces was traced when it was played.
      const recompute: typeof inputsOf = (history) => telemetry.quietly(() => inputsOf(history));
      const replay: typeof replayOf = (run, history) => telemetry.quietly(() => replayOf(run, history));
      return createClient({ settings, storage, workflows, waiter, boot, recompute, replay, traces, telemetry });
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
  EnhancedMethods,
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
    useFactory: ({ prefix, schema, outbox, limits }: DurableSettings, executor: SqlExecutor | undefined) =>
      new DurableDoctor(executor, { prefix, schema, outbox, payload: limits.payloadBytes }),
  },
  MetricGauges,
  TelemetryTap,
  DurableMetrics,
  DurableLifecycle,
];

/** The line of the app's code that calls the function of the module which asks, for error messages. */
export function importedAt(): string {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, importedAt);
  const [, , frame = ''] = (trace.stack ?? '').split('\n');
  return frame.trim().replace(/^at /, '') || 'an unknown line';
}

/**
 * Two of them would execute every workflow and every step of the app twice, each with its own options.
 *
 * @throws ConfigurationError
 */
export function checkImportedOnce(modules: ModulesContainer): void {
  const locations = [...modules.values()].flatMap(({ providers }) => {
    const found = providers.get(DURABLE_IMPORTED_AT);
    return found ? [String(found.instance)] : [];
  });
  if (locations.length < 2) return;
  throw new ConfigurationError(
    `DurableModule is imported ${locations.length} times, by ${locations.join(' and ')}: import it once, in the root module. ` +
      'It is global, so all other modules can inject its providers without importing it',
  );
}
