import { stepIdOf, type StepAnswer } from '../../protocol/step.js';
import { inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import { settleLastAnswers } from '../endings/in-memory-run-dependencies.js';
import { type Ending, endingsOf, tellEnded } from '../endings/in-memory-run-endings.js';
import { memoryExtras, refusalOf, settleInto } from './in-memory-run-extras.js';
import type { Elsewhere, NodeIdentity, NodeRoster, Pulse, StrandedRuns } from '../model/node-roster.js';
import { leaveLimiters } from '../limits/in-memory-limiters.js';
import { type HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { byId, isAsked, isBlocked, isDue, awaitsTurn, isParked, standing } from '../tables/in-memory-run-states.js';
import { writeDetail } from '../model/mismatch.js';
import { type ClaimedRun, isFinalTransition, type RunTransition } from '../model/run.js';
import { inDoubt, withoutRecorded } from '../model/outgoing-steps.js';
import type {
  ClaimRuns,
  Outgoing,
  RefusedWrite,
  RunClaim,
  RunStore,
  RunWrite,
  Standstill,
  Taking,
} from '../model/run-store.js';
import { freeLeft } from '../signals/in-memory-signal-waits.js';
import { isNote, leftIn } from '../model/left-signals.js';
import type { StepRecord } from '../model/step-record.js';

const SUSPECT_AFTER = 3;

/** Runs, their histories and nodes in maps: the engine's storage for tests and short-lived processes. */
export class InMemoryRunStore implements RunStore, NodeRoster, StrandedRuns {
  constructor(
    private readonly clock: Clock,
    private readonly tables = new MemoryTables(),
  ) {}

  onRuns(listener: (lost?: readonly string[]) => void): () => void {
    this.tables.runListeners.add(listener);
    return () => void this.tables.runListeners.delete(listener);
  }

  claim(request: ClaimRuns): Promise<ClaimedRun[]> {
    return this.tables.exclusively(async () => this.takeRuns(request));
  }

  private takeRuns(request: ClaimRuns): ClaimedRun[] {
    const { nodeId, namespace, workflows, limit, which, afterId = '', dueWithinMs = Infinity } = request;
    const known = new Set(workflows.map(({ name, version }) => `${version}:${name}`));
    const now = this.clock.now();
    if (!this.lives(nodeId)) return [];
    const wanted = {
      due: (run: HeldRun) => isDue(run, now) && run.wakeAt! >= now - dueWithinMs && run.crashes < SUSPECT_AFTER,
      suspect: (run: HeldRun) => isDue(run, now) && run.crashes >= SUSPECT_AFTER,
      blocked: (run: HeldRun) => run.status === 'suspended' && isBlocked(run) && run.owner === null && run.id > afterId,
    }[which];
    const order = which === 'blocked' ? byId : (a: HeldRun, b: HeldRun) => a.wakeAt! - b.wakeAt!;
    const ours = [...this.tables.runs.values()].filter(
      (run) => run.namespace === namespace && known.has(`${run.version}:${run.workflow}`),
    );
    const due = ours.filter(wanted).sort(order);
    // Due runs first; runs that wait for their turn fill the rest of the limit.
    const inTurn = which === 'due' ? ours.filter((run) => awaitsTurn(run) && !wanted(run)) : [];
    return [...due, ...inTurn.sort((a, b) => a.turn! - b.turn!)].slice(0, limit).map((run) => this.take(run, nodeId));
  }

  async histories(runIds: readonly string[]): Promise<StepRecord[]> {
    return runIds.flatMap((id) => this.tables.history(id)).map((step) => ({ ...step }));
  }

  commit(writes: readonly RunWrite[], outgoing: Outgoing, tx?: Transaction): Promise<readonly RefusedWrite[]> {
    return inMemoryTransaction(tx, (own) => this.tables.exclusively(() => this.write(writes, outgoing, own)));
  }

  private async write(
    writes: readonly RunWrite[],
    outgoing: Outgoing,
    tx: Transaction,
  ): Promise<readonly RefusedWrite[]> {
    const refusals = writes.map((write) => refusalOf(this.tables, write));
    const accepted = writes.filter((_, i) => refusals[i] === undefined);
    const now = this.clock.now();
    const extras = memoryExtras(this.tables, accepted, now);
    const ends = endingsOf(
      this.tables,
      accepted.flatMap((write) => this.endingOf(write)),
    );
    const recorded = this.recordedOf(accepted);
    const endings = { answers: [...ends.answers, ...extras.answers], limiters: [...ends.limiters, ...extras.limiters] };
    const isRecorded = (stepId: string) => recorded.has(stepId);
    const answered = await outgoing(withoutRecorded(accepted, isRecorded), tx, endings);
    for (const write of accepted) this.apply(write);
    const undone = accepted.filter(({ transition }) => transition?.status === 'compensating');
    settleLastAnswers(
      this.tables,
      undone.map(({ runId }) => this.tables.runs.get(runId)!),
      answered,
    );
    freeLeft(this.tables, leftIn(answered ?? []));
    extras.apply();
    const finished = accepted.filter(({ transition }) => isFinalTransition(transition)).map(({ runId }) => runId);
    const woken = tellEnded(this.tables, finished, now);
    tx.afterCommit(() => {
      this.tables.tellFinished(finished);
      if (woken || extras.woken) this.tables.tellDue();
    });
    return refusals.filter((refusal) => refusal !== undefined);
  }

  private recordedOf(writes: readonly RunWrite[]): ReadonlySet<string> {
    const histories = inDoubt(writes).flatMap(({ runId }) => this.tables.history(runId));
    return new Set(histories.map(({ runId, seq }) => stepIdOf(runId, seq)));
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
    const settled = answers.filter((answer) => {
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
  release(runs: readonly RunClaim[], crashed: boolean, standstill?: Standstill): Promise<void> {
    return this.tables.exclusively(async () => {
      for (const claim of runs) {
        const run = this.heldBy(claim);
        if (run) this.setFree(run, crashed, standstill);
      }
      if (runs.length > 0) this.tables.tellDue();
    });
  }

  /** The run, if this claim holds. */
  private heldBy({ runId, epoch, owner }: RunClaim): HeldRun | undefined {
    const run = this.tables.runs.get(runId);
    return run?.epoch === epoch && run.owner === owner ? run : undefined;
  }

  async beat({ id }: NodeIdentity, leaseMs: number): Promise<number> {
    const now = this.clock.now();
    this.tables.nodes.set(id, now + leaseMs);
    return now;
  }

  async pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse> {
    const now = await this.beat(node, leaseMs);
    const owners = new Set([...this.tables.runs.values()].map(({ owner }) => owner));
    const orphans = [...owners].some((owner) => owner !== null && !this.lives(owner));
    return { now, owned: await this.owned(node.id), orphans, elsewhere: [] };
  }

  reap(limit: number): Promise<number> {
    return this.tables.exclusively(() => this.freeOrphans(limit));
  }

  private async freeOrphans(limit: number): Promise<number> {
    const orphans = [...this.tables.runs.values()]
      .filter(({ owner }) => owner !== null && !this.lives(owner))
      .slice(0, limit);
    for (const run of orphans) this.setFree(run, true);
    if (orphans.length < limit) await this.strikeOff();
    return orphans.length;
  }

  async elsewhere(): Promise<Elsewhere[]> {
    return [];
  }

  async strikeOff(): Promise<void> {
    for (const id of this.tables.nodes.keys()) if (!this.lives(id)) this.tables.nodes.delete(id);
  }

  async leave(nodeId: string): Promise<void> {
    this.tables.nodes.delete(nodeId);
  }

  private lives(nodeId: string): boolean {
    return (this.tables.nodes.get(nodeId) ?? 0) > this.clock.now();
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
    Object.assign(run, taken, { startedAt: run.precondition ? run.startedAt : (run.startedAt ?? this.clock.now()) });
    const { id, workflow, version, input, epoch, crashes, deadline } = run;
    const { closing, error, notifies, unwinds, precondition, firstSeq } = run;
    const what = { id, workflow, version, input, epoch, crashes, since: run.continuedAt ?? run.createdAt, deadline };
    return { ...what, closing, error, notifies, unwinds, precondition, firstSeq };
  }

  private setFree(run: HeldRun, crashed: boolean, standstill?: Standstill): void {
    const settled = Math.max(0, ...this.tables.history(run.id).map((step) => step.settled ?? 0));
    const status = run.closing ? 'compensating' : run.precondition ? 'pending' : 'suspended';
    const free = { owner: null, epoch: run.epoch + 1, status, wakeAt: this.clock.now(), settled } as const;
    Object.assign(run, free, { crashes: run.crashes + (crashed ? 1 : 0) });
    if (standstill) Object.assign(run, standing(run, standstill));
  }

  private apply({ runId, steps, transition, clearCrashes, extras }: RunWrite): void {
    const run = this.tables.runs.get(runId)!;
    const history = this.tables.steps.get(runId) ?? new Map<number, StepRecord>();
    this.tables.steps.set(runId, history);
    for (const step of steps) history.set(step.seq, { ...step });
    if (clearCrashes) run.crashes = 0;
    if (extras?.unwinds) run.unwinds = true;
    if (!transition) return;
    this.leaveBehind(run, transition);
  }

  private endingOf({ runId, transition }: RunWrite): Ending[] {
    if (!isFinalTransition(transition)) return [];
    const error = 'error' in transition && transition.error ? JSON.stringify(transition.error) : null;
    const output = transition.status === 'completed' ? transition.output : null;
    return [{ run: this.tables.runs.get(runId)!, status: transition.status, output, error }];
  }

  private leaveBehind(run: HeldRun, transition: RunTransition): void {
    const now = this.clock.now();
    const error = 'error' in transition && transition.error ? JSON.stringify(transition.error) : null;
    run.owner = null;
    switch (transition.status) {
      case 'suspended': {
        const { wakeAt, settled, reason = null, detail, mismatch } = transition;
        const reasonDetail = writeDetail(detail, mismatch);
        const status = run.closing && !reason ? 'compensating' : 'suspended';
        return void Object.assign(run, { status, wakeAt, settled, crashes: 0, reason, reasonDetail });
      }
      case 'compensating': {
        const { status, closing, settled } = transition;
        const begun = { status, closing, settled, wakeAt: now, crashes: 0 };
        return void Object.assign(run, begun, { error: error ?? run.error });
      }
      case 'pending': {
        const { status, input, firstSeq } = transition;
        this.tables.steps.delete(run.id);
        const anew = { settled: 0, wakeAt: now, crashes: 0, continuedAt: now };
        return void Object.assign(run, { status, input, firstSeq, ...anew });
      }
      default: {
        const output = transition.status === 'completed' ? transition.output : null;
        const { status } = transition;
        // A run with a failed compensation keeps its `closing` for a retry.
        const closing = status === 'compensation_failed' ? run.closing : null;
        Object.assign(run, { status, output, error, finishedAt: now, closing, wakeAt: null });
      }
    }
  }
}
