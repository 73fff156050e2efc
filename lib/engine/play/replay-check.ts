import { NonDeterminismError } from '../../errors/code-errors.js';
import type { Codec } from '../../protocol/codec.js';
import type { Clock } from '../../time/clock.js';
import { sleep } from '../../time/sleep.js';
import { Timers } from '../../time/timers.js';
import { Activation, type ActivationEnd } from '../activation/activation.js';
import type { ActivationShared } from '../activation/activation-shared.js';
import { ofWorkflow } from '../activation/shared-parts.js';
import { LimiterKeeper } from '../limits/limiter-keeper.js';
import { Payloads } from '../model/payloads.js';
import { play } from './player.js';
import { type Recorded, Recorder } from '../activation/recorder.js';
import type { RemoteStepDirectory } from '../model/remote-step-directory.js';
import type { BlockReason, ClaimedRun, RunTransition } from '../model/run.js';
import type { RunWrite } from '../model/run-store.js';
import { SignalExchange } from '../signals/signal-exchange.js';
import type { StepEffects, StepEvents } from '../model/outgoing.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowContext } from '../model/workflow-context.js';
import type { WorkflowDefinition, WorkflowLookup } from '../model/workflow-registry.js';

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
  const over = new AbortController();
  try {
    return await new Promise<ReplayCheck>((resolve) => {
      const left = (transition: RunTransition) => resolve(outcomeOf(transition, activation.blockedBy));
      recorder.onTransition = left;
      const shared = ofWorkflow(sharedOf(parts, recorder, timers), definition);
      const onEnd = (end: ActivationEnd) => end.how === 'broken' && resolve(broken(end.error));
      const activation = new CheckedActivation(run, history, shared, onEnd, () => void rested(activation));
      activation.onNew = parts.onNew;
      activation.onOutside = parts.onOutside;
      const patience = new Patience(activation, parts.patienceMs ?? PATIENCE_MS);
      const rested = async (resting: Activation) => {
        activation.restsAt = activation.unaskedError() && activation.journal.next.seq;
        const unasked = await patience.unasked();
        if (resting.closed) return;
        if (unasked) return resting.block('non_determinism', unasked);
        resolve({ verdict: 'fits', then: 'waits' });
      };
      play(activation, definition, parts.contextOf).catch((error: unknown) => activation.break(error));
      const mostMs = 10 * (parts.patienceMs ?? PATIENCE_MS);
      void stuck(activation, mostMs, over.signal).then(() => {
        if (!over.signal.aborted) void rested(activation);
      });
    });
  } finally {
    over.abort();
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

/** Waits once for code that waits for something outside of the context. */
class Patience {
  private waiting: Promise<NonDeterminismError | undefined> | undefined;

  constructor(
    private readonly activation: Activation,
    private readonly patienceMs: number,
  ) {}

  /** The error of unasked positions, once the code makes no more progress. */
  unasked(): Promise<NonDeterminismError | undefined> {
    this.waiting ??= this.wait();
    return this.waiting;
  }

  private async wait(): Promise<NonDeterminismError | undefined> {
    const { activation } = this;
    let asked = -1;
    for (let waitedMs = 0; waitedMs < this.patienceMs; waitedMs += LOOK_EVERY_MS) {
      if (!activation.unaskedError() || activation.closed) return undefined;
      if (activation.journal.asked !== asked) waitedMs = 0;
      asked = activation.journal.asked;
      await sleep(LOOK_EVERY_MS);
    }
    return activation.unaskedError();
  }
}

/**
 * Resolves once code that does not rest has made no progress for so long. Looks are counted, since a busy process has
 * fewer of them, and a long history may take as long as it likes.
 */
async function stuck({ journal }: Activation, mostMs: number, over: AbortSignal): Promise<void> {
  let progress = -1;
  for (let waitedMs = 0; waitedMs < mostMs && !over.aborted; waitedMs += LOOK_EVERY_MS) {
    const { asked, delivered } = journal;
    if (asked + delivered !== progress) waitedMs = 0;
    progress = asked + delivered;
    await sleep(LOOK_EVERY_MS, over);
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
    holder: () => new Promise(() => undefined),
    readBack: () => new Promise(() => undefined),
    limits: { steps: limits.steps, warnSteps: Number.POSITIVE_INFINITY, onLongHistory: () => {} },
    workflows: lookup,
    signals: new SignalExchange(inert(), inert(), { notified: () => true, pollMs, onError }),
    limiters: new LimiterKeeper(inert(), inert(), { timers, limited: () => false, onDue: () => {}, onError }),
    onLine: () => {},
    onMisuse: () => {},
    onUnhandled: () => {},
    onUnawaited: () => {},
    strict: false,
    onTransactionLost: () => {},
    closeChildren: () => Promise.resolve(),
  };
}

function outcomeOf(transition: RunTransition, blockedBy: unknown): ReplayCheck {
  if (transition.status !== 'suspended') return { verdict: 'fits', then: transition.status };
  const { reason } = transition;
  const detail = errorText(blockedBy);
  if (!reason) return { verdict: 'fits', then: 'waits' };
  if (!(blockedBy instanceof NonDeterminismError))
    return { verdict: 'blocks', reason, position: null, recorded: null, asked: null, detail };
  const { seq: position, recorded, asked } = blockedBy;
  return { verdict: 'blocks', reason, position, recorded, asked, detail };
}

const broken = (error: unknown): ReplayCheck => ({
  verdict: 'blocks',
  reason: 'programming_error',
  position: null,
  recorded: null,
  asked: null,
  detail: errorText(error),
});

const errorText = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
