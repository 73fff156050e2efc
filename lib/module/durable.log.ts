import type { Telemetry } from '../telemetry/telemetry.js';
import type { EffectEvent, LeftAtStep, TaskEvent, TelemetryEvents } from '../telemetry/telemetry-events.js';
import { logConnections } from './connection-log.js';
import { errorLine } from '../protocol/error-line.js';
import type { ErrorRules } from '../protocol/error-rules.js';
import { toWireError } from '../protocol/wire-error.js';
import type { Clock } from '../time/clock.js';
import { logMistakes } from './mistakes-log.js';
import { logOutbox } from './outbox-log.js';

/** Nest's `Logger`, or any other target for log lines. */
export interface LogTarget {
  log(line: string): void;
  warn(line: string): void;
  error(line: string): void;
  debug?(line: string): void;
  /** Whether it prints debug lines; if not, they are not built. Default: true. */
  debugs?(): boolean;
}

/** Repeated failures of a loop are logged once in this time. */
const REPEAT_MS = 10_000;

const LEVELS = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const;

/** The limit for each message of an error, in characters. */
const LONGEST = 300;

const task = ({ name, stepId, attempt }: TaskEvent): string => `step "${name}" (${stepId}, attempt ${attempt})`;

const iso = (ms: number): string => new Date(ms).toISOString();

const stepText = (step: LeftAtStep | undefined): string =>
  step ? ` at ${step.undoing ? 'the compensation of ' : ''}step "${step.name}" (position ${step.seq})` : '';

const effect = ({ handler, operation, entryId, attempt }: EffectEvent): string =>
  `effect "${handler}" of "${operation}" (${entryId}, attempt ${attempt})`;

/**
 * Converts events into log lines. All log texts of this library are here and in the files beside whose names end with
 * `-log.ts`. They contain no payloads and no stacks.
 */
export class DurableLog {
  private readonly saidAt = new Map<string, number>();

  constructor(
    private readonly target: LogTarget,
    private readonly clock: Clock,
    /** Applied to every error before it is logged. */
    private readonly errors: ErrorRules = {},
  ) {}

  subscribe(telemetry: Telemetry): void {
    this.subscribeToRuns(telemetry);
    logMistakes(telemetry, this.target, (error, longest) => this.textOf(error, longest));
    this.subscribeToOperators(telemetry);
    this.subscribeToTasks(telemetry);
    this.subscribeToSchedules(telemetry);
    logOutbox(telemetry, this.target, (line, more) => this.nowAndThen(line, more));
    this.subscribeToEffects(telemetry);
    logConnections(telemetry, (line, more) => this.nowAndThen(line, more));
    telemetry.on('loop.error', (event) => this.loopError(event));
    telemetry.on('step.log', (event) => this.stepLog(event));
    telemetry.on('step.log-dropped', ({ lines, error }) =>
      this.target.warn(`${lines} step log lines were dropped: ${this.textOf(error)}`),
    );
  }

  started(roles: string, storage: string): void {
    this.target.log(`Started as ${roles || 'client'} on ${storage}`);
  }

  migrated(ids: readonly string[]): void {
    if (ids.length > 0) this.target.log(`Tables brought up to date: ${ids.join(', ')}`);
  }

  payloadsLimited(configured: number, largest: number): void {
    this.target.warn(
      `limits.payload is ${configured} bytes, more than the database accepts: payloads are limited to ${largest} bytes. Raise max_allowed_packet of the server to more than four times limits.payload, or lower limits.payload`,
    );
  }

  databaseAway(error: unknown, retryInMs: number): void {
    this.target.warn(`The database is unavailable, retrying in ${retryInMs} ms: ${this.textOf(error)}`);
  }

  stopFailed(what: string, error: unknown): void {
    this.target.warn(`Stopping ${what} failed: ${this.textOf(error)}`);
  }

  noShutdownHooks(): void {
    this.target.warn(
      'No handler for SIGTERM: call app.enableShutdownHooks(); otherwise other processes take over runs and steps of a stopped process only after their leases expire',
    );
  }

  nobodyPublishes(): void {
    this.target.warn(
      'This process has neither @OutboxPublisher nor @OnOutboxMessage, so it publishes no events; events that no process publishes are kept forever. Set `outbox: { relay: false }` if other processes publish them, or provide a publisher that does nothing if you only use streams',
    );
  }

  overridesNothing(option: string, { name, meant }: { name: string; meant: string }): void {
    this.target.warn(
      `The option ${option} of DurableModule has "${name}", which no class of this app declares: did you mean ${meant}?`,
    );
  }

  requestEnhancers(kinds: readonly string[]): void {
    if (kinds.length === 0) return;
    this.target.warn(
      `Global ${kinds.join(', ').toLowerCase()} that are request-scoped or transient are not called for remote steps, which have no request: make them singletons if they should be`,
    );
  }

  subscriberFailed(error: unknown): void {
    this.nowAndThen(`A subscriber of DurableEvents failed: ${this.textOf(error)}`);
  }

  private subscribeToRuns(telemetry: Telemetry): void {
    telemetry.on('run.left', ({ runId, workflow, status, reason, detail, error, step }) => {
      const run = `Run "${runId}" of "${workflow}"`;
      if (reason) this.target.warn(`${run} is blocked (${reason}): ${detail ?? ''}`);
      else if (error && status !== 'cancelled')
        this.target.warn(`${run} is ${status}${stepText(step)}: ${this.textOf(error)}`);
      else this.debug(() => `${run} is ${status}`);
    });
    telemetry.on('run.lost', ({ runId, workflow }) =>
      this.debug(() => `Run "${runId}" of "${workflow}" is no longer executed by this process`),
    );
    telemetry.on('run.broken', ({ runId, workflow, error }) =>
      this.target.error(
        `Run "${runId}" of "${workflow}" was released by this process after an error: ${this.textOf(error)}`,
      ),
    );
    telemetry.on('run.unserved', ({ workflow, version, since, why }) =>
      this.target.warn(
        `Runs of "${workflow}" (version ${version}) have been due since ${iso(since)}: ${why}. Start a process that has it, or terminate them`,
      ),
    );
    telemetry.on('history.lost', ({ runs, runIds }) =>
      this.target.error(
        `The database lost commits: ${runs} runs in this process had newer state, for example "${runIds.join('", "')}"`,
      ),
    );
    telemetry.on('transaction.lost', ({ stepId, name, workflow, error, retryInMs }) =>
      // A server that goes down ends all of them.
      this.nowAndThen(
        `Step transactions are retried; this does not count as an attempt: ${this.textOf(error)}`,
        `, for example "${name}" (${stepId}) of "${workflow}", next try in ${retryInMs} ms`,
      ),
    );
    telemetry.on('writers.split', ({ nodeId, server, here }) =>
      this.nowAndThen(
        `Process "${nodeId}" writes through ${server}, this process through ${here}: the two servers do not share row locks. Route all processes to one writer, and close connections to the old one after a failover`,
      ),
    );
    telemetry.on('runs.reaped', ({ runs }) => this.target.warn(`${runs} runs of dead processes were released`));
  }

  private subscribeToOperators(telemetry: Telemetry): void {
    telemetry.on('hold.begun', ({ kind, name, actor, reason, until }) =>
      this.target.warn(`${actor} holds ${kind} "${name}"${until ? ` until ${until}` : ''}: ${reason}`),
    );
    telemetry.on('hold.lifted', ({ kind, name, actor, reason }) =>
      this.target.warn(`${actor} has lifted the hold of ${kind} "${name}": ${reason}`),
    );
    telemetry.on('node.draining', ({ draining }) =>
      this.target.warn(
        draining ? 'This process drains: it begins nothing new until it is resumed' : 'It begins new work again',
      ),
    );
  }

  private subscribeToTasks(telemetry: Telemetry): void {
    telemetry.on('task.claimed', (event) => {
      if (event.reclaimed) this.target.warn(`Taken over from a dead worker: ${task(event)}`);
    });
    telemetry.on('task.completed', (event) =>
      this.debug(() => `Done in ${Math.round(event.durationMs)} ms: ${task(event)}`),
    );
    telemetry.on('task.failed', (event) => this.target.warn(`Failed: ${task(event)}: ${this.textOf(event.error)}`));
    telemetry.on('task.lease-lost', (event) => this.target.warn(`Lease lost, the result is discarded: ${task(event)}`));
    telemetry.on('task.released', (event) => this.debug(() => `Released (${event.reason}): ${task(event)}`));
    telemetry.on('task.report-refused', ({ stepId, error }) =>
      this.target.error(
        `The database rejected the result of step ${stepId}, reporting a failure instead: ${this.textOf(error)}`,
      ),
    );
    telemetry.on('task.unserved', ({ name, group, count, since, runId, why }) =>
      this.target.warn(
        `${count === 1 ? '1 task' : `${count} tasks`} "${name}" waiting in group "${group}" since ${iso(since)}, first of run "${runId}": ${why}. Start a worker of that group with @RemoteStep('${name}'), or correct the name`,
      ),
    );
  }

  private subscribeToSchedules(telemetry: Telemetry): void {
    telemetry.on('schedule.fired', ({ scheduleId, runIds }) =>
      this.debug(() => `Schedule "${scheduleId}" started ${runIds.length} runs, the last one is "${runIds.at(-1)}"`),
    );
    telemetry.on('schedule.skipped', ({ scheduleId, times }) =>
      this.target.log(`Schedule "${scheduleId}" skipped ${times} scheduled times: its previous run has not ended`),
    );
    telemetry.on('schedule.failed', ({ scheduleId, workflow, error, retryInMs }) => {
      const then = retryInMs === undefined ? '' : `, retrying in ${retryInMs} ms`;
      this.target.error(`Schedule "${scheduleId}" of "${workflow}" cannot start a run${then}: ${this.textOf(error)}`);
    });
  }

  private subscribeToEffects(telemetry: Telemetry): void {
    telemetry.on('effects.failed', ({ error, retryInMs, ...event }) =>
      // An unavailable service fails all calls at once.
      this.nowAndThen(
        `Calls of "${event.handler}" fail: ${error}`,
        `, for example ${effect(event)}, next try in ${retryInMs} ms`,
      ),
    );
    telemetry.on('effects.abandoned', ({ error, ...event }) =>
      this.target.error(`Abandoned, and not called again until it is requeued: ${effect(event)}: ${error}`),
    );
    telemetry.on('effects.lease-lost', (event) =>
      this.target.warn(`Lease lost, the result is discarded: ${effect(event)}`),
    );
    telemetry.on('effects.settle-failed', ({ error, ...event }) =>
      this.target.error(
        `The result could not be written; the call is made again after its lease: ${effect(event)}: ${error}`,
      ),
    );
    telemetry.on('effects.listener-failed', ({ error, ...event }) =>
      this.target.error(`@OnAbandoned('${event.operation}') failed: ${effect(event)}: ${error}`),
    );
    telemetry.on('effects.unclaimed', ({ handler, since, why }) =>
      this.target.warn(
        `Calls of "${handler}" have waited since ${iso(since)}: ${why}. Start a process with @Effect('${handler}'), or more of them`,
      ),
    );
    telemetry.on('effects.scheduled', ({ until, ...event }) =>
      this.debug(() => `Called again at ${iso(until)}: ${effect(event)}`),
    );
    telemetry.on('effects.succeeded', (event) => this.debug(() => `Done: ${effect(event)}`));
  }

  private loopError({ loop, error }: TelemetryEvents['loop.error']): void {
    this.nowAndThen(`${loop} continues after an error: ${this.textOf(error)}`);
  }

  /** Logs the same line at most once per `REPEAT_MS`. */
  private nowAndThen(line: string, more = ''): void {
    const now = this.clock.now();
    if (now - (this.saidAt.get(line) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    // The number of different lines is unlimited, so the memory of old ones is cleared.
    if (this.saidAt.size > 100) this.saidAt.clear();
    this.saidAt.set(line, now);
    this.target.warn(line + more);
  }

  private stepLog({ level, message, fields, stepId, name }: TelemetryEvents['step.log']): void {
    this.target[LEVELS[level]]?.(`[${name} ${stepId}] ${message}${fields ? ` ${jsonOf(fields)}` : ''}`);
  }

  /** Each step has such lines, and most apps do not print them. */
  private debug(line: () => string): void {
    if (this.target.debug && this.target.debugs?.() !== false) this.target.debug(line());
  }

  /** With its causes, and without its stack. */
  private textOf(error: unknown, longest = LONGEST): string {
    return errorLine(toWireError(error, { redact: this.errors.redact }), longest);
  }
}

function jsonOf(fields: Record<string, unknown>): string {
  try {
    return JSON.stringify(fields);
  } catch (error) {
    return String(error);
  }
}
