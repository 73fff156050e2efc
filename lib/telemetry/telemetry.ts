/** Identifies a task in events. Payloads never appear in events. */
export interface TaskEvent {
  stepId: string;
  runId: string;
  name: string;
  group: string;
  attempt: number;
}

/** All events of a worker. */
export interface WorkerEvents {
  'task.claimed': TaskEvent & { reclaimed: boolean };
  'task.completed': TaskEvent & { durationMs: number };
  'task.failed': TaskEvent & { durationMs: number; error: { name?: string; message: string; code?: string } };
  /** Another worker may have claimed the task: the handler's signal was aborted and its result discarded. */
  'task.lease-lost': TaskEvent;
  /** Released for other workers: it did not start, the claim returned after its lease, or the process stops. */
  'task.released': TaskEvent & { reason: 'shutdown' | 'no-handler' | 'late' };
  /** The database rejected the values of the answer; a failure with a plain message was reported instead. */
  'task.report-refused': { stepId: string; error: unknown };
  /** Tasks wait in this worker's groups and it has no handler for them. */
  'task.unserved': { name: string; group: string; count: number; since: number };
  /** Log lines of handlers that were dropped, because the database did not store them in time. */
  'step.log-dropped': { lines: number; error: unknown };
  'step.log': {
    level: 'debug' | 'info' | 'warn' | 'error';
    message: string;
    fields?: Record<string, unknown>;
    stepId: string;
    name: string;
  };
}

/** All events of an engine. */
export interface EngineEvents {
  /** A run left memory: it ended, was parked, or is blocked for `reason`. */
  'run.left': { runId: string; workflow: string; status: string; reason?: string; detail?: string };
  /** Another process owns the run, or it was cancelled: this process's later work on it is discarded. */
  'run.lost': { runId: string; workflow: string };
  /** An unexpected error occurred while executing the run; it is released to another process. */
  'run.broken': { runId: string; workflow: string; error: unknown };
  /** A payload is close to the limit: store it elsewhere and pass a reference. */
  'payload.large': { what: string; bytes: number };
  /** Replaying a run with this many steps is slow: continue it as new, or split it. */
  'history.long': { runId: string; workflow: string; steps: number };
  /**
   * The database lost commits that it had confirmed: a standby that lagged behind was promoted, or a backup was
   * restored. Runs in this process had newer state; `runIds` are the first of them.
   */
  'history.lost': { runs: number; runIds: readonly string[] };
  /** The database ended a step's transaction: connection lost, or read-only server. The attempt is not counted. */
  'transaction.lost': { stepId: string; name: string; workflow: string; error: unknown; retryInMs: number };
  /** Runs of dead processes were released. */
  'runs.reaped': { runs: number };
  /** Another process still writes through another server of the cluster: the two servers do not share row locks. */
  'writers.split': { nodeId: string; server: string; here: string };
  /** Runs whose retention period had passed were deleted. */
  'runs.purged': { runs: number };
}

/** Events of schedules. */
export interface ScheduleEvents {
  /** Runs started, one for each scheduled time. */
  'schedule.fired': { scheduleId: string; workflow: string; runIds: readonly string[] };
  /** Scheduled times passed without a run, because the previous run had not ended. */
  'schedule.skipped': { scheduleId: string; workflow: string; times: number };
  /** A schedule could not fire and is retried; all others continue. */
  'schedule.failed': { scheduleId: string; workflow: string; error: unknown; retryInMs?: number };
}

/** Events of the outbox. Event data never appears in them. */
export interface OutboxEvents {
  'outbox.delivered': { destination: string; events: number };
  /** The first event of a channel could not be delivered and is retried. */
  'outbox.failed': { destination: string; channel: string; sequenceId: string; error: string; retryInMs: number };
  /** It is not retried automatically: its channel is blocked, or the event was set aside. */
  'outbox.poisoned': {
    destination: string;
    channel: string;
    sequenceId: string;
    error: string;
    outcome: 'block' | 'park' | 'park-channel';
  };
  /** An event became visible with a lower number than one already delivered of its channel. */
  'outbox.late': { destination: string; channel: string; sequenceId: string };
  /**
   * After a failover of MySQL or MariaDB this relay cannot advance the event numbers: its role may not insert events,
   * or `sequence_id` is narrower than bigint. Numbers of lost commits may be assigned again.
   */
  'outbox.numbers-stay': { why: 'denied' | 'narrow' };
  /** Other processes took shards that this one had not handed over. */
  'outbox.shards-lost': { shards: number };
}

/** Identifies a call in events. The ref, the subject and the payload never appear in them. */
export interface EffectEvent {
  entryId: string;
  handler: string;
  operation: string;
  attempt: number;
}

/** Events of calls to the outside world. Errors are classes, never messages. */
export interface EffectEvents {
  'effects.succeeded': EffectEvent & { alreadyAbsent: boolean };
  /** It is retried. */
  'effects.failed': EffectEvent & { error: string; retryInMs: number };
  /** It is not retried until a person requeues it. */
  'effects.abandoned': EffectEvent & { error: string };
  /** Its handler is called again at `until`, epoch ms. */
  'effects.scheduled': EffectEvent & { until: number };
  /** The last open call of an operation for one of its subjects has succeeded. */
  'effects.completed': { operation: string };
  /** Another process holds or may hold its lease: its result was not written. */
  'effects.lease-lost': EffectEvent;
  /** Its result could not be written, or a completion listener threw: it is made again after its lease. */
  'effects.settle-failed': EffectEvent & { error: string };
  /** An abandonment listener threw. This had no other effect. */
  'effects.listener-failed': EffectEvent & { error: string };
  /** Calls have been due since `since` (epoch ms), and no process claims them. */
  'effects.unclaimed': { handler: string; since: number; ageMs: number };
}

/** Events of the app's connection pool. */
export interface ConnectionEvents {
  /**
   * The app returned or abandoned a connection with an open transaction, which was rolled back. `statement` is the last
   * one sent on it, without values.
   */
  'connection.left-open': { statement?: string };
}

/** Errors in a background loop, which continues. */
export interface LoopEvents {
  'loop.error': { loop: string; error: unknown };
}

/** All events by name. */
export interface TelemetryEvents
  extends WorkerEvents, EngineEvents, ScheduleEvents, OutboxEvents, EffectEvents, ConnectionEvents, LoopEvents {}

export type TelemetryListener<Name extends keyof TelemetryEvents> = (event: TelemetryEvents[Name]) => void;

type AnyListener = (event: unknown) => void;

/** Calls listeners of events. Errors of a listener are ignored, and it is never awaited. */
export class Telemetry {
  private readonly listeners = new Map<keyof TelemetryEvents, Set<AnyListener>>();

  /** Returns a function that removes the listener. */
  on<Name extends keyof TelemetryEvents>(name: Name, listener: TelemetryListener<Name>): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners);
    listeners.add(listener as AnyListener);
    return () => void listeners.delete(listener as AnyListener);
  }

  /** Whether the event has a listener; without one, it need not be built. */
  hears(name: keyof TelemetryEvents): boolean {
    return (this.listeners.get(name)?.size ?? 0) > 0;
  }

  emit<Name extends keyof TelemetryEvents>(name: Name, event: TelemetryEvents[Name]): void {
    for (const listener of this.listeners.get(name) ?? []) {
      try {
        // Rejections of async listeners are ignored like errors.
        void Promise.resolve(listener(event) as unknown).catch(() => {});
      } catch {
        // Ignored: see above.
      }
    }
  }
}
