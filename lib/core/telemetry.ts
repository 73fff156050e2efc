import { type Channel, channel, tracingChannel } from 'node:diagnostics_channel';

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
  /** The handler has thrown a `RetryAfterError`: the step is tried again in so long, unless it was deferred too often. */
  'task.deferred': TaskEvent & { durationMs: number; error: ErrorEvent; retryInMs: number };
  /** Another worker may have claimed the task: the handler's signal was aborted and its result discarded. */
  'task.lease-lost': TaskEvent;
  /** Given back to other workers: this one stops or is busy, has no handler, or got the claim after its lease. */
  'task.released': TaskEvent & { reason: 'shutdown' | 'no-handler' | 'late' | 'busy' };
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
  /** It has thrown a `RetryAfterError`, and is called again in so long. Told instead of `step.ended`. */
  'step.deferred': StepEvent & { retryInMs: number };
  /** An engine has dispatched so many attempts of remote steps into a group, and has committed them. */
  'tasks.dispatched': { group: string; count: number };
  /** One commit has written what so many writers of runs have recorded. */
  'runs.committed': { writes: number; durationMs: number };
  /**
   * A run left memory: it ended, with `error` if it failed and `step` if that was the failure of a step, was parked, or
   * is blocked for `reason`, `at` a place in the code of the app, `again` if a process has only tried it. `durationMs`:
   * it ended so long after it was started, or last continued as new.
   */
  'run.left': {
    runId: string;
    workflow: string;
    status: string;
    reason?: string;
    detail?: string;
    at?: string;
    again?: true;
    error?: ErrorEvent;
    step?: LeftAtStep;
    durationMs?: number;
  };
  /** Another process owns the run, it was cancelled, or is played again: this process's later work on it is discarded. */
  'run.lost': { runId: string; workflow: string };
  /** An unexpected error occurred while executing the run; it is released to another process. */
  'run.broken': { runId: string; workflow: string; error: unknown };
  /** Runs have been due since `since` (epoch ms) for more than 30 s, and no process has this version of their workflow. */
  'run.unserved': { workflow: string; version: number; since: number; why: string };
  /** Live processes `nodes` have other code than this one for these workflows, in the same version. Once for each code. */
  'code.differs': { nodes: readonly string[]; workflows: readonly { workflow: string; version: number }[] };
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
  'schedule.skipped': { scheduleId: string; workflow: string; times: number; runId: string | undefined };
  /**
   * The code declares a schedule no longer. `continuesAs`: it goes on under this id; undefined: it was removed, with its
   * pause.
   */
  'schedule.removed': { scheduleId: string; workflow: string; stood?: 'paused' | 'held'; continuesAs?: string };
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
   * Outside of production: something was committed by itself although the app's transaction of the same connection is open
   * around it. `what`: a `write` of ours, or a `transaction` that begins inside of `ctx.transaction`.
   */
  'transaction.apart': { what: 'write' | 'transaction' };
  /**
   * Statements wait behind the locks of another session, which is named every 5 s. `process` is what the server
   * knows of its process, `openMs` how long its transaction has been open; `statement` is without values.
   */
  'connection.blocked': {
    session: number;
    port?: number;
    process: string;
    statement?: string;
    openMs: number;
    waitedMs: number;
  };
  /** A session of a process that has died or stands still was ended, since others waited for its locks. */
  'connection.ended': { session: number; process: string; nodeId: string };
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

/** A record, so that the compiler finds a missing and a surplus name. */
const NAMES: Readonly<Record<keyof TelemetryEvents, true>> = {
  'task.claimed': true,
  'task.completed': true,
  'task.failed': true,
  'task.deferred': true,
  'task.lease-lost': true,
  'task.released': true,
  'task.report-refused': true,
  'task.unserved': true,
  'step.log-dropped': true,
  'step.log': true,
  'run.entered': true,
  'run.woken': true,
  'run.left': true,
  'step.ended': true,
  'step.deferred': true,
  'tasks.dispatched': true,
  'runs.committed': true,
  'claim.made': true,
  'run.lost': true,
  'run.broken': true,
  'run.unserved': true,
  'code.differs': true,
  'payload.large': true,
  'run.parted': true,
  'context.misused': true,
  'calls.unawaited': true,
  'call.unhandled': true,
  'history.long': true,
  'history.lost': true,
  'transaction.lost': true,
  'runs.reaped': true,
  'writers.split': true,
  'runs.purged': true,
  'rows.purged': true,
  'hold.begun': true,
  'hold.lifted': true,
  'node.draining': true,
  'schedule.fired': true,
  'schedule.skipped': true,
  'schedule.removed': true,
  'schedule.failed': true,
  'outbox.delivered': true,
  'outbox.failed': true,
  'outbox.poisoned': true,
  'outbox.late': true,
  'outbox.numbers-stay': true,
  'outbox.shards-lost': true,
  'effects.succeeded': true,
  'effects.failed': true,
  'effects.abandoned': true,
  'effects.scheduled': true,
  'effects.completed': true,
  'effects.lease-lost': true,
  'effects.settle-failed': true,
  'effects.listener-failed': true,
  'effects.unclaimed': true,
  'connection.left-open': true,
  'transaction.apart': true,
  'connection.blocked': true,
  'connection.ended': true,
  'connection.waiting': true,
  'tables.unprotected': true,
  'loop.error': true,
};

/** The names of all events. */
export const EVENT_NAMES = Object.keys(NAMES) as (keyof TelemetryEvents)[];

export type TelemetryListener<Name extends keyof TelemetryEvents> = (event: TelemetryEvents[Name]) => void;

type AnyListener = (event: unknown) => void;

/** Held for the life of the process: Node keeps a channel that nobody holds only while it has subscribers. */
const CHANNELS = new Map<keyof TelemetryEvents, Channel>(
  EVENT_NAMES.map((name) => [name, channel(`nest-durable:${name}`)]),
);

/**
 * Calls listeners of events, then publishes them in `node:diagnostics_channel`. Errors of a listener are ignored, and it
 * is never awaited.
 */
export class Telemetry {
  private own: Tracing | undefined;
  private whole: Telemetry | undefined;
  private readonly listeners = new Map<keyof TelemetryEvents, Set<AnyListener>>();

  /** Makes spans; undefined without OpenTelemetry. */
  get tracing(): Tracing | undefined {
    return this.whole ? this.whole.tracing : this.own;
  }

  set tracing(tracing: Tracing | undefined) {
    this.own = tracing;
  }

  /** Makes this the telemetry of a part: `whole` gets its events too, and makes its spans. */
  passTo(whole: Telemetry): void {
    this.whole = whole;
  }

  /** Returns a function that removes the listener. */
  on<Name extends keyof TelemetryEvents>(name: Name, listener: TelemetryListener<Name>): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners);
    listeners.add(listener as AnyListener);
    return () => void listeners.delete(listener as AnyListener);
  }

  /** Whether somebody listens to the event; if not, it need not be built. */
  hears(name: keyof TelemetryEvents): boolean {
    if ((this.listeners.get(name)?.size ?? 0) > 0) return true;
    return this.whole ? this.whole.hears(name) : CHANNELS.get(name)!.hasSubscribers;
  }

  emit<Name extends keyof TelemetryEvents>(name: Name, event: TelemetryEvents[Name]): void {
    for (const listener of this.listeners.get(name) ?? []) {
      try {
        const returned = listener(event) as unknown;
        // Rejections of async listeners are ignored like errors.
        if (isThenable(returned)) void Promise.resolve(returned).catch(() => {});
      } catch {
        // Ignored: see above.
      }
    }
    if (this.whole) return this.whole.emit(name, event);
    const published = CHANNELS.get(name)!;
    if (published.hasSubscribers) this.openly(() => published.publish(event));
  }

  /** Emits an event that is only built if somebody listens. */
  tell<Name extends keyof TelemetryEvents>(name: Name, event: () => TelemetryEvents[Name]): void {
    if (this.hears(name)) this.emit(name, event());
  }

  /** Calls work of the app, within its span and between the events of its channel if somebody wants them. */
  around<T>(
    kind: keyof typeof WORK_CHANNELS,
    told: () => Omit<TracedWork, 'kind'>,
    run: () => T | Promise<T>,
  ): T | Promise<T> {
    const { tracing } = this;
    const channel = WORK_CHANNELS[kind];
    if (!tracing && !channel.hasSubscribers) return run();
    const work = { kind, ...told() };
    // In the span, so that subscribers see it.
    const published = () => (channel.hasSubscribers ? channel.tracePromise(async () => run(), { ...work }) : run());
    return tracing ? tracing.around(work, published) : published();
  }

  /** Calls work of ours whose statements nobody wants to see as spans. */
  quietly<T>(work: () => T): T {
    return this.tracing ? this.tracing.quietly(work) : work();
  }

  /** Calls code of the app that has no span of its own, from work that is quiet. */
  openly<T>(work: () => T): T {
    return this.tracing ? this.tracing.openly(work) : work();
  }
}

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

/** A span in the format of W3C, as a run, an event or a request carries it. */
export interface TraceCarrier {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** What a carrier says of the span that it names; undefined if it names none, or something else. */
export function spanNamedBy(
  carrier: TraceCarrier | null | undefined,
): { traceId: string; spanId: string; flags: string } | undefined {
  const { traceparent } = carrier ?? {};
  const [, traceId, spanId, flags] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  return traceId && spanId && flags ? { traceId, spanId, flags } : undefined;
}

/** What happened, or is about to happen. It names things, and never has a payload. */
export interface TracedWork {
  kind: 'start' | 'process' | 'step' | 'transaction' | 'end' | 'signal' | 'publish' | 'effect' | 'fire';
  /** Of the workflow, the step, the signal, the destination, the handler or the schedule. */
  name: string;
  runId?: string | undefined;
  workflow?: string | undefined;
  version?: number | undefined;
  stepId?: string | undefined;
  seq?: number | undefined;
  attempt?: number | undefined;
  group?: string | undefined;
  /** Of a batch: how many events. */
  count?: number | undefined;
  /** Of a run: how long after its start it is to begin. */
  delayMs?: number | undefined;
  /** It begins a trace of its own, with a link to what it continues. */
  anew?: boolean | undefined;
  /** How a run ended. */
  outcome?: string | undefined;
  /** What the run carries. Default: the caller's own span. */
  carrier?: TraceCarrier | undefined;
  /** What it came from, beside `carrier`. */
  links?: readonly (TraceCarrier | undefined)[] | undefined;
  /** Epoch ms; for what is told after its end. */
  startedAt?: number | undefined;
  error?: { name?: string; code?: string; message?: string } | undefined;
}

/**
 * What makes spans. Without OpenTelemetry a process has none. Nothing here throws or rejects by itself: errors are those
 * of the functions that are passed.
 */
export interface Tracing {
  /** Calls `run` within a span of its own, which ends with its outcome. */
  around<T>(work: TracedWork, run: () => T | Promise<T>): Promise<T>;
  /** Makes the span of something that has already ended. Returns what continues it; empty if it could not be made. */
  told(work: TracedWork): TraceCarrier;
  /** Calls code of a run: spans that it makes belong to the trace of the run, and are dropped while it `replays`. */
  play<T>(carrier: TraceCarrier, replays: () => boolean, code: () => T): T;
  /** Calls `work` so that instrumentations of drivers make no spans of its statements. */
  quietly<T>(work: () => T): T;
  /** Calls code of the app, which may make spans, from work that is quiet. */
  openly<T>(work: () => T): T;
}

const STEP = tracingChannel<TracedWork>('nest-durable:step');
const PUBLISH = tracingChannel<TracedWork>('nest-durable:publish');
const EFFECT = tracingChannel<TracedWork>('nest-durable:effect');

/** The tracing channels around work of the app. Their names, and what `TracedWork` names, are public API. */
const WORK_CHANNELS = {
  process: STEP,
  step: STEP,
  transaction: STEP,
  publish: PUBLISH,
  effect: EFFECT,
} as const;

/** What was held, by whom and why. */
interface HeldThingEvent {
  /** `workflow`, `group`, `effect` or `schedule`. */
  kind: string;
  name: string;
  actor: string;
  reason: string;
}

/** What operators have this process do, or do by it. */
interface OperatorEvents {
  /** An operator has held something, or changed a hold, by this process. */
  'hold.begun': HeldThingEvent & { until?: string };
  /** An operator has lifted a hold by this process. */
  'hold.lifted': HeldThingEvent;
  /** This process has heard that it must begin nothing new or, with false, that it may again. */
  'node.draining': { draining: boolean };
}

/** Headers of an event, as JSON, from which whoever handles it continues the trace, unless they name another one. */
export function headersWithTrace(headers: string | null, { traceparent, tracestate }: TraceCarrier): string | null {
  if (traceparent === undefined) return headers;
  const own = JSON.parse(headers ?? '{}') as object;
  return 'traceparent' in own ? headers : JSON.stringify({ traceparent, tracestate, ...own });
}
