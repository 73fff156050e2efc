import type { OperatorEvents } from './operator-events.js';

/** Identifies a task in events. Payloads never appear in events. */
export interface TaskEvent {
  stepId: string;
  runId: string;
  name: string;
  group: string;
  attempt: number;
}

/** The recorded form of an error, redacted. */
export interface ErrorEvent {
  name?: string;
  message: string;
  code?: string;
  cause?: ErrorEvent;
  errors?: readonly ErrorEvent[];
  stack?: string;
}

/** All events of a worker. */
export interface WorkerEvents {
  /** `waitedMs`: since its dispatch, or the time for which that was asked; a priority shifts it. */
  'task.claimed': TaskEvent & { reclaimed: boolean; waitedMs?: number | undefined };
  /** `durationMs` is the time of the handler. */
  'task.completed': TaskEvent & { durationMs: number };
  /** With the code `crash_loop` no handler was called: `durationMs` is 0. */
  'task.failed': TaskEvent & { durationMs: number; error: ErrorEvent };
  /** Another worker may have claimed the task: the handler's signal was aborted and its result discarded. */
  'task.lease-lost': TaskEvent;
  /** Released for other workers: it did not start, the claim returned after its lease, or the process stops. */
  'task.released': TaskEvent & { reason: 'shutdown' | 'no-handler' | 'late' };
  /** The database rejected the values of the answer; a failure with a plain message was reported instead. */
  'task.report-refused': { stepId: string; error: unknown };
  /**
   * Tasks have waited since `since` (epoch ms) for more than 30 s, the oldest one for `runId`, and nobody serves them:
   * `why` says who serves what, for people. By a `DbTransport`: in its groups, and it has no handler for them.
   */
  'task.unserved': { name: string; group: string; count: number; since: number; runId: string; why: string };
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

/** The step whose failure ended a run; with `undoing`, the step that could not be compensated. */
export interface LeftAtStep {
  name: string;
  /** Its position in the run's history. */
  seq: number;
  undoing?: true;
}

type StepNumbers = Record<'seq' | 'attempt' | 'startedAt' | 'durationMs', number>;
/** An attempt of a local step that has ended; `error` if it failed. `startedAt` is epoch ms. */
export interface StepEvent extends Record<'runId' | 'workflow' | 'name', string>, StepNumbers {
  kind: 'step' | 'transaction';
  error?: { name: string; code?: string };
}

/** All events of an engine. */
export interface EngineEvents {
  /**
   * This process claimed a run to play it. `how` and `delayMs`: for the first time in this life, which began so long ago,
   * and how: by a call, a schedule, a parent or a fork, or `again`, in the row of the life before.
   */
  'run.entered': { runId: string; workflow: string; version: number; how?: BeginOfRun; delayMs?: number };
  /** A timer, or the answer of a worker, continues a run: so long after it was due, or was written. */
  'run.woken': { runId: string; workflow: string; by: 'timer' | 'answer'; delayMs: number };
  /** A function of a step, or of a transaction, of this process returned or threw. */
  'step.ended': StepEvent;
  /** An engine has dispatched so many attempts of remote steps into a group, and has committed them. */
  'tasks.dispatched': { group: string; count: number };
  /** One commit has written what so many writers of runs have recorded. */
  'runs.committed': { writes: number; durationMs: number };
  /**
   * A run left memory: it ended, with `error` if it failed and `step` if that was the failure of a step, was parked, or
   * is blocked for `reason`. `durationMs`: it ended so long after it was started, or last continued as new.
   */
  'run.left': {
    runId: string;
    workflow: string;
    status: string;
    reason?: string;
    detail?: string;
    error?: ErrorEvent;
    step?: LeftAtStep;
    durationMs?: number;
  };
  /** Another process owns the run, or it was cancelled: this process's later work on it is discarded. */
  'run.lost': { runId: string; workflow: string };
  /** An unexpected error occurred while executing the run; it is released to another process. */
  'run.broken': { runId: string; workflow: string; error: unknown };
  /** Runs have been due since `since` (epoch ms) for more than 30 s, and no process has this version of their workflow. */
  'run.unserved': { workflow: string; version: number; since: number; why: string };
  /** A payload is close to the limit: store it elsewhere and pass a reference. */
  'payload.large': { what: string; bytes: number };
  /** In development: the same code was played again and did something else. Once for each place in a process. */
  'run.parted': PartedEvent;
  /** A call of `ctx` was refused because of where it was made: in a callback, after the end, or by another run. */
  'context.misused': { runId: string; workflow: string; error: unknown };
  /** The code of a run has ended, and nobody had awaited these calls: their outcomes are lost. */
  'calls.unawaited': { runId: string; workflow: string; calls: readonly string[] };
  /** A call of `ctx` failed, and nobody had awaited it. */
  'call.unhandled': { runId: string; workflow: string; call: string; error: unknown };
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
  /** Other rows were deleted by `retention`: `signals`, `effects`, `dead-letters` and others. */
  'rows.purged': { what: string; rows: number };
}

/** `again`: continued as new, or restarted. */
export type BeginOfRun = 'start' | 'schedule' | 'child' | 'fork' | 'again';

export interface PartedEvent extends Record<'runId' | 'workflow' | 'expected' | 'found', string> {
  version: number;
  position: number;
  error: unknown;
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
  /**
   * Calls have been due since `since` (epoch ms): for more than 30 s, and no process has this handler; or for more than
   * 5 minutes, and too few have it.
   */
  'effects.unclaimed': { handler: string; since: number; ageMs: number; why: string };
}

/** Events of the app's connection pool. */
export interface ConnectionEvents {
  /**
   * The app returned or abandoned a connection with an open transaction, which was rolled back. `statement` is the last
   * one sent on it, without values.
   */
  'connection.left-open': { statement?: string };
  /**
   * Statements wait for a connection of the pool: for seconds, or in vain. `why`: connections are `held` and run no
   * statement, all are `busy` with statements, or the server lets the pool open no more (`opening`). A pool of `enough`
   * would do where connections are held.
   */
  'connection.waiting': {
    waitedMs: number;
    waiting: number;
    why?: 'held' | 'busy' | 'opening';
    most?: number;
    enough?: number;
    setting: string;
  };
  /**
   * The configuration of MikroORM lacks these lines: without them, its CLI would drop our tables. `here`: the commands of
   * this process leave them alone nevertheless.
   */
  'tables.unprotected': { tables: string; lacking: readonly string[]; here: boolean };
}

/** Background loops: their claims, and their errors, after which they continue. */
export interface LoopEvents {
  /** A claim has returned: of `runs`, `tasks` or `effects`. */
  'claim.made': { what: 'runs' | 'tasks' | 'effects'; count: number; durationMs: number };
  'loop.error': { loop: string; error: unknown };
}

/** All events by name. None has a field `type`: in `DurableEvents` that is the name. */
export interface TelemetryEvents
  extends
    WorkerEvents,
    EngineEvents,
    ScheduleEvents,
    OutboxEvents,
    EffectEvents,
    ConnectionEvents,
    OperatorEvents,
    LoopEvents {}
