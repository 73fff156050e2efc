import { HistoryLimitError, NonDeterminismError } from '../../errors/code-errors.js';
import type { ActivationShared } from './activation-shared.js';
import { undoingSeq } from './compensations.js';
import type { Journal } from './journal.js';
import type { ClaimedRun } from '../model/run.js';
import type { StepKind, StepRecord } from '../model/step-record.js';

export interface Position {
  seq: number;
  step: StepRecord;
  isNew: boolean;
}

/** Assigns positions to the code of a run, and checks them against the records. */
export class Positions {
  constructor(
    private readonly run: ClaimedRun,
    private readonly journal: Journal,
    private readonly shared: Pick<ActivationShared, 'clock' | 'limits'>,
  ) {}

  /** @throws NonDeterminismError, HistoryLimitError */
  ask(kind: StepKind, name: string): Position {
    const { steps: limit, warnSteps, onLongHistory } = this.shared.limits;
    if (this.journal.asked >= limit) throw new HistoryLimitError(this.run.id, limit);
    if (this.journal.asked === warnSteps) onLongHistory(this.run, warnSteps);
    const { seq, recorded } = this.journal.ask(kind, name);
    return { seq, step: recorded ?? this.fresh(seq, kind, name), isNew: !recorded };
  }

  /** @throws NonDeterminismError */
  toUndo(undone: number, kind: StepKind, name: string): Position {
    const seq = undoingSeq(undone);
    const recorded = this.journal.get(seq);
    if (!recorded || (recorded.kind === kind && recorded.name === name))
      return { seq, step: recorded ?? this.fresh(seq, kind, name), isNew: !recorded };
    const found = `${recorded.kind} "${recorded.name}"`;
    throw new NonDeterminismError(this.run.id, seq, found, `${kind} "${name}"`);
  }

  unaskedError(): NonDeterminismError | undefined {
    const step = this.journal.unasked;
    return step && new NonDeterminismError(this.run.id, step.seq, `${step.kind} "${step.name}"`, 'nothing');
  }

  private fresh(seq: number, kind: StepKind, name: string): StepRecord {
    const now = this.shared.clock.now();
    return {
      runId: this.run.id,
      seq,
      kind,
      name,
      status: 'pending',
      attempt: 0,
      failures: 0,
      deferrals: 0,
      settled: null,
      output: null,
      error: null,
      ref: null,
      wakeAt: null,
      createdAt: now,
      askedAt: null,
      startedAt: now,
      finishedAt: null,
      worker: null,
    };
  }
}

/** Whether the code has passed the position: it has its outcome or value, or it is a child that was started. */
export const isPast = (position: Position | undefined): boolean =>
  position !== undefined && !position.isNew && (position.step.settled !== null || PASSED.has(position.step.kind));

const PASSED: ReadonlySet<StepKind> = new Set(['marker', 'child']);
