import {
  type DynamicModule,
  type InjectionToken,
  Module,
  type OptionalFactoryDependency,
  type Provider,
} from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { OperatorActs } from './acts/acts.js';
import { ConfigurationError } from './core/errors.js';
import { DurableDoctor } from './doctor/doctor.js';
import { Effects } from './effects/effects.js';
import { EffectRunner } from './effects/runner.js';
import { WorkflowClient } from './engine/client/client.js';
import { WorkflowSchedules } from './engine/client/schedules.js';
import { checkImportedOnce, durableProviders, importedAt } from './nest/durable.providers.js';
import { DurableHealth, DurableNodes } from './nest/health.js';
import { DurableEvents } from './nest/log.js';
import { DurableMetrics, TelemetryTap } from './nest/metrics.js';
import {
  type ConnectionOptions,
  DURABLE_EXECUTOR,
  DURABLE_IMPORTED_AT,
  DURABLE_OPTIONS,
  DURABLE_SETTINGS,
  type DurableModuleAsyncOptions,
  type DurableModuleOptions,
  type DurableSettings,
  optionsProviders,
  settingsOf,
} from './nest/options.js';
import { DurableRuntime } from './nest/runtime.js';
import { executorOf, type OrmCandidate, ormCandidates } from './nest/storage.providers.js';
import { Operator } from './operate/operator.js';
import { Outbox, OutboxOperations } from './outbox/outbox.js';
import { OutboxRelay } from './outbox/relay.js';
import type { SqlExecutor } from './sql/executor.js';
import { ambientOfHosts } from './sql/typeorm.js';
import { DurablePubSub, DurableStore } from './store/store.js';
import { DbTransport } from './worker/db-transport.js';

/**
 * Durable workflows and remote steps in the app's own database. Global: import it once, next to the module of the ORM.
 *
 * @example
 * \@Module({
 *   imports: [TypeOrmModule.forRoot({ type: 'postgres', … }), DurableModule.forRoot()],
 *   providers: [CheckoutWorkflow, PaymentSteps],
 * })
 * export class AppModule {}
 */
@Module({})
export class DurableModule {
  /** @throws InvalidArgumentError synchronously for an invalid option. */
  static forRoot(options: DurableModuleOptions = {}): Promise<DynamicModule> {
    settingsOf(options);
    const location = importedAt();
    const provider = { provide: DURABLE_OPTIONS, useValue: options };
    const isGiven = options.executor || options.backend || options.transport instanceof DbTransport;
    const candidates = isGiven ? Promise.resolve([]) : ormCandidates(options);
    return candidates.then((found) => definition(location, [provider], [], executorProvider(found, options)));
  }

  /**
   * Like `forRoot`, with options that come from other providers. Set `connection` here, not in the options that the
   * factory returns.
   */
  static forRootAsync(options: DurableModuleAsyncOptions): Promise<DynamicModule> {
    const providers = optionsProviders(options);
    const location = importedAt();
    return ormCandidates(options).then((candidates) =>
      definition(location, providers, options.imports ?? [], executorProvider(candidates, options)),
    );
  }
}

function definition(
  location: string,
  options: Provider[],
  imports: NonNullable<DynamicModule['imports']>,
  executor: Provider,
): DynamicModule {
  return {
    module: DurableModule,
    global: true,
    imports: [DiscoveryModule, ...imports],
    providers: [{ provide: DURABLE_IMPORTED_AT, useValue: location }, ...options, executor, ...durableProviders],
    exports: [
      ...[
        WorkflowClient,
        WorkflowSchedules,
        Operator,
        OperatorActs,
        DurableRuntime,
        DurableEvents,
        DurableNodes,
        DurableHealth,
        DurableDoctor,
        DurableMetrics,
        TelemetryTap,
        DbTransport,
        DurableStore,
        DurablePubSub,
      ],
      ...[Outbox, OutboxRelay, OutboxOperations, Effects, EffectRunner],
    ],
  };
}

function executorProvider(candidates: readonly OrmCandidate[], known: ConnectionOptions): Provider {
  const present = candidates.filter(
    (candidate): candidate is OrmCandidate & { token: InjectionToken } => candidate.token !== undefined,
  );
  const optional = present.map(({ token }): OptionalFactoryDependency => ({ token, optional: true }));
  return {
    provide: DURABLE_EXECUTOR,
    inject: [DURABLE_SETTINGS, ModulesContainer, ...optional],
    useFactory: (settings: DurableSettings, modules: ModulesContainer, ...handles: unknown[]) => {
      checkImportedOnce(modules);
      if (settings.executor || settings.backend) return withAmbient(settings.executor, settings, modules);
      if (settings.connection !== undefined && settings.connection !== known.connection) {
        throw new ConfigurationError(
          `connection "${settings.connection}" is needed before the factory is called: ` +
            `write forRootAsync({ connection: '${settings.connection}', … }) instead`,
        );
      }
      const tokens = () => [...modules.values()].flatMap(({ providers }) => [...providers.keys()]);
      const ordered = candidates.map((candidate) => handles[present.indexOf(candidate as (typeof present)[number])]);
      const executor = executorOf(candidates, ordered, tokens, {
        ...known,
        ...(settings.orm && { orm: settings.orm }),
      });
      return withAmbient(executor, settings, modules);
    },
  };
}

const hasMethods = (of: unknown, ...names: string[]): of is { prototype: unknown } =>
  names.every((name) => typeof (of as Record<string, unknown> | null | undefined)?.[name] === 'function');

/** Tells it of the transactions of decorators, whose providers may be made later. */
function withAmbient<Executor extends SqlExecutor | undefined>(
  executor: Executor,
  { ambient }: DurableSettings,
  modules: ModulesContainer,
): Executor {
  // By its methods, since bundlers rename classes; the static one tells it from a class of the app around it.
  const isHost = ({ metatype }: InstanceWrapper) =>
    hasMethods(metatype, 'getInstance') && hasMethods(metatype.prototype, 'withTransaction', 'withoutTransaction');
  let hosts: readonly InstanceWrapper[] | undefined;
  executor?.findAmbientBy?.((connection) => {
    if (ambient) return ambient;
    hosts ??= [...modules.values()].flatMap(({ providers }) => [...providers.values()].filter(isHost));
    return ambientOfHosts(
      hosts.map(({ instance }) => instance as unknown),
      connection,
    );
  });
  return executor;
}
