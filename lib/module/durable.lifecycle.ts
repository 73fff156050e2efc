import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { checkHook } from '../admin/check-hook.js';
import { DurableLog } from './durable.log.js';
import type { DurableSettings } from './durable-options.js';
import { ProcessRuntime } from './process-runtime.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE } from './durable.tokens.js';
import { EffectsRole } from './effects.providers.js';
import { EffectExplorer } from '../explorers/effect.explorer.js';
import { OutboxDestinationExplorer } from '../explorers/outbox-destination.explorer.js';
import { RemoteStepExplorer, WorkflowExplorer } from '../explorers/workflow.explorer.js';
import { DeclaredDestinations } from './outbox-role.js';
import type { Storage } from './storage.providers.js';
import { systemClock } from '../time/clock.js';
import { Timers } from '../time/timers.js';

/** An app may enable shutdown hooks shortly after its start. */
const HOOKS_AFTER_MS = 2_000;

/** Explores when all providers exist, starts after bootstrap, and stops before ORMs close their connections. */
@Injectable()
export class DurableLifecycle implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timers = new Timers(systemClock);

  constructor(
    @Inject(DURABLE_SETTINGS) private readonly settings: DurableSettings,
    @Inject(WorkflowExplorer) private readonly workflows: WorkflowExplorer,
    @Inject(RemoteStepExplorer) private readonly remoteSteps: RemoteStepExplorer,
    @Inject(OutboxDestinationExplorer) private readonly publishers: OutboxDestinationExplorer,
    @Inject(DeclaredDestinations) private readonly destinations: DeclaredDestinations,
    @Inject(EffectExplorer) private readonly handlers: EffectExplorer,
    @Inject(EffectsRole) private readonly effects: EffectsRole,
    @Inject(DURABLE_STORAGE) private readonly storage: Storage,
    @Inject(ProcessRuntime) private readonly runtime: ProcessRuntime,
    @Inject(DurableLog) private readonly log: DurableLog,
  ) {}

  onModuleInit(): void {
    this.workflows.explore(this.settings.overrides.workflows);
    this.runtime.serve(this.remoteSteps.explore());
    const { outbox } = this.storage;
    const { outbox: settings } = this.settings;
    if (outbox && settings) this.destinations.serve(this.publishers.explore(outbox.inbox, settings.destinations));
    const { effects } = this.settings;
    const { handlers, listeners } = this.effects.parts;
    if (effects) this.handlers.explore(handlers, listeners, effects.handlers);
  }

  async onApplicationBootstrap(): Promise<void> {
    const hook = checkHook();
    if (hook) return hook.found(this.runtime.checked());
    if (this.settings.autoStart) await this.runtime.start();
    if (process.env['NODE_ENV'] !== 'test') this.watchForShutdownHooks();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.timers.stop();
    await this.runtime.stop();
  }

  private watchForShutdownHooks(): void {
    const isHeard = () => process.listenerCount('SIGTERM') > 0;
    this.timers.at(systemClock.now() + HOOKS_AFTER_MS, () => !isHeard() && this.log.noShutdownHooks());
  }
}
