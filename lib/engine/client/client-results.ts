import { ResultTimeoutError, WorkflowNotFoundError } from '../../errors/run-errors.js';
import { toMs } from '../../time/duration.js';
import { Semaphore } from '../../time/semaphore.js';
import { atMost, sleep } from '../../time/sleep.js';
import type { WorkflowExplanation } from '../insight/explain.js';
import { isFinal, type RunRecord } from '../model/run.js';
import type { ResultWaiter } from './result-waiter.js';
import { RESULT_OPTIONS, type ResultOptions } from './workflow-handle.js';
import { checkedOptions } from '../../options/known-options.js';

interface Ports {
  waiter: ResultWaiter;
  /** @throws WorkflowNotFoundError */
  explain: (id: string) => Promise<WorkflowExplanation>;
}

/** How long a wait that is over asks why. */
const ASK_MS = 1_000;
/** The most waits that ask at once: many callers may give up together because the database is slow. */
const MOST_ASKING = 4;

const UNBORN =
  'the run does not exist yet: the transaction that starts it has not committed, or was rolled back. Wait for a result only after the commit';

/** Waits for the ends of runs, and says of one that has not ended in time what it waits for. */
export class ClientResults {
  private readonly asking = new Semaphore(MOST_ASKING);

  constructor(private readonly ports: Ports) {}

  /**
   * `mayAppear`: the run will exist once its transaction has committed.
   *
   * @throws WorkflowNotFoundError, ResultTimeoutError, ResultAbandonedError
   */
  async ended(id: string, options: ResultOptions, mayAppear: boolean): Promise<RunRecord> {
    const { timeout } = checkedOptions(options, RESULT_OPTIONS, 'result');
    const timeoutMs = timeout === undefined ? undefined : toMs(timeout, 'timeout');
    const over = new AbortController();
    try {
      const ended = this.ports.waiter.wait(id, over.signal, mayAppear);
      const late = timeoutMs === undefined ? [] : [sleep(timeoutMs, over.signal).then(() => 'late' as const)];
      const run = await Promise.race([ended, ...late]);
      if (run === 'late') throw new ResultTimeoutError(id, timeoutMs ?? 0, await this.whyLate(id));
      if (!run) throw new WorkflowNotFoundError(id);
      return run;
    } finally {
      // With a reason, because creating the default one is expensive.
      over.abort('over');
    }
  }

  /** Undefined if the database does not say it soon. */
  private async whyLate(id: string): Promise<string | undefined> {
    let why: string | undefined;
    let isOver = false;
    const asked = this.asking.run(async () => {
      if (!isOver) why = lateText(await this.ports.explain(id));
    });
    await atMost(ASK_MS, asked).catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) why = UNBORN;
    });
    isOver = true;
    return why;
  }
}

function lateText({ status, blocked, text }: WorkflowExplanation): string {
  if (blocked !== null) return `it is blocked: ${blocked}`;
  if (isFinal(status)) return `it ended a moment later, as ${status}: ask for its result again`;
  return `it continues, ask for its result again. ${text}`;
}
