import type { Codec } from '../../core/codec.js';
import {
  NonDeterminismError,
  UnknownWorkflowError,
  WorkflowErasedError,
  WorkflowNotFoundError,
} from '../../core/run-errors.js';
import { type Clock, sleep, stopwatch, Timers } from '../../core/time.js';
import { type ErrorRules, toWireError } from '../../core/wire-error.js';
import type { WorkflowContext } from '../context.js';
import type { ReplayOf, UnfinishedRuns } from '../control.js';
import { LimiterKeeper } from '../limits.js';
import { Payloads } from '../payloads.js';
import { type BlockReason, type ClaimedRun, isFinal, type RunTransition } from '../run.js';
import type { RunStore, RunWrite } from '../runs.js';
import { SignalExchange } from '../signals.js';
import type { StepEffects, StepEvents, StepRecord } from '../step.js';
import type { EngineStorage } from '../storage.js';
import type { RemoteStepDirectory, WorkflowDefinition, WorkflowLookup, WorkflowRegistry } from '../workflow.js';
import { Activation, type ActivationEnd, type ActivationShared, ofWorkflow } from './activation.js';
import { play, replayContext } from './player.js';
import { type Recorded, Recorder } from './recorder.js';

/** The result of replaying a history with the code of a build. */
export type ReplayCheck =
  /** The code matches all records. `then`: what it does next, without external events. */
  | { verdict: 'fits'; then: 'waits' | Exclude<RunTransition['status'], 'suspended'> }
  /** The run would be blocked. `position`, `recorded` and `asked` are null if the code threw an error of its own. */
  | {
      verdict: 'blocks';
      reason: BlockReason;
      position: number | null;
      recorded: string | null;
      asked: string | null;
      detail: string;
    };

/** The configuration of the process that would play the run. */
export interface ReplayCheckParts {
  codec: Codec;
  /** What of errors may be seen. Default: everything. */
  errors?: ErrorRules;
  clock: Clock;
  namespace: string;
  remoteSteps: RemoteStepDirectory;
  lookup: WorkflowLookup;
  /** For `ctx.publish`. Without it, code that publishes a new event would be blocked. */
  events?: Pick<StepEvents, 'check'>;
  /** For `ctx.effects`, likewise. */
  effects?: Pick<StepEffects, 'check'>;
  retry: ActivationShared['retry'];
  limits: { payloadBytes: number; steps: number };
  /** How long code may wait for something outside of the context until it counts as at rest. Default 1,000 ms. */
  patienceMs?: number;
  /** The context that the code sees. Default: that of every replay. */
  contextOf?: (activation: Activation) => WorkflowContext;
  /** Called for each position that the code asks for and that the history does not have. */
  onNew?: (step: StepRecord) => void;
  /** Called with each position that the code takes after it has waited for something outside of the context. */
  onOutside?: (seq: number) => void;
}

/** How often code that waits for something outside of the context is checked. */
const LOOK_EVERY_MS = 10;
const PATIENCE_MS = 1_000;

/**
 * Replays a run's recorded history with code, and returns whether they match. Nothing is written, and no step,
 * compensation or transaction begins; but code between steps runs, as on every replay. Always resolves: code that waits
 * for something outside of the context has `patienceMs`.
 */
export async function checkReplay(
  run: ClaimedRun,
  history: readonly StepRecord[],
  definition: WorkflowDefinition,
  parts: ReplayCheckParts,
): Promise<ReplayCheck> {
  const timers = new Timers(NEVER_DUE);
  const recorder = new DiscardingRecorder();
  let isOver = false;
  try {
    return await new Promise<ReplayCheck>((resolve) => {
      const left = (transition: RunTransition) => resolve(outcomeOf(transition, activation.blockedBy, parts.errors));
      recorder.onTransition = left;
      const shared = ofWorkflow(sharedOf(parts, recorder, timers), definition);
      const onEnd = (end: ActivationEnd) =>
        end.how === 'broken' && resolve(blocked('programming_error', end.error, parts.errors));
      const activation = new CheckedActivation(run, history, shared, onEnd, () => void rested());
      activation.onNew = parts.onNew;
      activation.onOutside = parts.onOutside;
      const { patienceMs = PATIENCE_MS } = parts;
      const { journal } = activation;
      let outside: Promise<void> | undefined;
      const rested = async () => {
        activation.restsAt = activation.unaskedError() && journal.next.seq;
        const isDone = () => activation.closed || !activation.unaskedError();
        await (outside ??= still(() => journal.asked, patienceMs, isDone));
        if (activation.closed) return;
        const unasked = activation.unaskedError();
        if (unasked) return activation.block('non_determinism', unasked);
        resolve({ verdict: 'fits', then: 'waits' });
      };
      play(activation, definition, parts.contextOf).catch((error: unknown) => activation.break(error));
      const progress = () => journal.asked + journal.delivered;
      void still(progress, 10 * patienceMs, () => isOver).then(() => {
        if (!isOver) void rested();
      });
    });
  } finally {
    isOver = true;
    timers.stop();
  }
}

/** An activation whose records never become durable, so that work that waits for that never begins. */
class CheckedActivation extends Activation {
  onNew: ReplayCheckParts['onNew'];
  onOutside: ReplayCheckParts['onOutside'];
  /** The next position of code that rests although the history goes on. */
  restsAt: number | undefined;

  override ask(...asked: Parameters<Activation['ask']>): ReturnType<Activation['ask']> {
    const { restsAt } = this;
    this.restsAt = undefined;
    if (restsAt !== undefined) this.onOutside?.(restsAt);
    const position = super.ask(...asked);
    if (position?.isNew) this.onNew?.(position.step);
    return position;
  }

  override durable(): Promise<boolean> {
    return new Promise(() => undefined);
  }

  /** An exhausted step blocks the run whatever its code is. */
  override yield(): void {}

  /** Without `before`: there are no children to close. */
  override leave(...[how, also]: Parameters<Activation['leave']>): Promise<void> {
    return super.leave(how, also);
  }
}

/**
 * Resolves once code has made no more progress for so long, or it no longer matters. Looks are counted, since a busy
 * process has fewer of them, and a long history may take as long as it likes.
 */
async function still(progress: () => number, mostMs: number, isDone: () => boolean): Promise<void> {
  let last = -1;
  for (let waitedMs = 0; waitedMs < mostMs && !isDone(); waitedMs += LOOK_EVERY_MS) {
    if (progress() !== last) waitedMs = 0;
    last = progress();
    await sleep(LOOK_EVERY_MS);
  }
}

/** Writes nothing, and reports transitions. */
class DiscardingRecorder extends Recorder {
  onTransition: (transition: RunTransition) => void = () => {};

  constructor() {
    super({ store: inert(), dispatcher: inert(), answers: inert(), onError: () => {} });
  }

  override record({ transition }: RunWrite): Promise<Recorded> {
    if (transition) this.onTransition(transition);
    return new Promise(() => undefined);
  }

  override recordIn(): Promise<Recorded> {
    return new Promise(() => undefined);
  }
}

const NEVER_DUE: Clock = { now: () => Number.NEGATIVE_INFINITY };

/** A port whose methods never resolve. */
const inert = <Port extends object>(): Port => new Proxy({} as Port, { get: () => () => new Promise(() => undefined) });

function sharedOf(parts: ReplayCheckParts, recorder: Recorder, timers: Timers): ActivationShared {
  const { codec, clock, namespace, remoteSteps, lookup, retry, limits, events, effects } = parts;
  const onError = () => {};
  const pollMs = LOOK_EVERY_MS;
  return {
    namespace,
    process: '',
    recorder,
    timers,
    clock,
    remoteSteps,
    retry,
    onExhausted: undefined,
    keepInputs: false,
    events,
    effects,
    payloads: new Payloads(codec, { payloadBytes: limits.payloadBytes }),
    transactions: inert(),
    catalog: inert(),
    holder: () => new Promise(() => undefined),
    readBack: () => new Promise(() => undefined),
    limits: { steps: limits.steps, warnSteps: Number.POSITIVE_INFINITY, onLongHistory: () => {} },
    workflows: lookup,
    signals: new SignalExchange(inert(), inert(), { notified: () => true, pollMs, onError }),
    limiters: new LimiterKeeper(inert(), inert(), { timers, limited: () => false, onDue: () => {}, onError }),
    strict: false,
    closeChildren: () => Promise.resolve(),
  };
}

function outcomeOf(transition: RunTransition, blockedBy: unknown, rules?: ErrorRules): ReplayCheck {
  if (transition.status !== 'suspended') return { verdict: 'fits', then: transition.status };
  return transition.reason ? blocked(transition.reason, blockedBy, rules) : { verdict: 'fits', then: 'waits' };
}

function blocked(reason: BlockReason, error: unknown, rules?: ErrorRules): ReplayCheck {
  const none = { seq: null, recorded: null, asked: null };
  const { seq: position, recorded, asked } = error instanceof NonDeterminismError ? error : none;
  const { name = 'Error', message } = toWireError(error, rules);
  return { verdict: 'blocks', reason, position, recorded, asked, detail: `${name}: ${message}` };
}

/** The inputs of recorded steps, as code asks for them. */
export interface AskedInputs {
  /** By position: of remote steps, children, operations of effects, and events. As the codec reads what it writes. */
  inputs: ReadonlyMap<number, unknown>;
  /** Positions from a mismatch on have no input. */
  check: ReplayCheck;
}

export type Note = (seq: number, input: unknown) => void;

/**
 * Replays a history with code, and notes each input that the code passes. Nothing is written, and no step runs. Inputs
 * are not stored, so these are the inputs of today's code, given the recorded outcomes.
 */
export async function askedInputs(
  history: RecordedHistory,
  definition: WorkflowDefinition,
  parts: ReplayCheckParts,
): Promise<AskedInputs> {
  const noted = new Map<number, unknown>();
  const note: Note = (seq, input) => {
    const copy = copyOf(input, history, parts);
    if (copy) noted.set(seq, copy.value);
  };
  const contextOf = (activation: Activation) => watched(replayContext(activation), activation, note);
  const check = await checkReplay(claimedOf(history), history.steps, definition, { ...parts, contextOf });
  const end = check.verdict === 'blocks' && check.position !== null ? check.position : Infinity;
  const recorded = new Set(history.steps.map(({ seq }) => seq));
  return { inputs: new Map([...noted].filter(([seq]) => seq < end && recorded.has(seq))), check };
}

/** The code may change the value later. Undefined for a value that the codec refuses: the call throws, too. */
function copyOf(
  value: unknown,
  { run: { id: runId, workflow, input } }: RecordedHistory,
  { codec }: ReplayCheckParts,
): { value: unknown } | undefined {
  const context = { workflow, runId, ...(input !== null && { input }) };
  try {
    return { value: codec.decode(codec.encode(value, context), context) };
  } catch {
    return undefined;
  }
}

type Call = (...args: unknown[]) => unknown;

/** The same context; inputs are noted before the position of their call is taken. */
export function watched(context: WorkflowContext, { journal }: Activation, note: Note): WorkflowContext {
  const noting = (call: Call, inputOf: Call): Call => {
    return (...args) => {
      note(journal.next.seq, inputOf(...args));
      return call(...args);
    };
  };
  const wrappers: Record<string, (call: Call) => Call> = {
    startChild: (call) => noting(call, (_, input) => input),
    executeChild: (call) => noting(call, (_, input) => input),
    publish: (call) => noting(call, (first, second) => second ?? first),
    effects: (call) => noting(call, (first, second) => second ?? first),
    all: (call) => {
      return (workflow, inputs, ...rest) => {
        const from = journal.next.seq;
        if (Array.isArray(inputs)) inputs.forEach((input, i) => note(from + i, input));
        return call(workflow, inputs, ...rest);
      };
    },
    remote: (call) => {
      return (target, ...rest) => {
        if (typeof target === 'string') note(journal.next.seq, rest[0] ?? null);
        const called = call(target, ...rest);
        return typeof target === 'function' ? watchedClient(called as object, () => journal.next.seq, note) : called;
      };
    },
  };
  return new Proxy(context, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      const wrap = typeof name === 'string' && Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
      return wrap ? wrap(member as Call) : member;
    },
  });
}

const watchedClient = (client: object, next: () => number, note: Note): object =>
  new Proxy(client, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return (input?: unknown, ...rest: unknown[]) => {
        note(next(), input ?? null);
        return (method as Call)(input, ...rest);
      };
    },
  });

/** Where two JSON texts differ first, without the values: ` (it differs at .order.at)`. */
export function firstDifference(text: string, other: string): string {
  try {
    const path = pathOf(JSON.parse(text), JSON.parse(other));
    return path === '' ? '' : ` (it differs at ${path})`;
  } catch {
    return '';
  }
}

function pathOf(one: unknown, other: unknown): string {
  if (!isObject(one) || !isObject(other)) return '';
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const key = keys.find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  return key === undefined ? '' : `.${key}${pathOf(one[key], other[key])}`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** All data that a replay needs of a run, as plain JSON: it may be stored in a file next to the tests. */
export interface RecordedHistory {
  run: Pick<
    ClaimedRun,
    'id' | 'workflow' | 'version' | 'input' | 'since' | 'closing' | 'error' | 'unwinds' | 'firstSeq' | 'context'
  >;
  steps: readonly StepRecord[];
}

/** @throws WorkflowNotFoundError when there is no such run, or it was deleted after its end; WorkflowErasedError */
export async function recordedHistory(
  { catalog, steps: reads }: Pick<EngineStorage, 'catalog' | 'steps'>,
  id: string,
): Promise<RecordedHistory> {
  const [found] = await catalog.find([id]);
  const claimed = await reads.claimed(id);
  if (!found || !claimed) throw new WorkflowNotFoundError(id);
  if (found.erasedAt !== null) throw new WorkflowErasedError(id);
  const { workflow, version, input, since, closing, error, unwinds, firstSeq, context } = claimed;
  // A run that has ended is replayed from its start, whichever way it ended.
  const ending = isFinal(found.status) ? { closing: null, unwinds: false } : { closing, unwinds };
  const run = { id, workflow, version, input, since, error, firstSeq, ...ending };
  return { run: { ...run, ...(context !== undefined && { context }) }, steps: await catalog.steps(id) };
}

/** The run as a process that claims it would see it. */
export const claimedOf = ({ run }: RecordedHistory): ClaimedRun => ({
  ...run,
  epoch: 1,
  crashes: 0,
  claimedAt: 0,
  deadline: null,
  notifies: 0,
  precondition: null,
  resume: null,
  forkedSeq: null,
});

/** Undefined if this process does not have the run's code. Nothing is written, and no step runs. */
export type RecomputeInputs = (history: RecordedHistory) => Promise<AskedInputs | undefined>;

/** A run that would be blocked with this build, or whose workflow this build does not have. */
export type Obstacle = { runId: string; workflow: string; version: number } & (
  | Omit<Extract<ReplayCheck, { verdict: 'blocks' }>, 'verdict'>
  /** `known`: the versions that this build has. */
  | { reason: 'unknown_workflow'; known: readonly number[] }
);

export interface DeployCheckPorts {
  unfinished: UnfinishedRuns;
  store: Pick<RunStore, 'histories'>;
  workflows: WorkflowRegistry;
}

export interface DeployCheckOptions extends ReplayCheckParts {
  /** The most runs that are replayed. Default: all. */
  limit?: number;
}

/** What a part of all runs says of a build. */
export interface DeployCheckPage {
  /** Open runs that were replayed. */
  runs: number;
  /** Those that would be blocked. */
  obstacles: Obstacle[];
  /** For the next page. */
  cursor?: string;
}

/** A page ends after so long, at the next histories: few at once, in a process that has other work. */
const PAGE_MS = 1_000;
const AT_ONCE_OF_PAGE = 10;

/** How many runs are read per page, and how many histories are read at once. */
const SCAN = 2_000;
const AT_ONCE = 50;

/**
 * Replays every run that has not ended, page by page, and yields the result of each: undefined if it matches. Nothing
 * is written.
 */
export async function* deployCheck(
  ports: DeployCheckPorts,
  { limit = Number.POSITIVE_INFINITY, ...parts }: DeployCheckOptions,
): AsyncGenerator<Obstacle | undefined> {
  let left = limit;
  for (let afterId: string | undefined = ''; afterId !== undefined && left > 0;) {
    const { runs, next } = await ports.unfinished.page({ namespace: parts.namespace, afterId, scan: SCAN });
    for (let from = 0; from < runs.length && left > 0; from += AT_ONCE) {
      const some = runs.slice(from, from + Math.min(AT_ONCE, left));
      left -= some.length;
      yield* await obstaclesOf(some, ports, parts);
    }
    afterId = next;
  }
}

/** The same, a page at a time: for pages that show how far it is. */
export async function deployCheckPage(
  ports: DeployCheckPorts,
  cursor: string,
  parts: ReplayCheckParts,
): Promise<DeployCheckPage> {
  const end = stopwatch.now() + PAGE_MS;
  const { runs, next } = await ports.unfinished.page({ namespace: parts.namespace, afterId: cursor, scan: SCAN });
  const page: DeployCheckPage = { runs: 0, obstacles: [] };
  while (page.runs < runs.length && stopwatch.now() < end) {
    const some = runs.slice(page.runs, page.runs + AT_ONCE_OF_PAGE);
    for (const obstacle of await obstaclesOf(some, ports, parts)) if (obstacle) page.obstacles.push(obstacle);
    page.runs += some.length;
  }
  const reached = page.runs < runs.length ? runs[page.runs - 1]!.id : next;
  return { ...page, ...(reached !== undefined && { cursor: reached }) };
}

async function obstaclesOf(
  runs: readonly ClaimedRun[],
  { store, workflows }: DeployCheckPorts,
  parts: ReplayCheckParts,
): Promise<(Obstacle | undefined)[]> {
  const histories = new Map<string, StepRecord[]>(runs.map(({ id }) => [id, []]));
  for (const step of await store.histories(runs.map(({ id }) => id))) histories.get(step.runId)?.push(step);
  return Promise.all(
    runs.map(async (run): Promise<Obstacle | undefined> => {
      const { id: runId, workflow, version } = run;
      const definition = workflows.find(workflow, version);
      const which = { runId, workflow, version };
      if (!definition) return { ...which, reason: 'unknown_workflow', known: workflows.versionsOf(workflow) };
      const { verdict, ...outcome } = await checkReplay(run, histories.get(runId) ?? [], definition, parts);
      return verdict === 'blocks' ? ({ ...which, ...outcome } as Obstacle) : undefined;
    }),
  );
}

/**
 * Replays edited histories with the code of this process.
 *
 * @throws UnknownWorkflowError when this process does not have the workflow in the run's version.
 */
export function replaysWith(workflows: WorkflowRegistry, parts: ReplayCheckParts): ReplayOf {
  return async (run, history) => {
    const definition = workflows.find(run.workflow, run.version);
    if (!definition) throw new UnknownWorkflowError(`${run.workflow} (version ${run.version})`);
    const asked: StepRecord[] = [];
    const check = await checkReplay(run, history, definition, { ...parts, onNew: (step) => void asked.push(step) });
    return { asked, refusal: check.verdict === 'fits' ? undefined : check.detail };
  };
}
