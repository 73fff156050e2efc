import { DatabaseError } from '../errors.js';
import type { Transaction } from '../protocol/transaction.js';
import { backoffMs } from '../time/backoff.js';
import { Batcher } from '../time/batcher.js';
import { sleep } from '../time/sleep.js';
import type { RunStore, RunWrite } from './run-store.js';
import type { StepRecord } from './step-record.js';
import type { TaskDispatcher } from './task-dispatcher.js';

/** `lost`: the run is no longer this activation's; nothing was written. */
export type Recorded = 'written' | 'lost';

const RETRY = { delay: 20, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

/**
 * Writes what all runs of this process have to record, many at a time, in the order they asked. A database that
 * is away is waited for; a write that cannot be done fails alone.
 */
export class Recorder {
  private readonly batcher: Batcher<RunWrite, Recorded>;
  private readonly stopped = new AbortController();
  /** Claims of which a write could not be done: what they wrote after it must not be done either. */
  private readonly broken = new Set<string>();

  constructor(
    private readonly store: RunStore,
    private readonly dispatcher: TaskDispatcher,
    private readonly onError: (error: unknown) => void,
    maxItems = 500,
  ) {
    this.batcher = new Batcher((writes) => this.write(writes), {
      maxItems,
      sizeOf,
      isolates: () => !this.stopped.signal.aborted,
    });
  }

  record(write: RunWrite): Promise<Recorded> {
    return this.batcher.add(write);
  }

  /** The same in a transaction that the caller has open; not retried here. */
  async recordIn(tx: Transaction, write: RunWrite): Promise<Recorded> {
    const lost = await this.store.commit([write], this.alongside, tx);
    return lost.length === 0 ? 'written' : 'lost';
  }

  /** Waits for what is under way; from then on a database that is away fails writes instead of holding them. */
  async stop(graceMs: number): Promise<void> {
    await Promise.race([this.batcher.idle(), sleep(graceMs, this.stopped.signal)]);
    this.stopped.abort();
    await this.batcher.idle();
  }

  private async write(writes: readonly RunWrite[]): Promise<Recorded[]> {
    const whole = writes.filter(({ runId, epoch }) => !this.broken.has(keyOf(runId, epoch)));
    try {
      const lost = new Set([...this.broken, ...(await this.persist(merge(whole)))]);
      return writes.map(({ runId, epoch }) => (lost.has(keyOf(runId, epoch)) ? 'lost' : 'written'));
    } catch (error) {
      // Several are tried again in parts.
      if (writes.length === 1 || this.stopped.signal.aborted) this.breakOff(whole);
      throw error;
    }
  }

  /** Whoever wrote these hears of it and writes no more; only what is queued already must be held back. */
  private breakOff(writes: readonly RunWrite[]): void {
    for (const { runId, epoch } of writes) this.broken.add(keyOf(runId, epoch));
    void this.batcher.idle().then(() => this.broken.clear());
  }

  private async persist(writes: readonly RunWrite[]): Promise<string[]> {
    if (writes.length === 0) return [];
    for (let failures = 1; ; failures++) {
      try {
        const lost = await this.store.commit(writes, this.alongside);
        const tasks = writes.flatMap((write) => write.tasks);
        if (tasks.length > 0) this.dispatcher.announce(tasks);
        return lost.map(({ runId, epoch }) => keyOf(runId, epoch));
      } catch (error) {
        if (!(error instanceof DatabaseError && error.transient) || this.stopped.signal.aborted) throw error;
        this.onError(error);
        await sleep(backoffMs(failures, RETRY), this.stopped.signal);
      }
    }
  }

  private readonly alongside = async (writes: readonly RunWrite[], tx: Transaction): Promise<void> => {
    const tasks = writes.flatMap((write) => write.tasks);
    const takes = writes.flatMap((write) => write.takes);
    const withdraws = writes.flatMap((write) => write.withdraws);
    if (withdraws.length > 0) await this.dispatcher.withdraw(withdraws, tx);
    // Taken before the same step is asked again: a retry's answer must not meet the old one.
    if (takes.length > 0) await this.dispatcher.take(takes, tx);
    if (tasks.length > 0) await this.dispatcher.dispatch(tasks, tx);
  };
}

const sizeOf = ({ steps, tasks, transition }: RunWrite): number =>
  steps.reduce((size, { output, error }) => size + (output?.length ?? 0) + (error?.length ?? 0), 0) +
  tasks.reduce((size, { input }) => size + input.length, 0) +
  (transition?.status === 'completed' ? transition.output.length : 0);

const keyOf = (runId: string, epoch: number): string => `${epoch}:${runId}`;

/**
 * One write per run and epoch; of a position written twice the last word counts, and so it does for tasks. A step that
 * has its outcome meanwhile, as by its timeout, is asked of nobody any more.
 */
function merge(writes: readonly RunWrite[]): RunWrite[] {
  const byRun = new Map<string, RunWrite[]>();
  for (const write of writes) {
    const key = keyOf(write.runId, write.epoch);
    const sofar = byRun.get(key);
    if (sofar) sofar.push(write);
    else byRun.set(key, [write]);
  }
  return [...byRun.values()].map(mergeOne);
}

function mergeOne(writes: RunWrite[]): RunWrite {
  const [first] = writes as [RunWrite];
  if (writes.length === 1) return first;
  const steps = new Map<number, StepRecord>(
    writes.flatMap((write) => write.steps.map((step) => [step.seq, step] as const)),
  );
  const tasks = new Map(writes.flatMap((write) => write.tasks.map((task) => [task.stepId, task] as const)));
  const transition = writes.findLast((write) => write.transition)?.transition;
  return {
    runId: first.runId,
    epoch: first.epoch,
    steps: [...steps.values()],
    tasks: [...tasks.values()].filter(({ seq }) => (steps.get(seq)?.settled ?? null) === null),
    takes: [...new Set(writes.flatMap((write) => write.takes))],
    withdraws: [...new Set(writes.flatMap((write) => write.withdraws))],
    ...(transition ? { transition } : {}),
    ...(writes.some((write) => write.clearCrashes) ? { clearCrashes: true } : {}),
  };
}
