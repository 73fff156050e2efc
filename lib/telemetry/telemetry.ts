/** What identifies a task in events. Payloads never appear in them. */
export interface TaskEvent {
  stepId: string;
  runId: string;
  name: string;
  group: string;
  attempt: number;
}

/** Everything a worker tells about itself. */
export interface WorkerEvents {
  'task.claimed': TaskEvent & { reclaimed: boolean };
  'task.completed': TaskEvent & { durationMs: number };
  'task.failed': TaskEvent & { durationMs: number; error: { name?: string; message: string; code?: string } };
  /** The lease went to somebody else, or could not be renewed in time: the handler's signal was aborted, its answer not written. */
  'task.lease-lost': TaskEvent;
  /** Given up so that others may run it at once: it never began, the claim was answered after its lease, or the process stops. */
  'task.released': TaskEvent & { reason: 'shutdown' | 'no-handler' | 'late' };
  /** The database refused the values of the answer; a failure with a plain message was reported in its place. */
  'task.report-refused': { stepId: string; error: unknown };
  /** Tasks wait in this worker's groups and it has no handler for them. */
  'task.unserved': { name: string; group: string; count: number; since: number };
  /** Lines of handlers that are not kept with their steps: the database would not have them in time. */
  'step.log-dropped': { lines: number; error: unknown };
  'step.log': {
    level: 'debug' | 'info' | 'warn' | 'error';
    message: string;
    fields?: Record<string, unknown>;
    stepId: string;
    name: string;
  };
}

/** Everything an engine tells about itself. */
export interface EngineEvents {
  /** A run was left: it ended, was parked, or stands still for `reason`. */
  'run.left': { runId: string; workflow: string; status: string; reason?: string; detail?: string };
  /** Another process has the run, or it was cancelled: what this process did with it since counts for nothing. */
  'run.lost': { runId: string; workflow: string };
  /** Something unforeseen went wrong around the run; it is given to another process. */
  'run.broken': { runId: string; workflow: string; error: unknown };
  /** A payload comes near the limit: it should be stored elsewhere, with a reference in its place. */
  'payload.large': { what: string; bytes: number };
  /** A run has recorded so many steps that replaying it takes time: it should continue as new, or be several. */
  'history.long': { runId: string; workflow: string; steps: number };
  /**
   * The database does not have what it had confirmed: a standby that was behind took over, or a backup was restored. Runs
   * of this process were ahead of it; `runIds` are the first of them.
   */
  'history.lost': { runs: number; runIds: readonly string[] };
  /** The database ended the transaction of a step: its connection was lost, or the server takes no writes. No attempt counts. */
  'transaction.lost': { stepId: string; name: string; workflow: string; error: unknown; retryInMs: number };
  /** Runs of dead processes were set free. */
  'runs.reaped': { runs: number };
  /** Another process goes on writing through another server of the cluster: row locks of the one do not hold for the other. */
  'writers.split': { nodeId: string; server: string; here: string };
  /** Runs that ended long ago were deleted by policy. */
  'runs.purged': { runs: number };
}

/** What becomes of schedules. */
export interface ScheduleEvents {
  /** Runs began, each for one of its times. */
  'schedule.fired': { scheduleId: string; workflow: string; runIds: readonly string[] };
  /** Times came and began no run, because the one before had not ended. */
  'schedule.skipped': { scheduleId: string; workflow: string; times: number };
  /** It could not fire and is tried again; all others go on. */
  'schedule.failed': { scheduleId: string; workflow: string; error: unknown; retryInMs?: number };
}

/** What becomes of events of the outbox. Their data never appears. */
export interface OutboxEvents {
  'outbox.delivered': { destination: string; events: number };
  /** The first event of a channel was not taken, and is tried again. */
  'outbox.failed': { destination: string; channel: string; sequenceId: string; error: string; retryInMs: number };
  /** It is not tried again by itself: its channel stands still, or it was put aside. */
  'outbox.poisoned': {
    destination: string;
    channel: string;
    sequenceId: string;
    error: string;
    outcome: 'block' | 'park' | 'park-channel';
  };
  /** An event became visible with a number below one that was delivered of its channel before. */
  'outbox.late': { destination: string; channel: string; sequenceId: string };
  /**
   * Another server of MySQL or MariaDB has taken over, and this relay cannot have numbers jump: its role may write no events,
   * or `sequence_id` is narrower than bigint. What lost commits had given may come again.
   */
  'outbox.numbers-stay': { why: 'denied' | 'narrow' };
  /** Parts of the channels went to other processes without having been handed over. */
  'outbox.shards-lost': { shards: number };
}

/** What identifies a call in events. What it is about, whom, and what it carries never appear in them. */
export interface EffectEvent {
  entryId: string;
  handler: string;
  operation: string;
  attempt: number;
}

/** What becomes of calls to the outside world. Errors are classes, never messages. */
export interface EffectEvents {
  'effects.succeeded': EffectEvent & { alreadyAbsent: boolean };
  /** It is tried again. */
  'effects.failed': EffectEvent & { error: string; retryInMs: number };
  /** It is tried no more, until somebody requeues it. */
  'effects.abandoned': EffectEvent & { error: string };
  /** Its handler is called again at `until`, epoch ms. */
  'effects.scheduled': EffectEvent & { until: number };
  /** The last open call of an operation for one of its subjects has succeeded. */
  'effects.completed': { operation: string };
  /** Its lease went to somebody else, or may have: what it came to was not written. */
  'effects.lease-lost': EffectEvent;
  /** What it came to could not be written, or who listens for the completion threw: it is made again after its lease. */
  'effects.settle-failed': EffectEvent & { error: string };
  /** A method that wants to know of abandoned calls threw. Nothing else was changed by that. */
  'effects.listener-failed': EffectEvent & { error: string };
  /** Calls have been due since `since` (epoch ms), and no process takes them. */
  'effects.unclaimed': { handler: string; since: number; ageMs: number };
}

/** What becomes of connections of the app's pool. */
export interface ConnectionEvents {
  /**
   * Code of the app gave a connection back, or left it, with a transaction open: that was rolled back. `statement` is the
   * last one that was sent on it, without values.
   */
  'connection.left-open': { statement?: string };
}

/** Trouble in a loop that goes on by itself. */
export interface LoopEvents {
  'loop.error': { loop: string; error: unknown };
}

/** Every event by its name. */
export interface TelemetryEvents
  extends WorkerEvents, EngineEvents, ScheduleEvents, OutboxEvents, EffectEvents, ConnectionEvents, LoopEvents {}

export type TelemetryListener<Name extends keyof TelemetryEvents> = (event: TelemetryEvents[Name]) => void;

type AnyListener = (event: unknown) => void;

/** Tells whoever listens what happened. A listener that fails breaks nothing, and nobody waits for one. */
export class Telemetry {
  private readonly listeners = new Map<keyof TelemetryEvents, Set<AnyListener>>();

  /** Returns a function that ends it. */
  on<Name extends keyof TelemetryEvents>(name: Name, listener: TelemetryListener<Name>): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners);
    listeners.add(listener as AnyListener);
    return () => void listeners.delete(listener as AnyListener);
  }

  /** Whether anybody listens: an event nobody hears need not be made up. */
  hears(name: keyof TelemetryEvents): boolean {
    return (this.listeners.get(name)?.size ?? 0) > 0;
  }

  emit<Name extends keyof TelemetryEvents>(name: Name, event: TelemetryEvents[Name]): void {
    for (const listener of this.listeners.get(name) ?? []) {
      try {
        // An async listener's rejection is as much its own business as what it throws.
        void Promise.resolve(listener(event) as unknown).catch(() => {});
      } catch {
        // See above.
      }
    }
  }
}
