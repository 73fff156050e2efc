import { DurableError } from '../../../lib/core/errors.js';
import type { WorkflowClient } from '../../../lib/engine/client/client.js';
import type { RunRecord } from '../../../lib/engine/run.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import type { Act } from './repairs.js';

/** What an operator did, and what was answered. Each act has an actor of its own. */
export interface Done {
  actor: string;
  act: Act['do'];
  run: string | undefined;
  seq: number | undefined;
  /** Others may have acted at the same time. */
  timed: boolean;
  /** What was asked for was refused: nothing may have changed. */
  refused: DurableError | undefined;
  /** How many rows it must have in the log of acts. */
  rows: number;
  /** The id of the fork. */
  fork?: string;
}

const MOST_FORKS = 2;
const KEPT = { workflow: 'program' };

/** Operators at a client, who write down what they do. */
export class Operators {
  readonly done: Done[] = [];
  private forks = 0;

  constructor(
    private readonly client: WorkflowClient,
    private readonly see: { runs(): Promise<RunRecord[]>; steps(id: string): Promise<StepRecord[]> },
  ) {}

  /** @throws whatever is no refusal */
  async perform(act: Act, timed = false): Promise<Done> {
    const runs = await this.see.runs();
    const run = 'n' in act ? runs[act.n % runs.length]!.id : undefined;
    const steps = run !== undefined && 'seq' in act ? await this.see.steps(run) : [];
    const seqs = steps.map(({ seq }) => seq).filter((seq) => seq >= 0);
    // Also a step that is not recorded yet.
    const seq =
      'seq' in act ? (act.seq % 3 > 0 && seqs.length > 0 ? seqs[act.seq % seqs.length]! : act.seq) : undefined;
    const actor = `operator-${this.done.length}`;
    const done: Done = { actor, act: act.do, run, seq, timed, refused: undefined, rows: 1 };
    this.done.push(done);
    await this.ask(act, done).catch((error: unknown) => {
      if (!(error instanceof DurableError)) throw error;
      Object.assign(done, { refused: error, rows: 0 });
    });
    return done;
  }

  private async ask(act: Act, done: Done): Promise<unknown> {
    const { client } = this;
    const by = { actor: done.actor, reason: act.do };
    const run = done.run!;
    switch (act.do) {
      case 'retry':
      case 'restart':
      case 'cancel':
      case 'terminate':
        return client[act.do](run, by);
      case 'erase':
        return client.erase({ id: run }, by);
      case 'runNow':
        return client.runNow(run, done.seq!, by);
      case 'resolve':
        return client.resolveStep(run, done.seq!, resolutionOf(act.how, done.actor), by);
      case 'fork':
        if (this.forks >= MOST_FORKS) return void (done.rows = 0);
        done.fork = `fork-${++this.forks}`;
        return client.fork(run, { from: done.seq!, id: done.fork, ...by });
      case 'hold':
      case 'lift':
        return client[act.do](KEPT, by);
      default: {
        const filter = act.do === 'retryAll' ? ({ status: ['failed'] } as const) : KEPT;
        // The bulk has a row at its begin, and one at its end.
        done.rows = 2 + (await client[act.do](filter, by).all()).done;
      }
    }
  }
}

function resolutionOf(how: 'output' | 'error' | 'skip', by: string) {
  if (how === 'skip') return { skip: true } as const;
  return how === 'output' ? { output: `by ${by}` } : { error: { message: `by ${by}`, code: 'BY_HAND' } };
}
