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
  /** Given up so that others may run it at once: it never began, or the process stops. */
  'task.released': TaskEvent & { reason: 'shutdown' | 'no-handler' };
  /** The database refused the answer itself; a failure with a plain message was reported in its place. */
  'task.report-refused': { stepId: string; error: unknown };
  /** Tasks wait in this worker's groups and it has no handler for them. */
  'task.unserved': { name: string; group: string; count: number; since: number };
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
  /** Runs of dead processes were set free. */
  'runs.reaped': { runs: number };
}

/** Trouble in a loop that goes on by itself. */
export interface LoopEvents {
  'loop.error': { loop: string; error: unknown };
}

/** Every event by its name. */
export interface TelemetryEvents extends WorkerEvents, EngineEvents, LoopEvents {}
