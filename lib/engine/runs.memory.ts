import { heldIn } from '../acts/holds.memory.js';
import { type StepAnswer, stepIdOf } from '../core/protocol.js';
import { inMemoryTransaction, type Transaction } from '../core/transaction.js';
import { keepsAnswers, olderThanAsked } from './control.js';
import { type Ending, endingsOf, settleLastAnswers, tellEnded } from './endings.memory.js';
import { leaveLimiters, moveInLimiters } from './limits.memory.js';
import type { NodeIdentity, NodeRoster, Pulse, StrandedRuns } from './nodes.js';
import { InMemoryNodes } from './nodes.memory.js';
import { type ClaimedRun, isFinal, isFinalTransition, type RunTransition, writeDetail } from './run.js';
import {
  type ClaimRuns,
  type Endings,
  inDoubt,
  type KnownStep,
  type LogLine,
  type Outgoing,
  type RefusedWrite,
  refusingUnheld,
  type RunClaim,
  type RunStore,
  type RunWrite,
  type Standstill,
  SUSPECT_AFTER,
  type Taking,
  type Telling,
  untold,
  withoutRecorded,
} from './runs.js';
import { isNote, leftIn, leftOver } from './signals.js';
import { freeLeft, keepSignalWaits } from './signals.memory.js';
import { beginChildren } from './starts.memory.js';
import { openIn, settleAnswers, type StepRecord } from './step.js';
import {
  awaitsTurn,
  byId,
  changeAttributes,
  claimedOf,
  freeRun,
  type HeldRun,
  isAnswerable,
  isAsked,
  isBlocked,
  isDue,
  isParked,
  keepAttempts,
  type MemoryExtrasWriter,
  type MemoryTables,
} from './tables.memory.js';

/** Runs, their histories and nodes in maps: the engine's storage for tests and short-lived processes. */
export class InMemoryRunStore extends InMemoryNodes implements RunStore, NodeRoster, StrandedRuns {
  onRuns(listener: (lost?: readonly string[]) => void): () => void {
    this.tables.runListeners.add(listener);
    return () => void this.tables.runListeners.delete(listener);
  }

  claim(request: ClaimRuns): Promise<ClaimedRun[]> {
    return this.tables.exclusively(async () => this.takeRuns(request));
  }

  private takeRuns(request: ClaimRuns): ClaimedRun[] {
    const { nodeId, namespace, workflows, limit, which, afterId = '', without, dueWithinMs = Infinity } = request;
    const now = this.clock.now();
    if (!this.lives(nodeId)) return [];
    const wanted = {
      due: (run: HeldRun) => isDue(run, now) && run.wakeAt! >= now - dueWithinMs && run.crashes < SUSPECT_AFTER,
      suspect: (run: HeldRun) => isDue(run, now) && run.crashes >= SUSPECT_AFTER,
      blocked: (run: HeldRun) =>
        run.status === 'suspended' &&
        isBlocked(run) &&
        run.owner === null &&
        run.id > afterId &&
        !without?.some(({ runId, epoch }) => runId === run.id && epoch === run.epoch),
    }[which];
    const order = which === 'blocked' ? byId : (a: HeldRun, b: HeldRun) => a.wakeAt! - b.wakeAt!;
    const held = heldIn(this.tables, namespace, 'workflow', now);
    const known = new Set(workflows.map(({ name, version }) => `${version}:${name}`));
    const isOurs = (run: HeldRun) =>
      run.namespace === namespace && known.has(`${run.version}:${run.workflow}`) && !held.has(run.workflow);
    const due = this.runsWhere((run) => wanted(run) && isOurs(run)).sort(order);
    // Due runs first; runs that wait for their turn fill the rest of the limit.
    const isInTurn = (run: HeldRun) => awaitsTurn(run) && !wanted(run) && isOurs(run);
    const inTurn = which === 'due' && due.length < limit ? this.runsWhere(isInTurn) : [];
    return [...due, ...inTurn.sort((a, b) => a.turn! - b.turn!)].slice(0, limit).map((run) => this.take(run, nodeId));
  }

  /** Most runs have ended, and every claim looks at all: the cheapest test comes first, and nothing is copied. */
  private runsWhere(test: (run: HeldRun) => boolean): HeldRun[] {
    const found: HeldRun[] = [];
    for (const run of this.tables.runs.values()) if (test(run)) found.push(run);
    return found;
  }

  async histories(runIds: readonly string[]): Promise<StepRecord[]> {
    return runIds.flatMap((id) => this.tables.history(id)).map(({ input: _, ...step }) => step);
  }

  commit(writes: readonly RunWrite[], outgoing: Outgoing, tx?: Transaction): Promise<readonly RefusedWrite[]> {
    const write = (own: Transaction) => (some: readonly RunWrite[]) =>
      this.tables.exclusively(() => this.write(some, outgoing, own));
    return inMemoryTransaction(tx, (own) => refusingUnheld(writes, write(own)));
  }

  private async write(
    writes: readonly RunWrite[],
    outgoing: Outgoing,
    tx: Transaction,
  ): Promise<readonly RefusedWrite[]> {
    const refusals = writes.map((write) => refusalOf(this.tables, write));
    const accepted = writes.filter((_, i) => refusals[i] === undefined);
    const now = this.clock.now();
    const fresh = withoutRecorded(
      accepted,
      inDoubt(accepted).flatMap(({ runId, seq }) => this.tables.steps.get(runId)?.get(seq) ?? []),
    );
    const extras = memoryExtras(this.tables, fresh, now);
    const ending = accepted.flatMap((write) => this.endingOf(write));
    const ends = endingsOf(this.tables, ending);
    const { limiters, asking } = untold(accepted, fresh);
    const endings = {
      answers: [...ends.answers, ...extras.answers],
      limiters: [...ends.limiters, ...extras.limiters, ...limiters],
    };
    const answered = await outgoing(fresh, tx, endings);
    // A run ends before those are told who wait for it.
    for (const write of accepted) this.apply(write, now);
    const closed = accepted.filter(({ transition }) => keepsAnswers(transition));
    settleLastAnswers(
      this.tables,
      closed.map(({ runId }) => this.tables.runs.get(runId)!),
      answered,
    );
    freeLeft(this.tables, leftIn(answered ?? []));
    extras.apply();
    const finished = accepted.filter(({ transition }) => isFinalTransition(transition)).map(({ runId }) => runId);
    const woken = tellEnded(this.tables, finished, now);
    tx.afterCommit(() => {
      if (asking.length > 0) outgoing.carried?.(asking);
      this.tables.tellFinished(finished);
      if (woken || extras.woken) this.tables.tellDue();
    });
    return refusals.filter((refusal) => refusal !== undefined);
  }

  /** Exclusive, so that no run is claimed meanwhile and its order of outcomes does not change. */
  settleUnowned(namespace: string, answers: readonly StepAnswer[], taking: Taking): Promise<string[]> {
    const work = (tx: Transaction) => this.tables.exclusively(() => this.settleFree(namespace, answers, taking, tx));
    return inMemoryTransaction(undefined, work);
  }

  private async settleFree(
    namespace: string,
    answers: readonly StepAnswer[],
    taking: Taking,
    tx: Transaction,
  ): Promise<string[]> {
    const settled = withoutStale(this.tables, answers).filter((answer) => {
      const run = this.tables.runs.get(answer.runId);
      return isNote(answer) || (run?.namespace === namespace && run.owner === null);
    });
    const stepIds = settled.map(({ stepId }) => stepId);
    if (stepIds.length > 0) await taking(stepIds, tx);
    settleInto(this.tables, this.clock.now(), settled);
    const freed = leaveLimiters(this.tables, stepIds);
    tx.afterCommit(() => this.tables.tellFreed(freed));
    return stepIds;
  }

  async awaited(): ReturnType<StrandedRuns['awaited']> {
    const parked = [...this.tables.runs.values()].filter(isParked);
    const asked = parked.flatMap(({ id }) => this.tables.history(id)).filter(isAsked);
    const steps = asked.map(({ runId, seq }) => ({ runId, stepId: stepIdOf(runId, seq) }));
    // A step that waits in a limiter has no task yet.
    const inTurn = ({ stepId }: { stepId: string }) => this.tables.limiterEntries.get(stepId)?.granted === false;
    return { steps: steps.filter((step) => !inTurn(step)), next: undefined };
  }

  async wake(runIds: readonly string[]): Promise<void> {
    for (const id of runIds) {
      const run = this.tables.runs.get(id);
      if (run && isParked(run) && run.reason === null) run.wakeAt = this.clock.now();
    }
  }

  async owned(nodeId: string): Promise<RunClaim[]> {
    const held = [...this.tables.runs.values()].filter(({ owner }) => owner === nodeId);
    return held.map(({ id, epoch }) => ({ runId: id, epoch, owner: nodeId }));
  }

  async lost(claims: readonly RunClaim[]): Promise<RunClaim[]> {
    return claims.filter((claim) => !this.heldBy(claim));
  }

  /** Exclusive, so that no commit changes the order of outcomes while it is stored. */
  release(runs: readonly RunClaim[], crashed: boolean, standstill?: Standstill, telling?: Telling): Promise<void> {
    const work = async (tx: Transaction) => {
      const held = runs.flatMap((claim) => this.heldBy(claim) ?? []);
      if (held.length > 0) await telling?.(tx);
      for (const run of held) freeRun(this.tables, run, this.clock.now(), { crashed, standstill });
      if (runs.length > 0) this.tables.tellDue();
    };
    return inMemoryTransaction(undefined, (tx) => this.tables.exclusively(() => work(tx)));
  }

  /** The run, if this claim holds. */
  private heldBy({ runId, epoch, owner }: RunClaim): HeldRun | undefined {
    const run = this.tables.runs.get(runId);
    return run?.epoch === epoch && run.owner === owner ? run : undefined;
  }

  async pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse> {
    const beat = await this.beat(node, leaseMs);
    const owners = new Set([...this.tables.runs.values()].map(({ owner }) => owner));
    const orphans = [...owners].some((owner) => owner !== null && !this.lives(owner));
    const [lapsed, nextLapse] = [this.lapsedBeside(node), this.nextLapseBeside(node)];
    const [owned, ended] = [await this.owned(node.id), this.endedBeside(node)];
    return { ...beat, owned, orphans, lapsed, nextLapse, elsewhere: [], ended };
  }

  reap(limit: number): Promise<number> {
    return this.tables.exclusively(() => this.freeOrphans(limit));
  }

  private async freeOrphans(limit: number): Promise<number> {
    const orphans = [...this.tables.runs.values()]
      .filter(({ owner }) => owner !== null && !this.lives(owner))
      .slice(0, limit);
    for (const run of orphans) {
      const owner = run.owner!;
      const isNew = !run.crashed.includes(owner);
      freeRun(this.tables, run, this.clock.now(), { crashed: isNew });
      if (isNew) run.crashed = [...run.crashed, owner];
    }
    return orphans.length;
  }

  async withdraw(nodeId: string, runIds: readonly string[]): Promise<number> {
    const counting = runIds
      .flatMap((id) => this.tables.runs.get(id) ?? [])
      .filter((run) => run.crashed.includes(nodeId));
    for (const run of counting) {
      const crashed = run.crashed.filter((one) => one !== nodeId);
      Object.assign(run, { crashes: Math.max(0, run.crashes - 1), crashed });
    }
    return counting.length;
  }

  private take(run: HeldRun, owner: string): ClaimedRun {
    const status = run.closing ? 'compensating' : run.precondition ? run.status : 'running';
    const taken = {
      owner,
      epoch: run.epoch + 1,
      status,
      wakeAt: null,
      turn: null,
      reason: null,
      reasonDetail: null,
    } as const;
    const claimedAt = Math.max(this.clock.now(), run.startedAt ?? run.createdAt);
    Object.assign(run, taken, { startedAt: run.precondition ? run.startedAt : (run.startedAt ?? claimedAt) });
    return { ...claimedOf(run), claimedAt, ...(run.scheduleId !== null && { isScheduled: true as const }) };
  }

  private apply({ runId, at, steps, transition, clearCrashes, extras }: RunWrite, now: number): void {
    const run = this.tables.runs.get(runId)!;
    const history = this.tables.steps.get(runId) ?? new Map<number, StepRecord>();
    this.tables.steps.set(runId, history);
    for (const step of steps) {
      const { input } = history.get(step.seq) ?? {};
      history.set(step.seq, { ...(input !== undefined && { input }), ...step });
    }
    if (clearCrashes) Object.assign(run, { crashes: 0, crashed: [] });
    if (extras?.unwinds) run.unwinds = true;
    if (transition) leaveBehind(this.tables, run, transition, { now, at });
  }

  private endingOf({ runId, transition }: RunWrite): Ending[] {
    if (!isFinalTransition(transition)) return [];
    const { output, error } = outcomeOf(transition);
    return [{ run: this.tables.runs.get(runId)!, status: transition.status, output, error }];
  }
}

/** Why a write is refused; undefined if it is accepted. */
function refusalOf(tables: MemoryTables, write: RunWrite): RefusedWrite | undefined {
  const { runId, epoch, owner, known = [], once, steps } = write;
  const run = tables.runs.get(runId);
  if (run?.epoch !== epoch || run.owner === null || (owner !== undefined && run.owner !== owner)) return write;
  const history = tables.steps.get(runId);
  const stands = ({ seq, settled }: KnownStep) => {
    const step = history?.get(seq);
    return step !== undefined && (settled === null || step.settled === settled);
  };
  if (!known.every(stands)) return { ...write, because: 'ahead' };
  const hasOutcome = steps.some(({ seq }) => (history?.get(seq)?.settled ?? null) !== null);
  return once && hasOutcome ? { ...write, because: 'settled' } : undefined;
}

/** Applies answers to runs without an owner. Signals in answers that settle nothing are released. */
function settleInto(tables: MemoryTables, now: number, answers: readonly StepAnswer[]): void {
  const ids = new Set(answers.filter((answer) => !isNote(answer)).map(({ runId }) => runId));
  const alive = [...ids].map((id) => tables.runs.get(id)!).filter(({ status }) => !isFinal(status));
  const open = alive.flatMap((run) => tables.history(run.id).filter(isAnswerable));
  const answerable = alive.flatMap((run) => openIn(tables.history(run.id).filter(isAnswerable), run.status));
  const settled = settleAnswers(alive, answerable, answers);
  for (const step of settled.steps) tables.steps.get(step.runId)!.set(step.seq, step);
  for (const { id, settled: order } of settled.runs) {
    const run = tables.runs.get(id)!;
    run.settled = order;
    if (run.reason === null) run.wakeAt = Math.min(run.wakeAt ?? now, now);
  }
  freeLeft(tables, leftIn(leftOver(answers, settled.steps, open)));
}

/** Without answers about ends of children that go on. */
function withoutStale(tables: MemoryTables, answers: readonly StepAnswer[]): readonly StepAnswer[] {
  const open = answers.flatMap(({ runId }) => tables.history(runId).filter(isAnswerable));
  const stale = olderThanAsked(open, answers).filter(({ childId }) => {
    const child = tables.runs.get(childId);
    return child !== undefined && !isFinal(child.status);
  });
  return answers.filter((answer) => !stale.some((one) => one.answer === answer));
}

/** Attempts, logs, attributes and custom statuses. */
const keepNotes: MemoryExtrasWriter = (tables, writes) => ({
  apply: () => writes.forEach((write) => keep(tables, write)),
});

function keep(tables: MemoryTables, { runId, extras = {} }: RunWrite): void {
  const { attempts = [], logs = [], replacedLogs = [], attributes = {}, customStatus } = extras;
  if (attempts.length > 0) keepAttempts(tables, runId, attempts);
  if (logs.length + replacedLogs.length > 0) {
    const isSame = (a: LogLine) => (b: LogLine) => a.message === b.message && a.loggedAt === b.loggedAt;
    const before = (tables.logs.get(runId) ?? []).filter((line) => !replacedLogs.some(isSame(line)));
    tables.logs.set(runId, [...before, ...logs, ...replacedLogs]);
  }
  changeAttributes(tables, runId, attributes);
  const run = tables.runs.get(runId);
  if (run && customStatus !== undefined) run.customStatus = customStatus;
}

const WRITERS: readonly MemoryExtrasWriter[] = [beginChildren, keepSignalWaits, moveInLimiters, keepNotes];

/** The extras of writes that have passed the fencing. */
function memoryExtras(
  tables: MemoryTables,
  writes: readonly RunWrite[],
  now: number,
): Endings & { woken: boolean; apply(): void } {
  const carrying = writes.filter(({ extras }) => extras !== undefined);
  const planned = carrying.length === 0 ? [] : WRITERS.map((plan) => plan(tables, carrying, now));
  return {
    answers: planned.flatMap(({ outcome }) => outcome?.answers ?? []),
    limiters: planned.flatMap(({ outcome }) => outcome?.limiters ?? []),
    woken: planned.some(({ outcome }) => outcome?.woken),
    apply: () => planned.forEach((part) => part.apply()),
  };
}

/** What a transition writes as the result of its run. */
const outcomeOf = (transition: RunTransition): { output: string | null; error: string | null } => ({
  output: transition.status === 'completed' ? transition.output : null,
  error: 'error' in transition && transition.error ? JSON.stringify(transition.error) : null,
});

/** Changes a run as the last write of its owner says, who leaves it. */
function leaveBehind(
  tables: MemoryTables,
  run: HeldRun,
  transition: RunTransition,
  { now, at = 0 }: { now: number; at?: number | undefined },
): void {
  const { output, error } = outcomeOf(transition);
  run.owner = null;
  if ('resume' in transition && transition.resume) run.resume = transition.resume;
  switch (transition.status) {
    case 'suspended': {
      const { wakeAt, settled, reason = null, detail, mismatch, blockedBy } = transition;
      const reasonDetail = writeDetail(detail, mismatch, blockedBy);
      const status = run.closing && !reason ? 'compensating' : 'suspended';
      return void Object.assign(run, { status, wakeAt, settled, crashes: 0, crashed: [], reason, reasonDetail });
    }
    case 'compensating': {
      const { status, closing, settled } = transition;
      const begun = { status, closing, settled, wakeAt: now, crashes: 0, crashed: [] };
      return void Object.assign(run, begun, { error: error ?? run.error });
    }
    case 'pending': {
      const { status, input, firstSeq, context = run.context } = transition;
      tables.steps.delete(run.id);
      const anew = { settled: 0, wakeAt: now, crashes: 0, crashed: [], continuedAt: now };
      return void Object.assign(run, { status, input, firstSeq, ...anew, ...(context !== undefined && { context }) });
    }
    default: {
      const { status } = transition;
      // A run with a failed compensation keeps its `closing` for a retry.
      const closing = status === 'compensation_failed' ? run.closing : null;
      Object.assign(run, { status, output, error, finishedAt: Math.max(now, at), closing, wakeAt: null });
    }
  }
}
