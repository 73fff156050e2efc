import { stepIdOf, type StepAnswer } from '../../protocol/step.js';
import { inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import { settleLastAnswers } from '../endings/in-memory-run-dependencies.js';
import { type Ending, endingsOf, tellEnded } from '../endings/in-memory-run-endings.js';
import { memoryExtras, refusalOf, settleInto, withoutStale } from './in-memory-run-extras.js';
import { leaveBehind, outcomeOf } from './in-memory-run-transition.js';
import type { ActedBy } from '../../acts/act.js';
import type { Drain, NodeIdentity, NodesInSight } from '../model/node-record.js';
import { InMemoryNodes } from '../nodes/in-memory-nodes.js';
import type { Beat, Elsewhere, NodeRoster, Pulse, StrandedRuns } from '../model/node-roster.js';
import { heldIn } from '../../holds/in-memory-hold-store.js';
import { leaveLimiters } from '../limits/in-memory-limiters.js';
import { carriedBy, type HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { byId, freeRun, isAsked, isBlocked, isDue, awaitsTurn, isParked } from '../tables/in-memory-run-states.js';
import { type ClaimedRun, isFinalTransition } from '../model/run.js';
import { keepsAnswers } from '../model/run-control.js';
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
  Telling,
} from '../model/run-store.js';
import { freeLeft } from '../signals/in-memory-signal-waits.js';
import { isNote, leftIn } from '../model/left-signals.js';
import type { StepRecord } from '../model/step-record.js';

const SUSPECT_AFTER = 3;

/** Runs, their histories and nodes in maps: the engine's storage for tests and short-lived processes. */
export class InMemoryRunStore implements RunStore, NodeRoster, StrandedRuns {
  private readonly roster: InMemoryNodes;

  constructor(
    private readonly clock: Clock,
    private readonly tables = new MemoryTables(),
  ) {
    this.roster = new InMemoryNodes(tables, clock);
  }

  onRuns(listener: (lost?: readonly string[]) => void): () => void {
    this.tables.runListeners.add(listener);
    return () => void this.tables.runListeners.delete(listener);
  }

  claim(request: ClaimRuns): Promise<ClaimedRun[]> {
    return this.tables.exclusively(async () => this.takeRuns(request));
  }

  private takeRuns(request: ClaimRuns): ClaimedRun[] {
    const { nodeId, namespace, workflows, limit, which, afterId = '', dueWithinMs = Infinity } = request;
    const now = this.clock.now();
    if (!this.roster.lives(nodeId)) return [];
    const wanted = {
      due: (run: HeldRun) => isDue(run, now) && run.wakeAt! >= now - dueWithinMs && run.crashes < SUSPECT_AFTER,
      suspect: (run: HeldRun) => isDue(run, now) && run.crashes >= SUSPECT_AFTER,
      blocked: (run: HeldRun) => run.status === 'suspended' && isBlocked(run) && run.owner === null && run.id > afterId,
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
    const ending = accepted.flatMap((write) => this.endingOf(write));
    const ends = endingsOf(this.tables, ending);
    const recorded = this.recordedOf(accepted);
    const endings = { answers: [...ends.answers, ...extras.answers], limiters: [...ends.limiters, ...extras.limiters] };
    const isRecorded = (stepId: string) => recorded.has(stepId);
    const answered = await outgoing(withoutRecorded(accepted, isRecorded), tx, endings);
    for (const write of accepted) this.apply(write);
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

  async beat(node: NodeIdentity, leaseMs: number): Promise<Beat> {
    return this.roster.beat(node, leaseMs);
  }

  async pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse> {
    const beat = await this.beat(node, leaseMs);
    const owners = new Set([...this.tables.runs.values()].map(({ owner }) => owner));
    const orphans = [...owners].some((owner) => owner !== null && !this.roster.lives(owner));
    return { ...beat, owned: await this.owned(node.id), orphans, elsewhere: [] };
  }

  reap(limit: number): Promise<number> {
    return this.tables.exclusively(() => this.freeOrphans(limit));
  }

  private async freeOrphans(limit: number): Promise<number> {
    const orphans = [...this.tables.runs.values()]
      .filter(({ owner }) => owner !== null && !this.roster.lives(owner))
      .slice(0, limit);
    for (const run of orphans) freeRun(this.tables, run, this.clock.now(), { crashed: true });
    return orphans.length;
  }

  async elsewhere(): Promise<Elsewhere[]> {
    return [];
  }

  async nodes(): Promise<NodesInSight> {
    return this.roster.inSight();
  }

  async setDraining(nodeId: string, by: ActedBy | null): Promise<Drain | null | undefined> {
    return this.roster.setDraining(nodeId, by);
  }

  async strikeOff(): Promise<void> {
    this.roster.strikeOff();
  }

  async lives(nodeId: string): Promise<boolean> {
    return this.roster.lives(nodeId);
  }

  async leave(nodeId: string): Promise<void> {
    this.roster.leave(nodeId);
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
    const { closing, error, notifies, unwinds, precondition, firstSeq, resume, forkedSeq } = run;
    const what = { id, workflow, version, input, epoch, crashes, since: run.continuedAt ?? run.createdAt, deadline };
    const origin = { resume, forkedSeq, ...(run.scheduleId !== null && { isScheduled: true as const }) };
    return { ...what, ...carriedBy(run), closing, error, notifies, unwinds, precondition, firstSeq, ...origin };
  }

  private apply({ runId, steps, transition, clearCrashes, extras }: RunWrite): void {
    const run = this.tables.runs.get(runId)!;
    const history = this.tables.steps.get(runId) ?? new Map<number, StepRecord>();
    this.tables.steps.set(runId, history);
    for (const step of steps) {
      const { input } = history.get(step.seq) ?? {};
      history.set(step.seq, { ...(input !== undefined && { input }), ...step });
    }
    if (clearCrashes) run.crashes = 0;
    if (extras?.unwinds) run.unwinds = true;
    if (transition) leaveBehind(this.tables, run, transition, this.clock.now());
  }

  private endingOf({ runId, transition }: RunWrite): Ending[] {
    if (!isFinalTransition(transition)) return [];
    const { output, error } = outcomeOf(transition);
    return [{ run: this.tables.runs.get(runId)!, status: transition.status, output, error }];
  }
}
