import type { DurableSettings, WorkerSettings } from './durable-options.js';
import type { RunCatalog } from '../engine/model/run-catalog.js';
import { contextIn, type RunContext } from '../engine/model/run-context.js';
import { retryPolicy } from '../engine/model/retry-policy.js';
import type { ServedStep } from '../explorers/workflow.explorer.js';
import type { Held } from '../holds/held-names.js';
import type { Storage } from './storage.providers.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { stopwatch, systemClock } from '../time/clock.js';
import { Batcher } from '../time/batcher.js';
import { toMs } from '../time/duration.js';
import { type ConcurrencyClass, type HandlerOptions, HandlerRegistry } from '../worker/handler-registry.js';
import { Worker } from '../worker/worker.js';

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
  const { concurrency, batchSize, pollMs, shutdownTimeoutMs, maxClaims } = worker;
  const bounds = { leaseMs, concurrency, batchSize, pollMs, shutdownTimeoutMs, maxClaims };
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
