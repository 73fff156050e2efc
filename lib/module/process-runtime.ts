import { Inject, Injectable } from '@nestjs/common';
import type { CheckedApp } from '../admin/check-hook.js';
import { checkRuns } from './check.providers.js';
import { DurableLog } from './durable.log.js';
import type { DurableSettings } from './durable-options.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE } from './durable.tokens.js';
import { type EffectsParts, EffectsRole } from './effects.providers.js';
import { createEngine, type EngineRole } from './engine.providers.js';
import { ResultWaiter } from '../engine/client/result-waiter.js';
import { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import { ConfigurationError, DatabaseError } from '../errors.js';
import { DeclaredRemoteSteps } from '../explorers/declared-remote-steps.js';
import type { ServedStep } from '../explorers/workflow.explorer.js';
import { untilBack } from '../leasing/until-back.js';
import { nodeName } from './node-name.js';
import { OutboxRole } from './outbox-role.js';
import type { Storage } from './storage.providers.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { createWorkers } from './worker.providers.js';
import type { Worker } from '../worker/worker.js';

/** All parts of a runtime. */
export interface RuntimeParts {
  settings: DurableSettings;
  storage: Storage;
  telemetry: Telemetry;
  workflows: WorkflowRegistry;
  remoteSteps: DeclaredRemoteSteps;
  steps: readonly ServedStep[];
  engine: EngineRole | undefined;
  workers: readonly Worker[];
  effects: EffectsParts;
}

/** How long the start waits for an unavailable database. */
const PATIENCE_MS = 120_000;
const RETRY = { delay: 500, factor: 2, maxDelay: '5s' } as const;

/** Starts and stops everything that this process runs. Apps use it through {@link DurableRuntime}. */
@Injectable()
export class ProcessRuntime {
  private steps: readonly ServedStep[] = [];
  private engine: EngineRole | undefined;
  private workers: readonly Worker[] = [];
  private starting: Promise<void> | undefined;
  private readonly stopped = new AbortController();

  constructor(
    @Inject(DURABLE_SETTINGS) private readonly settings: DurableSettings,
    @Inject(DURABLE_STORAGE) private readonly storage: Storage,
    @Inject(Telemetry) private readonly telemetry: Telemetry,
    @Inject(WorkflowRegistry) private readonly workflows: WorkflowRegistry,
    @Inject(DeclaredRemoteSteps) private readonly remoteSteps: DeclaredRemoteSteps,
    @Inject(ResultWaiter) private readonly waiter: ResultWaiter,
    @Inject(OutboxRole) private readonly outbox: OutboxRole,
    @Inject(EffectsRole) private readonly effects: EffectsRole,
    @Inject(DurableLog) private readonly log: DurableLog,
  ) {}

  /** Sets the steps to run, once the container has been explored. */
  serve(steps: readonly ServedStep[]): void {
    this.steps = steps;
  }

  start(): Promise<void> {
    if (this.stopped.signal.aborted) {
      return Promise.reject(new ConfigurationError('The runtime was stopped: create a new application'));
    }
    this.starting ??= this.startOnce().catch((error: unknown) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.starting?.catch(() => undefined);
    await Promise.all([
      this.settle('the outbox', this.outbox.stop()),
      this.settle('effects', this.effects.stop()),
      ...this.workers.map((worker) => this.settle('a worker', worker.stop())),
      this.settle('the engine', this.engine?.stop()),
    ]);
    this.workers = [];
    this.engine = undefined;
    await this.settle('the wait for results', this.waiter.stop());
    await this.settle('notifications', this.storage.notifier.stop());
  }

  vacuum(): Promise<number> {
    return this.storage.vacuum();
  }

  /** For the testing kit: to run this app's workflows elsewhere and to detect whether they are idle. */
  get parts(): RuntimeParts {
    const { settings, storage, telemetry, workflows, remoteSteps, steps, engine, workers } = this;
    const { parts: effects } = this.effects;
    return { settings, storage, telemetry, workflows, remoteSteps, steps, engine, workers, effects };
  }

  /** The interface for `nest-durable check`. */
  checked(): CheckedApp {
    const { settings, storage, workflows, remoteSteps } = this;
    const { rules: effectRules } = this.effects.parts;
    const parts = { settings, storage, workflows, remoteSteps, effectRules };
    return { namespace: settings.namespace, check: (options) => checkRuns(parts, options) };
  }

  private async startOnce(): Promise<void> {
    const { settings, storage, telemetry, workflows, remoteSteps, log } = this;
    const node = nodeName(settings);
    await this.patiently(async () => log.migrated(await storage.prepare()));
    await this.patiently(() => this.fitPayloads());
    storage.notifier.start();
    try {
      const { rules: effectRules } = this.effects.parts;
      const engine = createEngine({ settings, storage, telemetry, workflows, remoteSteps, node, effectRules });
      if (engine) await this.patiently(() => engine.start());
      this.engine = engine;
      this.workers = createWorkers(this.steps, { settings, storage, telemetry, workerId: node.id });
      await this.patiently(() => this.outbox.start());
    } catch (error) {
      await this.settle('the engine', this.engine?.stop());
      this.engine = undefined;
      this.workers = [];
      await this.settle('notifications', storage.notifier.stop());
      throw error;
    }
    for (const worker of this.workers) worker.start();
    this.effects.start();
    log.started(node.roles, storage.name);
  }

  /** Lowers the payload limit to what the server accepts, so that larger payloads are refused early. */
  private async fitPayloads(): Promise<void> {
    const { limits } = this.settings;
    const largest = await this.storage.largestPayload?.();
    if (largest === undefined || largest >= limits.payloadBytes) return;
    this.log.payloadsLimited(limits.payloadBytes, largest);
    limits.payloadBytes = largest;
  }

  private async patiently(work: () => Promise<void>): Promise<void> {
    let waitedMs = 0;
    const passes = (error: unknown) => error instanceof DatabaseError && error.transient && waitedMs < PATIENCE_MS;
    const onFailure = (error: unknown, _: number, waitMs: number) => {
      this.log.databaseAway(error, waitMs);
      waitedMs += waitMs;
    };
    await untilBack(work, { stopped: this.stopped.signal, passes, onFailure, retry: RETRY });
  }

  /** Logs a part's failure to stop, so that the others still stop. */
  private async settle(what: string, stopping: Promise<void> | undefined): Promise<void> {
    try {
      await stopping;
    } catch (error) {
      this.log.stopFailed(what, error);
    }
  }
}
