import type { TaskEvent, TelemetryEvents } from './telemetry/events.js';
import type { Telemetry } from './telemetry/telemetry.js';
import type { Clock } from './time/clock.js';

/** Nest's `Logger`, or whatever takes lines. */
export interface LogTarget {
  log(line: string): void;
  warn(line: string): void;
  error(line: string): void;
  debug?(line: string): void;
}

/** A loop that fails every second says so once in this time. */
const REPEAT_MS = 10_000;

const LEVELS = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const;

const textOf = (error: unknown): string => {
  const { name = 'Error', message } = (
    typeof error === 'object' && error !== null ? error : { message: error }
  ) as Partial<Error>;
  return `${name}: ${String(message).slice(0, 300)}`;
};

const task = ({ name, stepId, attempt }: TaskEvent): string => `step "${name}" (${stepId}, attempt ${attempt})`;

/** Turns what happens into log lines: every text this library logs is here. Neither payloads nor stacks are in them. */
export class DurableLog {
  private readonly saidAt = new Map<string, number>();

  constructor(
    private readonly target: LogTarget,
    private readonly clock: Clock,
  ) {}

  subscribe(telemetry: Telemetry): void {
    this.subscribeToRuns(telemetry);
    this.subscribeToTasks(telemetry);
    this.subscribeToSchedules(telemetry);
    telemetry.on('loop.error', (event) => this.loopError(event));
    telemetry.on('step.log', (event) => this.stepLog(event));
    telemetry.on('step.log-dropped', ({ lines, error }) =>
      this.target.warn(`${lines} log lines of steps are not kept with them: ${textOf(error)}`),
    );
  }

  started(roles: string, storage: string): void {
    this.target.log(`Started as ${roles || 'client'} on ${storage}`);
  }

  migrated(ids: readonly string[]): void {
    if (ids.length > 0) this.target.log(`Tables brought up to date: ${ids.join(', ')}`);
  }

  databaseAway(error: unknown, retryInMs: number): void {
    this.target.warn(`The database is away, trying again in ${retryInMs} ms: ${textOf(error)}`);
  }

  stopFailed(what: string, error: unknown): void {
    this.target.warn(`Stopping ${what} failed: ${textOf(error)}`);
  }

  noShutdownHooks(): void {
    this.target.warn(
      'Nothing listens to SIGTERM: call app.enableShutdownHooks(), or a deploy leaves runs and steps to be taken over only after their leases',
    );
  }

  private subscribeToRuns(telemetry: Telemetry): void {
    telemetry.on('run.left', ({ runId, workflow, status, reason, detail }) => {
      const run = `Run "${runId}" of "${workflow}"`;
      if (reason) this.target.warn(`${run} stands still (${reason}): ${detail ?? ''}`);
      else if (status === 'failed') this.target.warn(`${run} failed`);
      else this.debug(`${run} is ${status}`);
    });
    telemetry.on('run.lost', ({ runId, workflow }) =>
      this.debug(`Run "${runId}" of "${workflow}" is no longer played here`),
    );
    telemetry.on('run.broken', ({ runId, workflow, error }) =>
      this.target.error(`Run "${runId}" of "${workflow}" is given up by this process: ${textOf(error)}`),
    );
    telemetry.on('runs.reaped', ({ runs }) => this.target.warn(`${runs} runs of dead processes were set free`));
  }

  private subscribeToTasks(telemetry: Telemetry): void {
    telemetry.on('task.claimed', (event) => {
      if (event.reclaimed) this.target.warn(`Taken over from a dead worker: ${task(event)}`);
    });
    telemetry.on('task.completed', (event) => this.debug(`Done in ${event.durationMs} ms: ${task(event)}`));
    telemetry.on('task.failed', (event) => this.target.warn(`Failed: ${task(event)}: ${textOf(event.error)}`));
    telemetry.on('task.lease-lost', (event) =>
      this.target.warn(`Lease lost, the answer does not count: ${task(event)}`),
    );
    telemetry.on('task.released', (event) => this.debug(`Given back (${event.reason}): ${task(event)}`));
    telemetry.on('task.report-refused', ({ stepId, error }) =>
      this.target.error(`The database refused the answer of step ${stepId}: ${textOf(error)}`),
    );
    telemetry.on('task.unserved', ({ name, group, count }) =>
      this.target.warn(`${count} tasks "${name}" wait in group "${group}", and this worker has no such step`),
    );
  }

  private subscribeToSchedules(telemetry: Telemetry): void {
    telemetry.on('schedule.fired', ({ scheduleId, runIds }) =>
      this.debug(`Schedule "${scheduleId}" began ${runIds.length} runs, the last is "${runIds.at(-1)}"`),
    );
    telemetry.on('schedule.skipped', ({ scheduleId, times }) =>
      this.target.log(`Schedule "${scheduleId}" left out ${times} times: its run before has not ended`),
    );
    telemetry.on('schedule.failed', ({ scheduleId, workflow, error, retryInMs }) => {
      const then = retryInMs === undefined ? '' : `, trying again in ${retryInMs} ms`;
      this.target.error(`Schedule "${scheduleId}" of "${workflow}" cannot begin a run${then}: ${textOf(error)}`);
    });
  }

  private loopError({ loop, error }: TelemetryEvents['loop.error']): void {
    const line = `${loop} goes on after an error: ${textOf(error)}`;
    const now = this.clock.now();
    if (now - (this.saidAt.get(line) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    // Texts may differ without end; what was said long ago is forgotten with the rest.
    if (this.saidAt.size > 100) this.saidAt.clear();
    this.saidAt.set(line, now);
    this.target.warn(line);
  }

  private stepLog({ level, message, fields, stepId, name }: TelemetryEvents['step.log']): void {
    this.target[LEVELS[level]]?.(`[${name} ${stepId}] ${message}${fields ? ` ${jsonOf(fields)}` : ''}`);
  }

  private debug(line: string): void {
    this.target.debug?.(line);
  }
}

function jsonOf(fields: Record<string, unknown>): string {
  try {
    return JSON.stringify(fields);
  } catch (error) {
    return textOf(error);
  }
}
