import { stepIdOf } from '../core/protocol.js';
import { real } from '../core/time.js';
import { afterCommit, inMemoryTransaction, type Transaction } from '../core/transaction.js';
import { answerOfConflict, type GivingUp, isSameChild } from './control.js';
import { forgetLives, forgetRuns } from './control.memory.js';
import { addDependencies, lastSettled } from './endings.memory.js';
import type { ListedRuns, ListRuns } from './insight.js';
import { listMemory } from './insight.memory.js';
import { endOfTurns, firstTurn, isLimited, needsTurn } from './limits.js';
import { isFinal, type NewRun, NOTIFIES, type RunRecord } from './run.js';
import { NO_ENDINGS } from './runs.js';
import {
  type ForkOutcome,
  forkRefusal,
  type ForkRun,
  nextLife,
  type RestartRun,
  type RunCatalog,
  type RunLives,
  sharedSteps,
} from './starts.js';
import type { StepRecord } from './step.js';
import {
  changeAttributes,
  type HeldRun,
  InMemoryAdapter,
  type MemoryExtrasWriter,
  type MemoryTables,
  writeAttributes,
} from './tables.memory.js';

/** What the row of a run is before it begins: of a new one, of a new life and of a fork. */
const UNBEGUN = {
  status: 'pending',
  owner: null,
  startedAt: null,
  finishedAt: null,
  output: null,
  error: null,
  closing: null,
  reason: null,
  reasonDetail: null,
  resume: null,
  customStatus: null,
  turn: null,
  settled: 0,
  crashes: 0,
  crashed: [],
  unwinds: false,
  blockers: 0,
} as const satisfies Partial<HeldRun>;

/** The table row of a new run. */
export function heldRun(
  { delayMs, timeoutMs, parent, after, limiter, scheduleId, ...fields }: NewRun,
  now: number,
): HeldRun {
  const { attributes: _, reuse: __, startKey: ___, ...run } = fields;
  const limited = limiter !== undefined && isLimited(limiter.limits);
  const wakeAt = now + delayMs;
  const family = { parentId: parent?.id ?? null, parentSeq: parent?.seq ?? null, parentClose: parent?.close ?? null };
  return {
    ...run,
    ...UNBEGUN,
    ...family,
    epoch: 0,
    firstSeq: 0,
    continuedAt: null,
    forkedFrom: null,
    forkedSeq: null,
    wakeAt,
    createdAt: now,
    erasedAt: null,
    deadline: timeoutMs === undefined ? null : wakeAt + timeoutMs,
    timeoutMs: timeoutMs ?? null,
    notifies: (parent ? NOTIFIES.parent : 0) + (limited ? NOTIFIES.limiter : 0),
    limiter: limiter ?? null,
    ...(after && { targets: after }),
    precondition: after && after.length > 0 ? 'after' : limited ? 'limiter' : null,
    scheduleId: scheduleId ?? null,
  };
}

/** Creates child runs with the steps of their parents. */
export const beginChildren: MemoryExtrasWriter = (tables, writes, now) => {
  const children = writes.flatMap(({ extras }) => extras?.children ?? []);
  const begun = new Map<string, NewRun>();
  const conflicts = children.filter((child) => {
    const taken = tables.runs.get(child.id) ?? begunAs(begun.get(child.id));
    if (!taken) begun.set(child.id, child);
    return taken !== undefined && !isSameChild(child, taken);
  });
  return {
    outcome: { answers: conflicts.flatMap(answerOfConflict), woken: begun.size > 0 },
    apply: () => {
      for (const child of begun.values()) {
        tables.runs.set(child.id, runWithTurn(tables, child, now));
        writeAttributes(tables, child);
      }
    },
  };
};

const begunAs = (run: NewRun | undefined) =>
  run && { id: run.id, parentId: run.parent?.id ?? null, parentSeq: run.parent?.seq ?? null };

/** The row of a new run, with its turn if it needs one. */
function runWithTurn(tables: MemoryTables, run: NewRun, now: number): HeldRun {
  const held = heldRun(run, now);
  return needsTurn(run) ? { ...held, turn: turnOf(tables, run), wakeAt: held.deadline } : held;
}

/** The turn after all others of its key, and after the next turn of the workflow. */
function turnOf({ runs }: MemoryTables, { namespace, workflow, version, limiter, priority }: NewRun): number {
  const [first, end] = [firstTurn(priority), endOfTurns(priority)];
  const waiting = [...runs.values()].flatMap((run) =>
    run.turn !== null && run.turn >= first && run.turn < end ? [{ run, turn: run.turn }] : [],
  );
  const ofLimiter = waiting.filter(({ run }) => run.limiter?.limiter === limiter?.limiter).map(({ turn }) => turn);
  const ofWorkflow = waiting
    .filter(({ run }) => run.namespace === namespace && run.workflow === workflow && run.version === version)
    .map(({ turn }) => turn);
  const head = ofWorkflow.reduce((least, turn) => Math.min(least, turn), Number.POSITIVE_INFINITY);
  const last = ofLimiter.reduce((most, turn) => Math.max(most, turn), first);
  return Math.max(last, head === Number.POSITIVE_INFINITY ? first : head) + 1;
}

/** Creates a run in memory, or returns the existing one. */
function startInMemory(tables: MemoryTables, run: NewRun, now: number): { created: boolean; run: HeldRun } {
  const holder = heldByOther(tables, run, now);
  if (holder) return { created: false, run: holder };
  const reborn = makeRoom(tables, run);
  const existing = tables.runs.get(run.id);
  if (existing) return { created: false, run: existing };
  const held = { ...runWithTurn(tables, run, now), ...reborn };
  tables.runs.set(run.id, held);
  addDependencies(tables, run);
  if (run.attributes) changeAttributes(tables, run.id, run.attributes);
  return { created: true, run: held };
}

/** The run that holds the key of this start; undefined if this start has taken the key. */
function heldByOther({ startKeys, runs }: MemoryTables, start: NewRun, now: number): HeldRun | undefined {
  const { startKey } = start;
  if (!startKey) return undefined;
  const there = startKeys.get(startKey.key);
  const holder = there && runs.get(there.runId);
  if (there && holder && holder.id !== start.id) {
    const lasts = there.expiresAt === null ? !isFinal(holder.status) : there.expiresAt > now;
    if (startKey.kind === 'singleton' && lasts) return holder;
    if (startKey.kind === 'debounce' && isUnbegun(holder)) return putOff(holder, start, there.latestAt, now);
  }
  startKeys.set(startKey.key, {
    runId: start.id,
    expiresAt: startKey.kind === 'singleton' && startKey.windowMs !== undefined ? now + startKey.windowMs : null,
    latestAt: startKey.kind === 'debounce' && startKey.maxDelayMs !== undefined ? now + startKey.maxDelayMs : null,
  });
  return undefined;
}

const isUnbegun = ({ status, owner, epoch }: HeldRun): boolean => status === 'pending' && owner === null && epoch === 0;

function putOff(run: HeldRun, { input, delayMs, timeoutMs }: NewRun, latestAt: number | null, now: number): HeldRun {
  const wakeAt = Math.min(now + delayMs, latestAt ?? now + delayMs);
  const deadline = timeoutMs === undefined ? null : wakeAt + timeoutMs;
  return Object.assign(run, { input, wakeAt, deadline, timeoutMs: timeoutMs ?? null });
}

/** Deletes a replaceable run; returns the epoch and position at which the new run continues. */
function makeRoom(tables: MemoryTables, run: NewRun): Partial<HeldRun> {
  const old = tables.runs.get(run.id);
  if (!run.reuse || !old || !isFinal(old.status)) return {};
  if (old.namespace !== run.namespace || old.workflow !== run.workflow) return {};
  if (run.reuse === 'failed' && old.status === 'completed') return {};
  const last = Math.max(-1, ...tables.history(run.id).map(({ seq }) => seq));
  forgetRuns(tables, new Set([run.id]));
  return { epoch: old.epoch + 1, firstSeq: nextLife(old, last) };
}

/** New lives and forks of runs, in memory. */
export class InMemoryRunLives extends InMemoryAdapter implements RunLives {
  restart(request: RestartRun, givingUp: GivingUp, tx?: Transaction): ReturnType<RunLives['restart']> {
    return inMemoryTransaction(tx, (own) => this.tables.exclusively(() => this.restartAlone(request, givingUp, own)));
  }

  fork(request: ForkRun, tx?: Transaction): Promise<ForkOutcome> {
    return inMemoryTransaction(tx, (own) => this.tables.exclusively(async () => this.forkAlone(request, own)));
  }

  private async restartAlone(
    { id, input, version, context }: RestartRun,
    givingUp: GivingUp,
    tx: Transaction,
  ): ReturnType<RunLives['restart']> {
    const run = this.tables.runs.get(id);
    if (!run) return 'missing';
    if (run.erasedAt !== null) return 'erased';
    if (!isFinal(run.status)) return run.status;
    const history = this.tables.history(id);
    const open = history.filter(({ settled, kind }) => settled === null && kind !== 'marker');
    const withdrawn = open.map(({ seq }) => stepIdOf(id, seq));
    if (withdrawn.length > 0) await givingUp({ ...NO_ENDINGS, withdrawn }, tx);
    const last = Math.max(-1, ...history.map(({ seq }) => seq));
    forgetLives(this.tables, new Set([id]));
    Object.assign(run, begun(run, this.clock.now()), {
      input: input ?? run.input,
      version: version ?? run.version,
      epoch: run.epoch + 1,
      firstSeq: nextLife(run, last),
      continuedAt: this.clock.now(),
      forkedFrom: null,
      forkedSeq: null,
      ...(context !== undefined && { context }),
    });
    tx.afterCommit(() => this.tables.tellDue());
    return 'restarted';
  }

  private forkAlone({ source, from, id, input, context }: ForkRun, tx: Transaction): ForkOutcome {
    const { runs, steps, attempts, attributes } = this.tables;
    const run = runs.get(source);
    if (!run) return 'missing';
    if (run.erasedAt !== null) return 'erased';
    if ([...this.tables.erasures.values()].some(({ runId }) => runId === source)) return { why: 'erasing' };
    const refusal = forkRefusal(this.tables.history(source), { from, firstSeq: run.firstSeq });
    if (refusal) return refusal;
    const other = runs.get(id);
    if (other) return other.forkedFrom === source && other.forkedSeq === from ? 'repeated' : 'taken';
    const alone = { parentId: null, parentSeq: null, parentClose: null, scheduleId: null };
    const own = { id, epoch: 1, continuedAt: null, input: input ?? run.input, forkedFrom: source, forkedSeq: from };
    const notifies = run.limiter ? NOTIFIES.limiter : 0;
    runs.set(id, { ...run, ...begun(run, this.clock.now()), ...alone, ...own, ...(context && { context }), notifies });
    steps.set(id, new Map(sharedSteps(this.tables.history(source), from, id).map((step) => [step.seq, step])));
    const shared = (attempts.get(source) ?? []).filter(({ seq }) => seq >= 0 && seq < from);
    attempts.set(
      id,
      shared.map((attempt) => ({ ...attempt, runId: id })),
    );
    attributes.set(id, new Map(attributes.get(source)));
    runs.get(id)!.settled = lastSettled(this.tables.history(id));
    tx.afterCommit(() => this.tables.tellDue());
    return 'forked';
  }
}

/** The row of a run that begins now. */
const begun = ({ limiter, timeoutMs }: HeldRun, now: number) => ({
  ...UNBEGUN,
  createdAt: now,
  wakeAt: now,
  deadline: timeoutMs === null ? null : now + timeoutMs,
  precondition: limiter ? ('limiter' as const) : null,
});

/** The client's access to runs, in memory. */
export class InMemoryRunCatalog extends InMemoryAdapter implements RunCatalog {
  async create(runs: readonly NewRun[], tx?: Transaction): Promise<{ created: boolean; run: RunRecord }[]> {
    afterCommit(tx, () => real.queueMicrotask(() => this.tables.tellDue()));
    return runs.map((asked) => {
      const { created, run } = startInMemory(this.tables, asked, this.clock.now());
      return { created, run: { ...run } };
    });
  }

  async find(ids: readonly string[]): Promise<RunRecord[]> {
    return ids.flatMap((id) => this.tables.runs.get(id) ?? []).map((run) => ({ ...run }));
  }

  async contexts(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const held = ids.map((id) => [id, this.tables.runs.get(id)?.context] as const);
    return new Map(held.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  async targets(runId: string): Promise<readonly string[]> {
    return this.tables.runs.get(runId)?.targets ?? [];
  }

  async steps(runId: string): Promise<StepRecord[]> {
    return this.tables.history(runId).map((step) => ({ ...step }));
  }

  async step(runId: string, seq: number): Promise<StepRecord | undefined> {
    const step = this.tables.steps.get(runId)?.get(seq);
    return step && { ...step };
  }

  async list(query: ListRuns): Promise<ListedRuns> {
    return listMemory(this.tables, query);
  }

  onFinished(listener: (ids?: readonly string[]) => void): () => void {
    this.tables.finishedListeners.add(listener);
    return () => void this.tables.finishedListeners.delete(listener);
  }
}
