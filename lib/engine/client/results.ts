import { AsyncLocalStorage } from 'node:async_hooks';
import { UnreadablePayloadError } from '../../core/errors.js';
import { PollLoop, Semaphore } from '../../core/loops.js';
import { checkedOptions, type KnownOptions } from '../../core/options.js';
import {
  ResultAbandonedError,
  ResultTimeoutError,
  WorkflowErasedError,
  WorkflowIdConflictError,
  WorkflowNotFoundError,
} from '../../core/run-errors.js';
import { atMost, type Duration, sleep, toMs } from '../../core/time.js';
import type { Transaction } from '../../core/transaction.js';
import type { WorkflowExplanation } from '../explain.js';
import type { Payloads } from '../payloads.js';
import { isFinal, isOutcomeErased, type NewRun, type RunRecord } from '../run.js';
import type { RunCatalog } from '../starts.js';
import { errorOf, type WorkflowRunStatus } from '../views.js';

/** A handle to one run, returned by `start`. */
export interface WorkflowHandle<Output = unknown> {
  readonly id: string;
  /** False if the start found an existing run: the same id and input, or the same `singleton` or `debounce` key. */
  readonly created: boolean;
  /**
   * Waits for the run's output.
   *
   * @throws WorkflowFailedError, CompensationFailedError, WorkflowCancelledError, WorkflowTerminatedError,
   *   ResultTimeoutError, ResultAbandonedError
   */
  result(options?: ResultOptions): Promise<Output>;
  status(): Promise<WorkflowRunStatus>;
  /** Returns false if the run had ended already. */
  cancel(): Promise<boolean>;
  /** Ends the run without compensation. Returns false if the run had ended already. */
  terminate(): Promise<boolean>;
}

export interface ResultOptions {
  /** How long to wait. Default: until the run ends. */
  timeout?: Duration;
}

const RESULT_OPTIONS = { timeout: true } satisfies KnownOptions<ResultOptions>;

/** The start of the app: what this process plays, it plays only after that. */
export interface Boot {
  readonly isOver: boolean;
  /** Called while it is not over. @throws ResultTooEarlyError if a run of this workflow would be awaited in vain */
  refuse(workflow: string, version: number): void;
}

interface Ports {
  waiter: ResultWaiter;
  /** @throws ResultTooEarlyError */
  refuseTooEarly?: (id: string) => Promise<void>;
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
   * @throws WorkflowNotFoundError, ResultTimeoutError, ResultAbandonedError, ResultTooEarlyError
   */
  async ended(id: string, options: ResultOptions, mayAppear: boolean): Promise<RunRecord> {
    const { timeout } = checkedOptions(options, RESULT_OPTIONS, 'result');
    const timeoutMs = timeout === undefined ? undefined : toMs(timeout, 'timeout');
    await this.ports.refuseTooEarly?.(id);
    const over = new AbortController();
    try {
      const { waiter } = this.ports;
      const ended = waiter.wait(id, over.signal, mayAppear);
      const stuck = waiter.onWait?.(id, over.signal, timeoutMs !== undefined);
      const late = timeoutMs === undefined ? [] : [sleep(timeoutMs, over.signal).then(() => 'late' as const)];
      const run = await Promise.race([ended, ...late, ...(stuck ? [stuck] : [])]);
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

interface Waiting {
  resolve: (run: RunRecord | undefined) => void;
  reject: (error: Error) => void;
  /** The run may not be visible yet: its transaction is still open. */
  mayAppear: boolean;
}

export interface ResultWaiterOptions {
  /** The longest time between two polls, in ms, no matter how many runs are waited for. */
  pollMs: number;
  /** Whether notifications of runs that end in other processes currently arrive: then polling is only a fallback. */
  notified?: () => boolean;
  onError: (error: unknown) => void;
  /** Begins what polls: it goes on when the caller no longer waits, and does not belong to the caller's trace. */
  quietly?: (begin: () => void) => void;
}

const FASTEST_POLL_MS = 50;
/** The poll interval while no caller waits. */
const NOBODY_WAITS_MS = 60_000;

/** Rejects if the run gets no further, unless the caller `gives` a time. Resolves once `over` is aborted. */
type OnWait = (id: string, over: AbortSignal, gives: boolean) => Promise<undefined>;

/** Waits for the ends of runs, with one shared poll for all callers in this process. */
export class ResultWaiter {
  /** Called with each wait. For the testing kit, whose time passes only when the test says so. */
  onWait: OnWait | undefined;
  private readonly waiting = new Map<string, Set<Waiting>>();
  /** Awaited runs to read now. */
  private readonly hinted = new Set<string>();
  /** Reads the hinted runs at once. */
  private readonly hints: PollLoop;
  /** Reads all awaited runs, no matter how many hints come meanwhile: not every end is hinted. */
  private readonly polls: PollLoop;
  private unsubscribe: (() => void) | undefined;
  private stopped = false;
  /** What polls begins as this did: not in the context of the first caller. */
  private readonly apart = AsyncLocalStorage.snapshot();

  constructor(
    private readonly catalog: RunCatalog,
    private readonly options: ResultWaiterOptions,
  ) {
    const { pollMs, notified = () => false, onError } = options;
    const napMs = (ms: number) => (this.waiting.size > 0 ? ms : NOBODY_WAITS_MS);
    const minMs = () => napMs(notified() ? pollMs : FASTEST_POLL_MS);
    this.polls = new PollLoop(() => this.look([...this.waiting.keys()]), {
      minMs,
      maxMs: () => napMs(pollMs),
      onError,
    });
    this.hints = new PollLoop(() => this.lookAtHinted(), { maxMs: NOBODY_WAITS_MS, onError });
  }

  /**
   * Resolves with the run once it has ended, and never if `signal` aborts first. Resolves to undefined if the run does
   * not exist, unless it `mayAppear`.
   *
   * @throws ResultAbandonedError when this process stops first.
   */
  wait(id: string, signal: AbortSignal, mayAppear: boolean): Promise<RunRecord | undefined> {
    if (this.stopped) return Promise.reject(new ResultAbandonedError(id));
    return new Promise((resolve, reject) => {
      const one = { resolve, reject, mayAppear };
      const others = this.waiting.get(id) ?? new Set<Waiting>();
      this.waiting.set(id, others.add(one));
      signal.addEventListener('abort', () => this.forget(id, one), { once: true });
      this.begin(id);
    });
  }

  /** Rejects all pending waits: a request that waits forever would keep the process from ending. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    for (const [id, waiting] of this.waiting) for (const { reject } of waiting) reject(new ResultAbandonedError(id));
    this.waiting.clear();
    await Promise.all([this.hints.stop(), this.polls.stop()]);
  }

  private begin(id: string): void {
    const { quietly = (begin) => begin() } = this.options;
    this.unsubscribe ??= this.catalog.onFinished((ids) => this.finished(ids));
    this.apart(() =>
      quietly(() => {
        this.hints.start();
        this.polls.start();
      }),
    );
    this.hint(id);
    this.polls.hurry();
  }

  private finished(ids: readonly string[] | undefined): void {
    if (!ids) return this.polls.wake();
    for (const id of ids) if (this.waiting.has(id)) this.hint(id);
  }

  private hint(id: string): void {
    this.hinted.add(id);
    this.hints.wake();
  }

  private forget(id: string, one: Waiting): void {
    const waiting = this.waiting.get(id);
    waiting?.delete(one);
    if (waiting?.size === 0) this.waiting.delete(id);
  }

  private lookAtHinted(): Promise<'active' | 'idle'> {
    const ids = [...this.hinted].filter((id) => this.waiting.has(id));
    this.hinted.clear();
    return this.look(ids);
  }

  private async look(ids: readonly string[]): Promise<'active' | 'idle'> {
    if (ids.length === 0) return 'idle';
    const runs = await this.catalog.find(ids);
    for (const run of runs) if (isFinal(run.status)) this.resolve(run.id, run, () => true);
    const there = new Set(runs.map(({ id }) => id));
    for (const id of ids) if (!there.has(id)) this.resolve(id, undefined, ({ mayAppear }) => !mayAppear);
    return runs.some(({ status }) => isFinal(status)) ? 'active' : 'idle';
  }

  private resolve(id: string, run: RunRecord | undefined, which: (one: Waiting) => boolean): void {
    for (const one of [...(this.waiting.get(id) ?? [])].filter(which)) {
      one.resolve(run);
      this.forget(id, one);
    }
  }
}

/** Whether a start may answer an existing run. Nobody can tell what an erased one was given. @throws WorkflowIdConflictError */
export function checkSame(asked: NewRun, run: RunRecord, payloads: Payloads): void {
  if (run.namespace !== asked.namespace) throw new WorkflowIdConflictError(run.id, 'namespace');
  if (run.workflow !== asked.workflow) throw new WorkflowIdConflictError(run.id, `workflow ("${run.workflow}")`);
  if (run.erasedAt !== null) return;
  const what = `The input of run "${run.id}"`;
  if (!readable(what, () => payloads.ofRun(run).isSame(run.input, asked.input)))
    throw new WorkflowIdConflictError(run.id, 'input');
}

/** The output of a run that has ended. @throws WorkflowErasedError, UnreadablePayloadError, and the errors of `errorOf` */
export function outputOf(run: RunRecord, all: Payloads): unknown {
  if (isOutcomeErased(run)) throw new WorkflowErasedError(run.id);
  const payloads = all.ofRun(run);
  if (run.status !== 'completed') throw errorOf(run, payloads);
  return payloads.read(run.output, `The output of run "${run.id}"`);
}

/** @throws UnreadablePayloadError */
function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new UnreadablePayloadError(what, { cause });
  }
}

/** An id belongs to one run of all namespaces, and who knows it may be of another one. @throws WorkflowNotFoundError */
export async function ownRun(
  catalog: Pick<RunCatalog, 'find'>,
  namespace: string,
  id: string,
  tx?: Transaction,
): Promise<RunRecord> {
  const [run] = await catalog.find([id], tx);
  if (run?.namespace !== namespace) throw new WorkflowNotFoundError(id);
  return run;
}
