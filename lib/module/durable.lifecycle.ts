import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import { checkHook } from '../admin/check-hook.js';
import { DurableLog } from './durable.log.js';
import type { DurableSettings } from './durable-options.js';
import { ProcessRuntime } from './process-runtime.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE } from './durable.tokens.js';
import { EffectsRole } from './effects.providers.js';
import { DurableDoctor } from '../doctor/durable-doctor.js';
import { requestEnhancers } from '../explorers/enhanced-methods.js';
import { EffectExplorer } from '../explorers/effect.explorer.js';
import { OutboxDestinationExplorer } from '../explorers/outbox-destination.explorer.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { destinationOf, RunHookExplorer } from '../explorers/run-hook.explorer.js';
import { misspelt } from '../decorators/override-checks.js';
import { RemoteStepExplorer, type ServedStep, WorkflowExplorer } from '../explorers/workflow.explorer.js';
import { DeclaredDestinations } from './outbox-role.js';
import type { Storage } from './storage.providers.js';
import { systemClock } from '../time/clock.js';
import { Timers } from '../time/timers.js';

/** An app may enable shutdown hooks shortly after its start. */
const HOOKS_AFTER_MS = 2_000;

const withoutOutbox = (location: string): string =>
  `${location} is a hook of runs, which needs the outbox: remove \`outbox: false\` from the options of the module`;

/** Explores when all providers exist, starts after bootstrap, and stops before ORMs close their connections. */
@Injectable()
export class DurableLifecycle implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timers = new Timers(systemClock);

  constructor(
    @Inject(DURABLE_SETTINGS) private readonly settings: DurableSettings,
    @Inject(WorkflowExplorer) private readonly workflows: WorkflowExplorer,
    @Inject(RemoteStepExplorer) private readonly remoteSteps: RemoteStepExplorer,
    @Inject(OutboxDestinationExplorer) private readonly publishers: OutboxDestinationExplorer,
    @Inject(RunHookExplorer) private readonly hooks: RunHookExplorer,
    @Inject(DeclaredDestinations) private readonly destinations: DeclaredDestinations,
    @Inject(EffectExplorer) private readonly handlers: EffectExplorer,
    @Inject(EffectsRole) private readonly effects: EffectsRole,
    @Inject(DURABLE_STORAGE) private readonly storage: Storage,
    @Inject(ProcessRuntime) private readonly runtime: ProcessRuntime,
    @Inject(DurableDoctor) private readonly doctor: DurableDoctor,
    @Inject(DurableLog) private readonly log: DurableLog,
    @Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator,
  ) {}

  onModuleInit(): void {
    this.workflows.explore(this.settings.overrides.workflows);
    const steps = this.remoteSteps.explore();
    this.runtime.serve(steps);
    this.tellMisspelt(steps);
    if (steps.length > 0) this.log.requestEnhancers(requestEnhancers(this.contexts));
    const { outbox } = this.storage;
    const { outbox: settings } = this.settings;
    const hooks = this.hooks.explore();
    if (outbox && settings) {
      const declared = this.publishers.explore(outbox.inbox, settings.destinations, settings.codec);
      const hooked = hooks.map((hook) => destinationOf(hook, outbox, this.settings.namespace));
      this.destinations.serve([...declared, ...hooked]);
    } else if (hooks[0]) throw new ConfigurationError(withoutOutbox(hooks[0].location));
    const { effects } = this.settings;
    const { handlers, listeners } = this.effects.parts;
    if (effects) this.handlers.explore(handlers, listeners, effects.handlers);
  }

  async onApplicationBootstrap(): Promise<void> {
    const hook = checkHook();
    if (hook) return hook.found({ ...this.runtime.checked(), examine: () => this.doctor.examine() });
    if (this.settings.autoStart) await this.runtime.start();
    if (process.env['NODE_ENV'] !== 'test') this.watchForShutdownHooks();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.timers.stop();
    await this.runtime.stop();
  }

  private tellMisspelt(served: readonly ServedStep[]): void {
    const { steps, workers } = this.settings.overrides;
    const names = served.map(({ step }) => step.name);
    const classes = served.map(({ type }) => type.name);
    for (const found of misspelt(steps, names)) this.log.overridesNothing('steps', found);
    for (const found of misspelt(workers, [...new Set(classes)])) this.log.overridesNothing('workers', found);
  }

  private watchForShutdownHooks(): void {
    const isHeard = () => process.listenerCount('SIGTERM') > 0;
    this.timers.at(systemClock.now() + HOOKS_AFTER_MS, () => !isHeard() && this.log.noShutdownHooks());
  }
}
