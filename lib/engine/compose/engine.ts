import type { Held } from '../../holds/held-names.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { PollLoop, type Tick } from '../../time/poll-loop.js';
import { sleep } from '../../time/sleep.js';
import { type SynchronizedClock, stopwatch } from '../../time/clock.js';
import { Activation, type ActivationEnd } from '../activation/activation.js';
import type { ActivationShared } from '../activation/activation-shared.js';
import { ofWorkflow } from '../activation/shared-parts.js';
import { AnswerCollector } from '../residency/answer-collector.js';
import { endCrashLoop, timeOut } from '../activation/departures.js';
import { ANSWERED } from '../activation/awaited-answers.js';
import { GiveBacks, HISTORY_LOST, type OnHistoryLost, tellingOf } from '../residency/give-backs.js';
import { Heartbeat } from '../residency/heartbeat.js';
import type { NodeIdentity } from '../model/node-record.js';
import { type NodeRoster, type StrandedRuns, StrandedSweep } from '../model/node-roster.js';
import { requireOneWriter } from '../nodes/writer-watch.js';
import { play } from '../play/player.js';
import { RevocationWatch } from '../residency/revocation-watch.js';
import { ResidentRuns } from '../residency/resident-runs.js';
import type { RetentionPolicy } from '../endings/retention.js';
import { RunClaimer } from '../residency/run-claimer.js';
import { type ClaimedRun, isFinal, type RunTransition } from '../model/run.js';
import { refusedOf, tellLeft, whyOf } from './left-runs.js';
import type { RunHooks } from '../model/run-hooks.js';
import type { RunClaim, RunStore } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { TaskDispatcher } from '../model/task-dispatcher.js';
import type { WorkflowContext } from '../model/workflow-context.js';
import type { WorkflowRegistry } from '../model/workflow-registry.js';

export interface EngineOptions {
  node: NodeIdentity;
  /** The most runs claimed at once. */
  batchSize: number;
  residencyMs: number;
  maxResident: number;
  /** A process without a heartbeat for this long counts as dead. */
  nodeLeaseMs: number;
  /** The poll interval for runs and answers; the longest interval if notifications do not arrive. */
  pollMs: number;
  /** Whether notifications currently arrive. */
  notified: () => boolean;
  /** A run whose owners crashed this often in a row fails. */
  crashCap: number;
  shutdownMs: number;
  onHistoryLost: OnHistoryLost;
  /** Default: nothing is deleted automatically. */
  retention?: RetentionPolicy;
  held?: Held | undefined;
  onDraining?: ((draining: boolean) => void) | undefined;
}

export interface EnginePorts {
  store: RunStore;
  roster: NodeRoster;
  dispatcher: TaskDispatcher;
  workflows: WorkflowRegistry;
  shared: ActivationShared;
  telemetry: Telemetry;
  stranded: StrandedRuns;
  hooks?: RunHooks | undefined;
  contextOf?: ((activation: Activation) => WorkflowContext) | undefined;
  /** If times are the database's: the clock that each heartbeat sets. */
  databaseClock?: SynchronizedClock;
}

const SUSPECT_AFTER = 3;
const REVOCATIONS_EVERY_MS = 500;
const STRANDED_EVERY_MS = 20_000;

/** Plays the runs of this process: claims them, keeps them resident while they progress, parks them when they wait. */
export class Engine {
  readonly residents: ResidentRuns;
  readonly claimer: RunClaimer;
  readonly collector: AnswerCollector;
  readonly heartbeat: Heartbeat;
  readonly strandedSweep: StrandedSweep;
  readonly loops: Record<'claims' | 'answers' | 'beats' | 'residency' | 'revocations' | 'stranded', PollLoop>;
  private readonly revocations: RevocationWatch;
  private readonly giveBacks: GiveBacks;
  private unsubscribe: (() => void)[] = [];

  constructor(
    private readonly ports: EnginePorts,
    private readonly options: EngineOptions,
  ) {
    const { store, roster, dispatcher, workflows, shared, databaseClock } = ports;
    const { node, residencyMs, maxResident, batchSize, nodeLeaseMs } = options;
    const residing = { residencyMs, maxResident, suspectAfter: SUSPECT_AFTER, held: options.held };
    this.residents = new ResidentRuns(dispatcher, shared.clock, residing);
    const activate = (run: ClaimedRun, history: readonly StepRecord[]) => this.activate(run, history);
    this.claimer = new RunClaimer(store, workflows, this.residents, activate, (runs) => shared.limiters.admit(runs), {
      nodeId: node.id,
      namespace: node.namespace,
      batchSize,
      clocks: [stopwatch, shared.clock],
      leaseMs: nodeLeaseMs,
      telemetry: ports.telemetry,
    });
    this.collector = new AnswerCollector(dispatcher, store, this.residents, {
      namespace: node.namespace,
      onWoken: () => this.wake(),
      onError: (error) => this.failed(error),
    });
    this.giveBacks = new GiveBacks(store, (error) => this.failed(error));
    this.heartbeat = new Heartbeat(roster, store, this.residents, this.claimer, databaseClock, {
      node,
      leaseMs: nodeLeaseMs,
      onReaped: (runs) => this.reaped(runs),
      onDraining: options.onDraining,
      ...(ports.hooks && { onBeat: () => ports.hooks?.look() }),
      isGivenBack: (claim) => this.giveBacks.isUnderWay(claim),
      onSplit: ([other]) => other && this.ports.telemetry.emit('writers.split', other),
    });
    this.strandedSweep = new StrandedSweep(ports.stranded, dispatcher, {
      onWoken: () => {
        this.wake();
        this.nextSuspect();
      },
    });
    this.revocations = new RevocationWatch(store, this.residents, node.id);
    this.loops = this.makeLoops();
  }

  /**
   * Registers this node and starts to claim runs.
   *
   * @throws when the database cannot be reached, its tables are missing, or another node writes through another server.
   */
  async start(): Promise<void> {
    await requireOneWriter(this.ports.roster, this.options.nodeLeaseMs / 10);
    await this.heartbeat.beat();
    const { store, dispatcher } = this.ports;
    this.unsubscribe = [
      store.onRuns((lost) => (lost ? void this.revoked(lost) : this.wake())),
      this.residents.onHolds(() => this.wake()),
      dispatcher.onAnswers(
        (answers) => void this.collector.arrived(answers).then((more) => more && this.loops.answers.wake()),
      ),
    ];
    for (const loop of Object.values(this.loops)) loop.start();
  }

  /** Stops claiming, records the work in progress, releases the other runs, and unregisters this node. */
  async stop(): Promise<void> {
    const { ports, options } = this;
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    const { beats, ...others } = this.loops;
    await Promise.all(Object.values(others).map((loop) => loop.stop()));
    const over = new AbortController();
    await this.residents.drain(sleep(options.shutdownMs, over.signal));
    over.abort();
    const left = this.residents.all();
    for (const activation of left) activation.drop();
    await ports.shared.recorder.stop(options.shutdownMs);
    // Heartbeats continue until then: otherwise other nodes could release these runs without their reasons.
    await this.giveBacks.stop();
    await beats.stop();
    ports.shared.timers.stop();
    await this.signOff(left).catch((error: unknown) => this.failed(error));
  }

  /** Claims due runs at once. */
  wake(): void {
    this.loops.claims.wake();
  }

  /**
   * Drops runs that were taken from their owner to be cancelled or terminated. This process may have claimed such a run
   * again: an activation that is terminating was claimed later; for a cancelling one, the table must be read.
   */
  private async revoked(runIds: readonly string[]): Promise<void> {
    const here = runIds.flatMap((id) => this.residents.get(id) ?? []);
    for (const activation of here) if ((activation.closing ?? 'failed') === 'failed') activation.drop();
    const unsure = here.filter(({ closing }) => closing === 'cancelled');
    await this.revocations.look(unsure).catch((error: unknown) => this.failed(error));
  }

  /** If this fails, other nodes release the runs once this node's lease has expired. */
  private async signOff(left: readonly Activation[]): Promise<void> {
    await this.ports.store.release(this.claimsOf(left), false);
    await this.ports.roster.leave(this.options.node.id);
  }

  private claimsOf(activations: readonly Activation[]): RunClaim[] {
    return activations.map(({ run }) => ({ runId: run.id, epoch: run.epoch, owner: this.options.node.id }));
  }

  private nextSuspect(): void {
    this.claimer.claimSuspect().catch((error: unknown) => this.failed(error));
  }

  private failed(error: unknown): void {
    this.ports.telemetry.emit('loop.error', { loop: 'engine', error });
  }

  private makeLoops(): Engine['loops'] {
    const { pollMs, nodeLeaseMs, notified } = this.options;
    const onError = (error: unknown) => this.failed(error);
    const steady = (tick: Tick, maxMs: number) => new PollLoop(tick, { maxMs, onError });
    const adaptive = (tick: Tick, maxMs: () => number) => new PollLoop(tick, { maxMs, live: notified, onError });
    // Only foreign workers answer without a notification, and without resident runs their answers are not urgent.
    const answersMs = () => (notified() && this.residents.size === 0 ? 2 * pollMs : pollMs);
    return {
      claims: adaptive(
        () => this.claimer.tick(),
        () => Math.min(pollMs, this.claimer.nextWithinMs),
      ),
      answers: adaptive(() => this.collector.tick(), answersMs),
      beats: steady(() => this.heartbeat.tick(), nodeLeaseMs / 3),
      residency: steady(() => this.residents.tick(), 1_000),
      revocations: steady(() => this.revocations.tick(), REVOCATIONS_EVERY_MS),
      stranded: steady(() => this.strandedSweep.tick(), STRANDED_EVERY_MS),
    };
  }

  private activate(run: ClaimedRun, history: readonly StepRecord[]): Activation | undefined {
    const definition = this.ports.workflows.find(run.workflow, run.version);
    if (!definition) return undefined;
    const shared = ofWorkflow(this.ports.shared, definition);
    let cancelDeadline = (): void => {};
    const activation: Activation = new Activation(
      run,
      history,
      shared,
      (end) => {
        cancelDeadline();
        this.ended(activation, end);
      },
      () => this.residents.rested(activation),
    );
    this.residents.add(activation);
    if (run.deadline !== null && run.closing === null)
      cancelDeadline = shared.timers.at(run.deadline, () => void timeOut(activation));
    if (run.crashes >= this.options.crashCap) void endCrashLoop(activation);
    else if (isOverdue(run, shared.clock.now())) void timeOut(activation);
    else void play(activation, definition, this.ports.contextOf).catch((error: unknown) => activation.break(error));
    // Its answers may have arrived before this activation existed.
    if (history.some(({ kind, settled }) => ANSWERED.has(kind) && settled === null)) this.lookForAnswers();
    return activation;
  }

  private ended(activation: Activation, end: ActivationEnd): void {
    this.residents.remove(activation);
    if (end.how === 'left') return this.left(activation, end.transition);
    this.residents.leftOpen(activation);
    const { run } = activation;
    const [claim] = this.claimsOf([activation]);
    const who = { runId: run.id, workflow: run.workflow };
    if (end.how !== 'broken') {
      const standstill = this.options.onHistoryLost === 'block' ? HISTORY_LOST : undefined;
      if (end.how === 'ahead')
        void this.giveBacks.giveBack(claim!, { standstill, ...tellingOf(this.ports.hooks, activation, standstill) });
      return this.ports.telemetry.emit('run.lost', who);
    }
    const standstill = refusedOf(end.error, activation.payloads);
    const blocked = standstill && { ...who, status: 'suspended', ...whyOf(activation, standstill) };
    if (blocked) this.ports.telemetry.emit('run.left', blocked);
    else this.ports.telemetry.emit('run.broken', { ...who, error: end.error });
    void this.giveBacks.giveBack(claim!, {
      crashed: !standstill,
      standstill,
      ...tellingOf(this.ports.hooks, activation, standstill),
    });
  }

  private left(activation: Activation, transition: RunTransition): void {
    const { run } = activation;
    // The suspect run did not crash this process, so the next one may be claimed.
    if (run.crashes >= SUSPECT_AFTER) this.nextSuspect();
    tellLeft(this.ports.telemetry, activation, transition);
    if (transition.status === 'suspended') this.parked(transition.wakeAt);
    else if (!isFinal(transition.status)) this.wake();
  }

  /** An answer may have arrived while the run was being parked, and the run may be due before the next poll. */
  private parked(wakeAt: number | null): void {
    this.lookForAnswers();
    if (wakeAt !== null && wakeAt - this.ports.shared.clock.now() < this.options.pollMs) {
      this.ports.shared.timers.at(wakeAt, () => this.wake());
    }
  }

  private lookForAnswers(): void {
    this.collector.lookAgain();
    this.loops.answers.wake();
  }

  private reaped(runs: number): void {
    this.ports.telemetry.emit('runs.reaped', { runs });
    this.wake();
  }
}

/** The deadline passed before the run was claimed. */
const isOverdue = ({ deadline, closing }: ClaimedRun, now: number): boolean =>
  closing === null && deadline !== null && deadline <= now;
