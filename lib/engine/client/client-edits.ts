import { type ActedBy, OPERATOR_OPTIONS, requiredOperator } from '../../acts/act.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { WorkflowNotFoundError } from '../../errors/run-errors.js';
import { stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import { givingUp } from '../endings/giving-up.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { checkRunId } from '../model/names.js';
import type { Payloads } from '../model/payloads.js';
import { transactionOf } from '../model/run-catalog.js';
import { type EditableRun, isSame, type ReplayOf } from '../model/run-edits.js';
import type { StepRecord } from '../model/step-record.js';
import { STEP_FAILURE, type StepFailure } from './client-completions.js';
import { notResumable } from './client-control.js';
import { type Edit, type Outcome, StepEdits } from './step-edits.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

/** What the code gets instead of the outcome of a step: an output, an error, or `undefined`. */
export type StepResolution = { output: unknown } | { error: Error | StepFailure } | { skip: true };

export interface EditOptions extends ActedBy {
  /** An open transaction of the app's ORM: the change takes effect if and when that commits. */
  transaction?: unknown;
}

const EDIT_OPTIONS = { ...OPERATOR_OPTIONS, transaction: true } satisfies KnownOptions<EditOptions>;

interface Ports {
  storage: Pick<EngineStorage, 'edits' | 'acts' | 'transactions' | 'dispatcher' | 'answers'>;
  payloads: Payloads;
  namespace: string;
  clock: Clock;
  /** Undefined if this process cannot replay runs. */
  replay?: ReplayOf | undefined;
}

/** Changes single steps of runs for operators. */
export class ClientEdits {
  private readonly steps: StepEdits;

  constructor(private readonly ports: Ports) {
    this.steps = new StepEdits(ports);
  }

  async resolve(id: string, seq: number, resolution: StepResolution, options: EditOptions): Promise<void> {
    const { payloads } = this.ports;
    const outcome = (given: Payloads): Outcome => outcomeOf(given, resolution, stepIdOf(id, seq));
    // What is wrong with it is said before the run is read.
    outcome(payloads.of({ runId: id }));
    const how = Object.keys(resolution)[0]!;
    await this.edit(id, seq, options, { action: 'resolve step', how }, (found) =>
      this.steps.resolved(found, seq, outcome(payloads.ofRun(found.run))),
    );
  }

  async runNow(id: string, seq: number, options: EditOptions): Promise<void> {
    await this.edit(id, seq, options, { action: 'run now' }, (run) => this.steps.hurried(run, seq));
  }

  /** The change is prepared before the run is locked, and again under the lock if the run has changed meanwhile. */
  private async edit(
    id: string,
    seq: number,
    options: EditOptions,
    { action, how }: { action: string; how?: string },
    prepare: (run: EditableRun) => Promise<Edit>,
  ): Promise<void> {
    const by = requiredOperator(checkedOptions(options, EDIT_OPTIONS, 'resolveStep and runNow') ?? {});
    checkRunId(id);
    if (!Number.isInteger(seq)) throw new InvalidArgumentError('seq', seq, 'the position of a step');
    const { edits, acts, transactions } = this.ports.storage;
    const open = transactionOf(transactions, options.transaction);
    const seen = open ? undefined : await this.find(id);
    const early = seen && (await prepare(seen));
    await acts.within(open, async (tx) => {
      let found = await this.find(id, tx);
      let { before, after } = early && isSame(seen, found) ? early : await prepare(found);
      for (;;) {
        const written = await edits.rewrite(found, after, givingUp(this.ports.storage), tx);
        if (written === true) break;
        if (written !== false) throw notResumable(id, written);
        found = await this.find(id, tx);
        ({ before, after } = await prepare(found));
      }
      const { kind, name } = after;
      const details = { seq, step: name, kind, ...(how && { how }), before: before ? shown(before) : null };
      const wasFailed = found.run.status === 'failed' && { retried: true };
      const what = { action, kind: 'run', target: id, namespace: found.run.namespace, outcome: after.status } as const;
      await acts.record([{ ...by, ...what, details: { ...details, ...wasFailed } }], tx);
    });
  }

  /** @throws WorkflowNotFoundError */
  private async find(id: string, tx?: Transaction): Promise<EditableRun> {
    const found = await this.ports.storage.edits.open(id, tx);
    if (found?.run.namespace !== this.ports.namespace) throw new WorkflowNotFoundError(id);
    return found;
  }
}

/** @throws InvalidArgumentError, SerializationError, PayloadTooLargeError */
function outcomeOf(payloads: Payloads, resolution: StepResolution, stepId: string): Outcome {
  const given = Object.keys(resolution ?? {});
  const [way] = given;
  const isOne = given.length === 1 && (way === 'output' || way === 'error' || way === 'skip');
  if (!isOne || ('skip' in resolution && resolution.skip !== true))
    throw new InvalidArgumentError('resolution', resolution, '{ output }, { error } or { skip: true }');
  if ('error' in resolution) return { status: 'failed', output: null, error: failureOf(payloads, resolution.error) };
  const value = 'skip' in resolution ? undefined : resolution.output;
  return { status: 'completed', output: payloads.encode(value, `The output of step "${stepId}"`), error: null };
}

function failureOf(payloads: Payloads, error: Error | StepFailure): string {
  if (typeof (error as Partial<StepFailure> | null)?.message !== 'string')
    throw new InvalidArgumentError('error', error, 'an Error or { message, code? }');
  if (!(error instanceof Error)) checkedOptions(error, STEP_FAILURE, 'resolveStep: error');
  return JSON.stringify(payloads.error(error));
}

const shown = ({ status, attempt, output, error, wakeAt }: StepRecord) => ({ status, attempt, output, error, wakeAt });
