import { systemClock } from '../../time/clock.js';
import type { LogLine, RunStore, RunWrite } from '../model/run-store.js';
import type { PlayedWrite } from './merged-writes.js';

/** Stays true after the run has been blocked. */
const MESSAGE =
  'The database does not take what this run is to record: it is tried apart from other runs; ' +
  'a run whose writes go on failing is blocked as write_refused';

/**
 * Tells whether the database takes something else of a run of which it does not take a write: a line of the run's log, for
 * whoever looks at it. Nothing less tells as much: where nobody can write, rows may still be locked and nothing be
 * committed. However often an activation tries a write, its line stands there once; a later activation adds its own.
 */
export class WriteProbe {
  private readonly lines = new WeakMap<RunWrite, LogLine>();

  constructor(
    private readonly store: Pick<RunStore, 'commit'>,
    private readonly sign: (write: PlayedWrite) => void,
  ) {}

  /** False also where the claim is lost: of a run that is another's nothing can be told. */
  async passes(write: PlayedWrite): Promise<boolean> {
    const { runId, epoch, footing } = write;
    const line = this.lineOf(write);
    const probe: PlayedWrite = {
      ...{ runId, epoch, steps: [], tasks: [], takes: [], withdraws: [] },
      ...(footing && { footing }),
      extras: { replacedLogs: [line] },
    };
    this.sign(probe);
    return this.store
      .commit([probe], async () => undefined)
      .then(
        (refused) => refused.length === 0,
        () => false,
      );
  }

  private lineOf(write: RunWrite): LogLine {
    const said = this.lines.get(write);
    if (said) return said;
    const loggedAt = systemClock.now();
    const line = { seq: null, attempt: null, level: 'warn', message: MESSAGE, fields: null, loggedAt } as const;
    this.lines.set(write, line);
    return line;
  }
}
