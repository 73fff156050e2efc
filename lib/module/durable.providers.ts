import { Logger, type Provider } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DurableLifecycle } from './durable.lifecycle.js';
import { DurableLog } from './durable.log.js';
import { type DurableSettings, settingsOf } from './durable-options.js';
import type { DurableModuleOptions } from './durable-options.interface.js';
import { DurableRuntime } from './durable-runtime.js';
import { ProcessRuntime } from './process-runtime.js';
import { DURABLE_EXECUTOR, DURABLE_OPTIONS, DURABLE_SETTINGS, DURABLE_STORAGE } from './durable.tokens.js';
import { effectsProviders } from './effects.providers.js';
import { createClient, createSchedules, createWaiter } from './engine.providers.js';
import { ResultWaiter } from '../engine/client/result-waiter.js';
import { WorkflowClient } from '../engine/client/workflow-client.js';
import { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import { WorkflowSchedules } from '../engine/schedules/workflow-schedules.js';
import { DeclaredRemoteSteps } from '../explorers/declared-remote-steps.js';
import { EffectExplorer } from '../explorers/effect.explorer.js';
import { OutboxDestinationExplorer } from '../explorers/outbox-destination.explorer.js';
import { RemoteStepExplorer, WorkflowExplorer } from '../explorers/workflow.explorer.js';
import { outboxProviders } from './outbox.providers.js';
import { createStorage, type Storage } from './storage.providers.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { systemClock } from '../time/clock.js';

type Change = (options: DurableModuleOptions) => DurableModuleOptions;

const making = new AsyncLocalStorage<Change>();

/** The module's options while an app is created: the given ones, unless a test replaces them. */
export const standInFor = (options: DurableModuleOptions): DurableModuleOptions =>
  making.getStore()?.(options) ?? options;

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
  { provide: DurableLog, useFactory: () => new DurableLog(new Logger('Durable'), systemClock) },
  {
    provide: Telemetry,
    inject: [DurableLog],
    useFactory: (log: DurableLog) => {
      const telemetry = new Telemetry();
      log.subscribe(telemetry);
      return telemetry;
    },
  },
  { provide: DURABLE_STORAGE, inject: [DURABLE_SETTINGS, DURABLE_EXECUTOR, Telemetry], useFactory: createStorage },
  { provide: ResultWaiter, inject: [DURABLE_STORAGE, Telemetry], useFactory: createWaiter },
  {
    provide: WorkflowClient,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE, WorkflowRegistry, ResultWaiter],
    useFactory: (settings: DurableSettings, storage: Storage, workflows: WorkflowRegistry, waiter: ResultWaiter) =>
      createClient({ settings, storage, workflows, waiter }),
  },
  {
    provide: WorkflowSchedules,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE, WorkflowRegistry],
    useFactory: (settings: DurableSettings, storage: Storage, workflows: WorkflowRegistry) =>
      createSchedules({ settings, storage, workflows }),
  },
  ...outboxProviders,
  ...effectsProviders,
  WorkflowExplorer,
  RemoteStepExplorer,
  OutboxDestinationExplorer,
  EffectExplorer,
  ProcessRuntime,
  DurableRuntime,
  DurableLifecycle,
];
