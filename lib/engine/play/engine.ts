import type { Held } from '../../acts/holds.js';
import { type Codec, StoredTexts } from '../../core/codec.js';
import { WriteRefusedError } from '../../core/errors.js';
import { type BackgroundService, type Loops, PollLoop, type Tick } from '../../core/loops.js';
import { boundedText, type StepAnswer } from '../../core/protocol.js';
import type { NonDeterminismError } from '../../core/run-errors.js';
import type { LeftAtStep, Telemetry, TelemetryEvents } from '../../core/telemetry.js';
import { type Clock, sleep, stopwatch, type SynchronizedClock, Timers } from '../../core/time.js';
import type { Transaction } from '../../core/transaction.js';
import { type ErrorRules, appFrameOf, toWireError, type WireError } from '../../core/wire-error.js';
import type { OnExhausted, Retry, WorkflowContext } from '../context.js';
import { childCloser } from '../control.js';
import type { RunHooks } from '../endings.js';
import { NO_OUTGOING, type OutgoingErasure } from '../erasure.js';
import { ScheduleRunner } from '../firing.js';
import { LimiterKeeper } from '../limits.js';
import { type NodeIdentity, type NodeRoster, requireOneWriter, type StrandedRuns, StrandedSweep } from '../nodes.js';
import { Payloads } from '../payloads.js';
import { type ClaimedRun, contextIn, isFinal, type RunTransition } from '../run.js';
import { type RunClaim, type RunStore, type Standstill, SUSPECT_AFTER } from '../runs.js';
import { SignalExchange } from '../signals.js';
import type { RunCatalog } from '../starts.js';
import type { StepEffects, StepEvents, StepRecord } from '../step.js';
import type { EngineStorage } from '../storage.js';
import { type TaskDispatcher, wholeDispatcher, withToldDispatches } from '../tasks.js';
import { ErasureService, type Purging, Retention, type RetentionPolicy } from '../upkeep.js';
import type { RemoteStepDirectory, WorkflowLookup, WorkflowRegistry } from '../workflow.js';
import { Activation, type ActivationEnd, type ActivationShared, holderFrom, ofWorkflow } from './activation.js';
import { AnswerCollector } from './answers.js';
import { readBackFrom } from './attempts.js';
import { Heartbeat, RunClaimer } from './claims.js';
import { endCrashLoop, timeOut } from './departures.js';
import { ANSWERED } from './journal.js';
import { play } from './player.js';
import { type BlameLimits, Recorder } from './recorder.js';
import { GiveBacks, HISTORY_LOST, type OnHistoryLost, ResidentRuns, RevocationWatch, tellingOf } from './residency.js';
import { type Determinism, SecondPlays } from './second-play.js';

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
  /** A run fails after this many of its owners in a row have ended, or playing it has broken this often. */
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
    this.residents = new ResidentRuns(dispatcher, shared.clock, { residencyMs, maxResident, held: options.held });
    const activate = (run: ClaimedRun, history: readonly StepRecord[]) => this.activate(run, history);
    const admit = (runs: readonly ClaimedRun[]) => shared.limiters.admit(runs);
    this.claimer = new RunClaimer({ store, roster }, workflows, this.residents, activate, admit, {
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
      free: async (dead) => (await dispatcher.free?.(dead)) ?? true,
      onEnded: () => this.wake(),
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
    this.revocations = new RevocationWatch(store, roster, this.residents, node.id);
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
      dispatcher.onHandedBack?.((outcome) => this.residents.get(outcome.runId)?.handBack(outcome) ?? false) ?? NOTHING,
      dispatcher.onAnswers(
        (answers) => void this.collector.arrived(answers).then((more) => more && this.loops.answers.wake()),
      ),
    ];
    for (const loop of Object.values(this.loops)) loop.start();
  }

  /** Begins nothing more, asks running steps to end, records those that complete, releases all runs, and unregisters. */
  async stop(): Promise<void> {
    const { ports, options } = this;
    this.residents.interrupt();
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
    await this.revocations.withdraw();
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
    const { pollMs, notified } = this.options;
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
      beats: new PollLoop(() => this.heartbeat.tick(), { maxMs: () => this.heartbeat.nextWithinMs, onError }),
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
      // Its code has gone on with an outcome that does not count, so it is played again.
      if (end.how === 'unheld') void this.giveBacks.giveBack(claim!, {});
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
    if (transition.status === 'suspended' && transition.reason) this.claimer.blocked(run);
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

const NOTHING = (): void => {};

/** The deadline passed before the run was claimed. */
const isOverdue = ({ deadline, closing }: ClaimedRun, now: number): boolean =>
  closing === null && deadline !== null && deadline <= now;

export interface EngineParts {
  storage: EngineStorage;
  workflows: WorkflowRegistry;
  lookup: WorkflowLookup;
  remoteSteps: RemoteStepDirectory;
  /** Writes the events of `ctx.publish`. Without it, `ctx.publish` throws. */
  events?: StepEvents;
  /** Writes the calls of `ctx.effects`. Without it, `ctx.effects` throws. */
  effects?: StepEffects;
  /** What retention deletes besides the rows of the engine. */
  purges?: readonly Purging[];
  /** Erases calls and events of runs that were erased. Default: there are none. */
  outgoing?: OutgoingErasure;
  telemetry: Telemetry;
  codec: Codec;
  /** What of errors is recorded. Default: everything but stacks. */
  errors?: ErrorRules;
  clock: Clock;
  /** If times are the database's: the clock that each heartbeat sets. */
  databaseClock?: SynchronizedClock;
  retry: Retry | undefined;
  onExhausted?: OnExhausted | undefined;
  keepInputs?: boolean | undefined;
  /** Whether calls that `run` has not awaited block it. Default false: they are reported. */
  strict?: boolean | undefined;
  /** Whether each run is played a second time, and what follows if it parts from the first. Default: it is not. */
  determinism?: Determinism | undefined;
  limits: { payloadBytes: number; warnPayloadBytes: number; steps: number; warnSteps: number };
  /** When a run is blocked because the database refuses its write. Default: `BLAME_LIMITS`. */
  blame?: BlameLimits;
}

/** An engine with its background services. It can be started and stopped once. */
export interface ComposedEngine {
  engine: Engine;
  shared: ActivationShared;
  /** Set in development. */
  secondPlays: SecondPlays | undefined;
  readonly loops: Loops;
  start(): Promise<void>;
  stop(): Promise<void>;
}

function sealing({ storage, codec, limits, telemetry }: EngineParts, texts: StoredTexts): EngineParts['storage'] {
  const told = withToldDispatches(storage.dispatcher, telemetry);
  const dispatcher = withStoredErrors(told, new Payloads(codec, limits, texts), storage.catalog);
  return { ...storage, dispatcher };
}

/** Composes an engine on any storage. */
export function composeEngine(given: EngineParts, options: EngineOptions): ComposedEngine {
  const texts = new StoredTexts(given.codec, given.errors);
  const parts = { ...given, storage: sealing(given, texts) };
  const { storage, telemetry, clock } = parts;
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'engine', error });
  const stopped = new AbortController();
  const wake = () => engine.wake();
  const { notified, node, pollMs } = options;
  const signals = new SignalExchange(storage.mailbox, storage.answers, { notified, pollMs, onError });
  const timers = new Timers(clock);
  const limited = () => parts.workflows.all().some(({ limits }) => limits !== undefined);
  const limiters = new LimiterKeeper(storage.admissions, storage.dispatcher, { timers, limited, onDue: wake, onError });
  const secondPlays = secondPlaysOf(parts, node.namespace, stopped.signal);
  const process = { namespace: node.namespace, owner: node.id, stopped: stopped.signal };
  const shared = sharedOf(parts, { ...process, secondPlays, texts, signals, limiters, timers, onError });
  const engine = new Engine({ ...parts, ...storage, shared, contextOf: secondPlays?.contextOf }, options);
  const isEnding = () => engine.residents.isEnding;
  const schedules = new ScheduleRunner({ ...shared, ...parts, notified, namespace: node.namespace, isEnding });
  const retention = new Retention({ ...parts, others: parts.purges, namespace: node.namespace }, options.retention);
  const services: BackgroundService[] = [signals, limiters, schedules, retention, erasureOf(parts, node.namespace)];
  clock.onTurn?.(() => {
    if (stopped.signal.aborted) return;
    shared.timers.fire();
    // The advance may have let this process's own lease expire.
    engine.heartbeat.beat().then(wake, onError);
  });
  return {
    engine,
    shared,
    secondPlays,
    loops: Object.assign({}, ofEngine(engine), ...services.map(({ loops }) => loops)) as Loops,
    start: async () => {
      await storage.hooks?.look();
      await engine.start();
      for (const service of services) service.start();
    },
    stop: async () => {
      engine.residents.interrupt();
      await Promise.all(services.map((service) => service.stop()));
      await engine.stop().finally(() => stopped.abort());
      // A second time: runs that ended meanwhile have released permits.
      await limiters.stop();
    },
  };
}

const ofEngine = ({ loops }: Engine): Loops =>
  Object.fromEntries(Object.entries(loops).map(([name, loop]) => [`engine.${name}`, loop]));

function secondPlaysOf(parts: EngineParts, namespace: string, stopped: AbortSignal): SecondPlays | undefined {
  const { determinism: mode, workflows, telemetry } = parts;
  if (!mode) return undefined;
  const onParted = ({ id: runId, workflow, version }: ClaimedRun, error: NonDeterminismError) => {
    const { seq: position, recorded: expected, asked: found } = error;
    telemetry.emit('run.parted', { runId, workflow, version, position, expected, found, error });
  };
  return new SecondPlays({ mode, workflows, parts: { ...parts, namespace }, onParted, stopped });
}

const erasureOf = (parts: EngineParts, namespace: string): BackgroundService =>
  new ErasureService({ outgoing: NO_OUTGOING, ...parts, namespace });

interface SharedParts extends Pick<ActivationShared, 'namespace' | 'signals' | 'limiters' | 'timers'> {
  texts: StoredTexts;
  /** This process. */
  owner: string;
  onError: (error: unknown) => void;
  stopped: AbortSignal;
  secondPlays: SecondPlays | undefined;
}

function sharedOf(
  parts: EngineParts,
  { texts, namespace, owner, signals, limiters, timers, onError, stopped, secondPlays }: SharedParts,
): ActivationShared {
  const { storage, telemetry, codec, clock, limits, remoteSteps, retry, lookup, events, effects } = parts;
  const { store, dispatcher, answers, transactions, catalog, control } = storage;
  const onLarge = (what: string, bytes: number) => telemetry.emit('payload.large', { what, bytes });
  const { payloadBytes, warnPayloadBytes: warnBytes } = limits;
  const payloads = new Payloads(codec, { payloadBytes, warnBytes, onLarge }, texts);
  return {
    recorder: recorderOf(parts, { owner, limiters, onError }),
    namespace,
    telemetry,
    process: owner,
    payloads,
    transactions,
    catalog,
    remoteSteps,
    clock,
    retry,
    onExhausted: parts.onExhausted,
    keepInputs: parts.keepInputs ?? false,
    signals,
    limiters,
    timers,
    events,
    effects,
    strict: parts.strict ?? false,
    // What its code traces was traced by the first play.
    ...(secondPlays && { review: (left, how) => telemetry.quietly(() => secondPlays.review(left, how)) }),
    onWoken: ({ id: runId, workflow }, by, since) =>
      telemetry.hears('run.woken') &&
      telemetry.emit('run.woken', { runId, workflow, by, delayMs: Math.max(0, clock.now() - since) }),
    holder: holderFrom(storage, { onFailure: onError, stopped }),
    readBack: readBackFrom(store, { onFailure: onError, stopped }),
    limits: {
      steps: limits.steps,
      warnSteps: limits.warnSteps,
      onLongHistory: ({ id: runId, workflow }, steps) => telemetry.emit('history.long', { runId, workflow, steps }),
    },
    workflows: lookup,
    closeChildren: childCloser({ control, dispatcher, answers, hooks: storage.hooks }, { onFailure: onError, stopped }),
  };
}

function recorderOf(
  { storage, telemetry, clock, events, effects, blame }: EngineParts,
  { owner, limiters, onError }: Pick<SharedParts, 'owner' | 'limiters' | 'onError'>,
): Recorder {
  const { store, dispatcher, answers } = storage;
  return new Recorder({
    store,
    dispatcher,
    answers,
    onError,
    owner,
    clock,
    hooks: storage.hooks,
    ...(events && { events }),
    ...(effects && { effects }),
    ...(blame && { blame }),
    onHistoryLost: (runIds) => telemetry.emit('history.lost', { runs: runIds.length, runIds: runIds.slice(0, 10) }),
    onCommitted: (writes, durationMs) =>
      telemetry.hears('runs.committed') && telemetry.emit('runs.committed', { writes, durationMs }),
    onLimiters: (changed) => limiters.changed(changed),
  });
}

/** If the database refuses the run's write, the run is blocked: a replay would fail again. */
function refusedOf(error: unknown, { texts, context }: Payloads): Standstill | undefined {
  if (!(error instanceof WriteRefusedError)) return undefined;
  const { name = 'Error', message } = toWireError(error, texts.rules);
  return { reason: 'write_refused', detail: texts.text(boundedText(`${name}: ${message}`), context) };
}

/** A run that was blocked, and is blocked again without progress, is no news. */
const isTriedAgain = ({ run, writer }: Activation): boolean => run.wasBlocked === true && !writer.hasProgressed;

/** Why a run left memory, for people, and how long it took if it has ended: what is stored may be sealed. */
function whyOf(
  activation: Activation,
  left: RunTransition | Standstill,
): Omit<TelemetryEvents['run.left'], 'runId' | 'workflow' | 'status'> & { error?: WireError } {
  const { texts, context } = activation.payloads;
  const none = { reason: undefined, detail: undefined, error: undefined, blockedBy: undefined };
  const { reason, detail, error, blockedBy } = { ...none, ...left };
  const at = blockedBy && appFrameOf(texts.readable(blockedBy, context));
  const step = error && stepOf(activation, left);
  const isOver = 'status' in left && isFinal(left.status);
  return {
    ...(reason && { reason }),
    ...(detail && { detail: texts.readText(detail, context) }),
    ...(at && { at }),
    ...(reason && isTriedAgain(activation) && { again: true }),
    ...(error && { error: texts.readable(error, context) }),
    ...(step && { step }),
    ...(isOver && { durationMs: Math.max(0, activation.shared.clock.now() - activation.run.since) }),
  };
}

/** Tells of a run that left memory. If it has ended, also by a span from its start, or its last `continueAsNew`. */
function tellLeft(telemetry: Telemetry, activation: Activation, transition: RunTransition): void {
  const { id: runId, workflow, version, since: startedAt, context } = activation.run;
  const { status } = transition;
  if (!telemetry.hears('run.left') && !telemetry.tracing) return;
  const why = whyOf(activation, transition);
  telemetry.emit('run.left', { runId, workflow, status, ...why });
  if (!isFinal(status) || !telemetry.tracing) return;
  const outcome = { outcome: status, error: why.error };
  const carrier = contextIn(context);
  telemetry.tracing.told({ kind: 'end', name: workflow, workflow, version, runId, startedAt, carrier, ...outcome });
}

/** The step whose failure ended a run, or that it could not compensate; none if the code threw an error of its own. */
function stepOf({ run, journal }: Activation, left: RunTransition | Standstill): LeftAtStep | undefined {
  if ('undoing' in left && left.undoing) return { ...left.undoing, undoing: true };
  if (!('status' in left) || left.status === 'cancelled') return undefined;
  // A compensated run fails in a later activation than its code.
  const resume = ('resume' in left && left.resume) || run.resume;
  const seq = resume?.passed?.seq ?? resume?.at;
  const step = seq === undefined ? undefined : journal.get(seq);
  return step && { name: step.name, seq: step.seq };
}

/**
 * The dispatcher, with the errors of answers as they are stored in histories: workers in other languages write them in
 * plain text. To seal these, their runs are read: the codec needs to know whose they are. Without anything to redact or
 * to seal, it is the dispatcher itself.
 */
export function withStoredErrors(
  dispatcher: TaskDispatcher,
  payloads: Payloads,
  catalog: Pick<RunCatalog, 'find'>,
): TaskDispatcher {
  const { texts } = payloads;
  if (!texts.seals && !texts.rules.redact) return dispatcher;
  const isPlain = ({ error }: StepAnswer) => texts.isPlain(error);
  const storedWith = (known: ReadonlyMap<string, Payloads>) => (answer: StepAnswer) => {
    const { context } = known.get(answer.runId) ?? payloads.of({ runId: answer.runId });
    return { ...answer, error: texts.answer(answer.error, context) };
  };
  const stored = async (answers: readonly StepAnswer[], tx?: Transaction): Promise<StepAnswer[]> => {
    const ids = [...new Set(answers.filter(isPlain).map(({ runId }) => runId))];
    const runs = ids.length > 0 ? await catalog.find(ids, tx) : [];
    return answers.map(storedWith(new Map(runs.map((run) => [run.id, payloads.ofRun(run)]))));
  };
  return {
    ...wholeDispatcher(dispatcher),
    peek: async (...args) => {
      const { answers, cursor } = await dispatcher.peek(...args);
      return { answers: await stored(answers), cursor };
    },
    withdraw: async (stepIds, tx) => stored(await dispatcher.withdraw(stepIds, tx), tx),
    // What is still plain is read as rows.
    onAnswers: (listener) =>
      dispatcher.onAnswers((answers) =>
        listener(answers?.some(isPlain) ? undefined : answers?.map(storedWith(new Map()))),
      ),
  };
}
