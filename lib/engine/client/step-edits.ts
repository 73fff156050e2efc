import { UnknownWorkflowError } from '../../errors/code-errors.js';
import { EditRefusedError, StepNotEditableError, WorkflowErasedError } from '../../errors/repair-errors.js';
import { StepNotFoundError } from '../../errors/step-errors.js';
import { stepIdOf } from '../../protocol/step.js';
import type { Clock } from '../../time/clock.js';
import { resumedHistory } from '../endings/resumption.js';
import type { EditableRun, ReplayOf } from '../model/run-edits.js';
import { isFinal } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import { notResumable } from './client-control.js';

export type Outcome = Pick<StepRecord, 'status' | 'output' | 'error'>;

/** A step as it is, and as it is to be written. */
export interface Edit {
  before: StepRecord | undefined;
  after: StepRecord;
}

interface Ports {
  clock: Clock;
  /** Undefined if this process cannot replay runs. */
  replay?: ReplayOf | undefined;
}

/** Says how a step is to be written, or why it cannot be changed; writes nothing. */
export class StepEdits {
  constructor(private readonly ports: Ports) {}

  /** The step with this outcome. A failed run is taken as `retry` would leave it. */
  async resolved(found: EditableRun, seq: number, outcome: Outcome): Promise<Edit> {
    const { id } = found.claim;
    const before = found.steps.find((step) => step.seq === seq);
    const why = runRefuses(found) ?? (before && stepRefuses(before));
    if (why) throw new StepNotEditableError(stepIdOf(id, seq), why);
    const run = found.run.status === 'failed' ? this.reopened(found) : found;
    const open = run.steps.find((step) => step.seq === seq);
    const asked = open && run.run.owner === null ? [] : (await this.replay(run)).asked;
    this.refuseBeside(run, asked, seq);
    // A local step has no record before its first attempt has ended: the code says what stands there.
    const step = open ?? asked.find((one) => one.seq === seq);
    if (!step || step.kind === 'marker') throw new StepNotFoundError(stepIdOf(id, seq));
    const after = this.withOutcome(step, outcome, run.steps);
    const { refusal } = await this.replay(run, [...run.steps.filter((other) => other.seq !== seq), after]);
    if (refusal !== undefined) throw new EditRefusedError(stepIdOf(id, seq), refusal);
    return { before, after };
  }

  /** The step with its next attempt due now. */
  async hurried(found: EditableRun, seq: number): Promise<Edit> {
    const { run, steps } = found;
    const before = steps.find((step) => step.seq === seq);
    if (!before) throw new StepNotFoundError(stepIdOf(run.id, seq));
    const now = this.ports.clock.now();
    const why = isFinal(run.status) ? `its run has ended as ${run.status}` : notWaiting(before, now);
    if (why) throw new StepNotEditableError(stepIdOf(run.id, seq), why);
    // Compensations run one after the other.
    if (run.owner !== null && run.closing === null) this.refuseBeside(found, (await this.replay(found)).asked, seq);
    return { before, after: { ...before, wakeAt: now } };
  }

  private withOutcome(step: StepRecord, outcome: Outcome, steps: readonly StepRecord[]): StepRecord {
    const last = Math.max(0, ...steps.map(({ settled }) => settled ?? 0));
    const attempt = outcome.status === 'failed' && step.settled === null ? step.attempt + 1 : step.attempt;
    const settled = step.settled ?? last + 1;
    return { ...step, ...outcome, attempt, settled, wakeAt: null, finishedAt: this.ports.clock.now() };
  }

  /** A failed run as it goes on. @throws WorkflowErasedError, WorkflowNotResumableError */
  private reopened(found: EditableRun): EditableRun {
    const { run, claim } = found;
    if (run.erasedAt !== null) throw new WorkflowErasedError(run.id);
    const resumed = resumedHistory({ ...run, resume: claim.resume, steps: found.steps }, this.ports.clock.now());
    if ('refusal' in resumed) throw notResumable(run.id, resumed.refusal);
    return { run, claim: { ...claim, error: null, resume: resumed.resume }, steps: resumed.steps };
  }

  /** The edit takes the run from its owner, and the next one would begin these steps again. */
  private refuseBeside({ run, steps }: EditableRun, asked: readonly StepRecord[], seq: number): void {
    if (run.owner === null) return;
    const now = this.ports.clock.now();
    const other = [...steps, ...asked].find((step) => step.seq !== seq && isUnderWay(step, now));
    if (!other) return;
    const why = `its run is executing step ${other.seq} "${other.name}": change it once that has ended`;
    throw new StepNotEditableError(stepIdOf(run.id, seq), why);
  }

  /** @throws UnknownWorkflowError */
  private replay({ claim, steps }: EditableRun, history = steps): ReturnType<ReplayOf> {
    if (!this.ports.replay) throw new UnknownWorkflowError(claim.workflow);
    return this.ports.replay(claim, history);
  }
}

function runRefuses({ run: { status, closing } }: EditableRun): string | undefined {
  if (isFinal(status) && status !== 'failed') return `its run has ended as ${status}`;
  if (closing !== null) return 'its run is being ended';
  if (status === 'pending') return 'its run has not begun';
  return undefined;
}

function stepRefuses({ seq, kind, status }: StepRecord): string | undefined {
  if (seq < 0) return 'it undoes another step';
  if (kind === 'marker') return 'it is no step, but a value that the code has received';
  if (status === 'completed') return 'it has completed, and the code has received its output';
  return undefined;
}

const LOCAL = ['step', 'transaction'];
const TRIED = [...LOCAL, 'remote'];

const waitsUntilLater = ({ status, wakeAt }: StepRecord, now: number): boolean =>
  status === 'pending' && wakeAt !== null && wakeAt > now;

/** A local step keeps its time until its attempt has ended: once that has passed, the attempt may be under way. */
const notWaiting = (step: StepRecord, now: number): string | undefined =>
  TRIED.includes(step.kind) && waitsUntilLater(step, now) ? undefined : 'it does not wait for its next attempt';

const isUnderWay = (step: StepRecord, now: number): boolean =>
  LOCAL.includes(step.kind) && step.status === 'pending' && !waitsUntilLater(step, now);
