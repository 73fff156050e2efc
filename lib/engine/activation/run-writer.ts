import type { ClaimedRun, RunTransition } from '../model/run.js';
import type { LogLine, RunExtras, RunWrite } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import { Footing, type PlayedWrite } from './merged-writes.js';
import type { Recorded, Recorder } from './recorder.js';

/** The parts of one write of a run. */
export interface Entry extends Partial<Pick<RunWrite, 'steps' | 'tasks' | 'takes' | 'withdraws'>> {
  extras?: RunExtras;
}

/** No further parts beside the steps: the usual case. */
export const ALONE: Omit<Entry, 'steps'> = {};

export function withSteps(steps: readonly StepRecord[], also: Omit<Entry, 'steps'>, extras?: RunExtras): Entry {
  if (also === ALONE && !extras) return { steps };
  return extras ? { ...also, extras, steps } : { ...also, steps };
}

const NONE: readonly never[] = [];

/** `ahead`: this claim owns the run, but the database has lost records of it. */
export type Loss = { how: 'lost' } | { how: 'ahead' } | { how: 'broken'; error: unknown };

/** Writes for one claim of a run, in order, each with the next batch of the process. */
export class RunWriter {
  readonly footing: Footing;
  private tail: Promise<Recorded> = Promise.resolve('written');
  private clearCrashes: boolean;
  private lines: LogLine[] = [];
  private progressed = false;
  /** Whether the database has new records of this claim. */
  hasProgressed = false;

  constructor(
    private readonly run: ClaimedRun,
    history: readonly StepRecord[],
    private readonly recorder: Recorder,
    /** Called when the run has another owner, or cannot be written. */
    private readonly onLoss: (loss: Loss) => void,
  ) {
    this.footing = new Footing(history);
    this.clearCrashes = run.crashes > 0;
  }

  /** The line is written with the next write. */
  log(line: LogLine): void {
    this.lines.push(line);
  }

  write(entry: Entry, transition?: RunTransition): Promise<Recorded> {
    const recorded = this.recorder.record(this.writeOf(entry, transition));
    this.tail = recorded;
    recorded.then(
      (outcome) => {
        if (outcome !== 'written') return this.onLoss({ how: outcome === 'ahead' ? 'ahead' : 'lost' });
        this.hasProgressed ||= (entry.steps?.length ?? 0) > 0;
      },
      (error: unknown) => this.onLoss({ how: 'broken', error }),
    );
    return recorded;
  }

  /** Waits for all writes so far, and returns whether they are in the database. */
  async flushed(): Promise<boolean> {
    return (await this.tail.catch(() => 'lost' as const)) === 'written';
  }

  private writeOf(
    { steps = NONE, tasks = NONE, takes = NONE, withdraws = NONE, extras }: Entry,
    transition?: RunTransition,
  ): PlayedWrite {
    const { id: runId, epoch, notifies } = this.run;
    const settles = this.clearCrashes && steps.some(({ settled }) => settled !== null);
    if (settles) this.clearCrashes = false;
    const all = this.withNews(this.withLines(extras), transition);
    this.progressed ||= steps.length > 0;
    const write: PlayedWrite = { runId, epoch, steps, tasks, takes, withdraws, footing: this.footing };
    if (all) write.extras = all;
    if (settles) write.clearCrashes = true;
    return transition ? { ...write, transition, notifies } : write;
  }

  /** A run that was blocked, and is blocked again without progress, is no news. */
  private withNews(extras?: RunExtras, transition?: RunTransition): RunExtras | undefined {
    if (!transition || (this.run.wasBlocked && !this.progressed && transition.status === 'suspended')) return extras;
    const event = this.recorder.eventOf(this.run, transition);
    return event ? { ...extras, tells: [event] } : extras;
  }

  private withLines(extras?: RunExtras): RunExtras | undefined {
    if (this.lines.length === 0) return extras;
    return { ...extras, logs: [...this.lines.splice(0), ...(extras?.logs ?? [])] };
  }
}
