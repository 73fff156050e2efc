import { jsonCodec } from '../../core/codec.js';
import { NonDeterminismError } from '../../core/run-errors.js';
import { sleep } from '../../core/time.js';
import type { WorkflowContext } from '../context.js';
import type { ClaimedRun, RunTransition } from '../run.js';
import type { StepRecord } from '../step.js';
import type { WorkflowRegistry } from '../workflow.js';
import type { Activation, LastWord, Reviewed } from './activation.js';
import { standstill } from './journal.js';
import { replayContext } from './player.js';
import { checkReplay, firstDifference, type ReplayCheck, type ReplayCheckParts, watched } from './replay.js';

/** What follows when a run parts from its own history: it is told of, or the run is blocked. */
export type Determinism = 'warn' | 'error';

export interface SecondPlaysOptions {
  mode: Determinism;
  workflows: Pick<WorkflowRegistry, 'find'>;
  parts: ReplayCheckParts;
  /** Called once for each place in the code. */
  onParted: (run: ClaimedRun, error: NonDeterminismError) => void;
  /** Aborted when the engine has stopped: what still waits is not played. */
  stopped: AbortSignal;
}

/** So that the machine's clock says another time than in the first play. */
const LATER_MS = 2;
/** With `warn`, runs beyond these are not played again: a process under load keeps no more histories in memory. */
const MOST_WAITING = 100;

type Inputs = Map<number, string>;

/**
 * For development: plays each run a second time whenever it ends or is parked, with the recorded outcomes and the same
 * code, and compares positions, inputs and the end. Nothing is written. It keeps the inputs of the first play in memory.
 */
export class SecondPlays {
  private readonly inputs = new WeakMap<Reviewed, Inputs>();
  private readonly told = new Set<string>();
  private turn: Promise<unknown> = Promise.resolve();
  private underWay = 0;

  constructor(private readonly options: SecondPlaysOptions) {}

  get busy(): boolean {
    return this.underWay > 0;
  }

  /** The context of the first play. */
  readonly contextOf = (activation: Activation): WorkflowContext => {
    const inputs: Inputs = new Map();
    this.inputs.set(activation, inputs);
    return noting(activation, inputs);
  };

  /** Returns the transition that replaces the last one: with `error`, a run that would end or be parked is blocked. */
  readonly review = async (activation: Reviewed, how: LastWord): Promise<RunTransition | undefined> => {
    const end = endOf(activation, how);
    const inputs = this.inputs.get(activation);
    if (end === undefined || !inputs) return undefined;
    const isWarning = this.options.mode === 'warn';
    if (isWarning && this.underWay >= MOST_WAITING) return undefined;
    const { journal, run, payloads } = activation;
    const first = { end, inputs: new Map(inputs), history: journal.records, until: journal.next.seq };
    const parted = this.inTurn(() => this.compare(activation, first));
    if (isWarning) return undefined;
    const error = await parted;
    return error && standstill(run, journal.settledCount, payloads, 'non_determinism', error);
  };

  /** One at a time: it executes code of the app, in a process that has other work. */
  private inTurn(compare: () => Promise<NonDeterminismError | undefined>): Promise<NonDeterminismError | undefined> {
    this.underWay++;
    const compared = this.turn
      .then(() => (this.options.stopped.aborted ? undefined : compare()))
      .catch(() => undefined)
      .finally(() => this.underWay--);
    this.turn = compared;
    return compared;
  }

  private async compare({ run }: Reviewed, first: FirstPlay): Promise<NonDeterminismError | undefined> {
    const { workflows, parts, onParted } = this.options;
    const definition = workflows.find(run.workflow, run.version);
    if (!definition) return undefined;
    await sleep(LATER_MS);
    const inputs: Inputs = new Map();
    const second: SecondPlay = { inputs, fresh: [], outside: undefined };
    const check = await checkReplay(run, first.history, definition, {
      ...parts,
      contextOf: (again) => noting(again, inputs),
      onNew: (step) => void second.fresh.push(step),
      onOutside: (seq) => void (second.outside ??= seq),
    });
    const parting = partingOf(first, second, check);
    if (!parting) return undefined;
    const error = new NonDeterminismError(run.id, parting.seq, parting.expected, parting.found, ADVICE);
    // What was found may be another thing each time.
    const key = JSON.stringify([run.workflow, run.version, parting.seq]);
    if (!this.told.has(key)) onParted(run, error);
    this.told.add(key);
    return error;
  }
}

const ADVICE =
  'the same code was played again with the same outcomes. Between steps use ctx.now(), ctx.random() and ctx.uuid(), ' +
  'and put fetch, timers, queries and everything else that may differ into ctx.step';

const noting = (activation: Activation, inputs: Inputs): WorkflowContext =>
  watched(replayContext(activation), activation, (seq, input) => {
    const text = textOf(input);
    if (text !== undefined) inputs.set(seq, text);
  });

/** Undefined for a value that cannot be stored: its call throws. */
function textOf(input: unknown): string | undefined {
  try {
    return jsonCodec.encode(input);
  } catch {
    return undefined;
  }
}

type End = 'completed' | 'failed' | 'pending' | 'waits';

/** How the code of an activation ended; undefined if that is not compared: the run is blocked, handed on or closed. */
function endOf({ closing, calls }: Reviewed, how: LastWord): End | undefined {
  if (closing) return undefined;
  if (typeof how === 'function') return calls.codeHasEnded ? 'failed' : undefined;
  if (how.status === 'completed' || how.status === 'pending') return how.status;
  return how.status === 'suspended' && !how.reason && how.wakeAt !== 0 ? 'waits' : undefined;
}

interface FirstPlay {
  end: End;
  inputs: Inputs;
  history: readonly StepRecord[];
  /** The next position of the code. */
  until: number;
}

interface SecondPlay {
  inputs: Inputs;
  /** Positions that are not in the history. */
  fresh: StepRecord[];
  /** The position before which the code waited for something that is no step. */
  outside: number | undefined;
}

interface Parting {
  seq: number;
  expected: string;
  found: string;
}

const OUTSIDE = 'a wait for something that is no step: a timer, fetch or a query';
const ENDS = {
  completed: 'the output of run',
  failed: 'an error of run',
  pending: 'ctx.continueAsNew',
  waits: 'a wait',
};

/** The first place at which the two plays differ. */
function partingOf(first: FirstPlay, second: SecondPlay, check: ReplayCheck): Parting | undefined {
  const partings = [...differentInputs(first, second), ...outsideOf(first, second), ...lastOf(first, second, check)];
  return partings.sort((a, b) => a.seq - b.seq)[0];
}

function differentInputs(first: FirstPlay, second: SecondPlay): Parting[] {
  return [...first.inputs].flatMap(([seq, text]) => {
    const again = second.inputs.get(seq);
    if (again === undefined || again === text) return [];
    const what = nameAt(first, seq);
    return [
      {
        seq,
        expected: `${what} with the same input`,
        found: `${what} with another one${firstDifference(text, again)}`,
      },
    ];
  });
}

const outsideOf = (first: FirstPlay, { outside }: SecondPlay): Parting[] =>
  outside === undefined ? [] : [{ seq: outside, expected: nameAt(first, outside), found: OUTSIDE }];

function lastOf({ end, until }: FirstPlay, { fresh }: SecondPlay, check: ReplayCheck): Parting[] {
  const added = fresh.find(({ seq }) => seq >= until);
  if (added) return [{ seq: added.seq, expected: ENDS[end], found: `${added.kind} "${added.name}"` }];
  if (check.verdict === 'blocks') {
    const { position, recorded, asked, detail } = check;
    return [{ seq: position ?? until, expected: recorded ?? ENDS[end], found: asked ?? detail }];
  }
  const then = check.then === 'compensating' ? 'failed' : check.then;
  if (then === end) return [];
  const found = then === 'waits' ? OUTSIDE : (ENDS[then as End] ?? then);
  return [{ seq: until, expected: ENDS[end], found }];
}

function nameAt({ history }: FirstPlay, seq: number): string {
  const step = history.find((one) => one.seq === seq);
  return step ? `${step.kind} "${step.name}"` : `position ${seq}`;
}
