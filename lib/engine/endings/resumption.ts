import { readOperation } from '../effects/effect-completions.js';
import { answerOfChild } from '../model/run-endings.js';
import type { EndedAttempt } from '../model/run-store.js';
import { isFinal, type ResumePoint, type RunStatus } from '../model/run.js';
import type { ResumptionRefusal } from '../model/run-control.js';
import type { StepRecord } from '../model/step-record.js';
import { type StepAnswer, stepIdOf } from '../../protocol/step.js';

/** A run, as far as its resumption needs it. */
export interface ResumableRun {
  id: string;
  parentId: string | null;
  status: RunStatus;
  closing: string | null;
  output: string | null;
  resume: ResumePoint | null;
  erasedAt: number | null;
  /** Its steps that have not completed, and its compensations. */
  steps: readonly StepRecord[];
}

/** What is written to resume a run, with those of its children that did not complete. */
export interface Resumption {
  /** Open again. */
  steps: StepRecord[];
  /** Positions that the code asks for anew. */
  forgotten: { runId: string; seq: number }[];
  /** The markers from these positions on are forgotten, too. */
  markers: { runId: string; after: number }[];
  /** The last attempts of failed steps, whose records do not hold them any longer. */
  attempts: (EndedAttempt & { runId: string })[];
  /** The ids of all these steps: what was on its way to them before the run ended is gone. */
  withdrawn: string[];
  /** For steps whose children have completed meanwhile. */
  answers: StepAnswer[];
  /** Due again, the run itself first. */
  runs: { id: string; resume: ResumePoint }[];
}

type Found = ReadonlyMap<string, ResumableRun | undefined>;

/** Nothing is found yet. The child `left` is taken for none, so it does not go on. */
export const foundWithout = (left: string | null): Map<string, ResumableRun | undefined> =>
  new Map(left === null ? [] : [[left, undefined]]);

class Refused extends Error {
  constructor(readonly refusal: ResumptionRefusal) {
    super();
  }
}

/** Thrown when a run is needed that has not been read. */
class Unread extends Error {
  constructor(readonly ids: readonly string[]) {
    super();
  }
}

/**
 * Plans how a failed run goes on, from the runs `found`: a child that did not complete goes on, too. Returns which
 * other runs must be read, or why the run cannot go on. `now` is when its open remote steps are requested again.
 */
export function planResumption(
  root: ResumableRun,
  found: Found,
  now: number,
): { plan: Resumption } | { refusal: ResumptionRefusal } | { needs: readonly string[] } {
  const plan: Resumption = {
    steps: [],
    forgotten: [],
    markers: [],
    attempts: [],
    withdrawn: [],
    answers: [],
    runs: [],
  };
  try {
    new Planner(plan, found, now).resume(root);
    return { plan };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    if (error instanceof Unread) return { needs: error.ids };
    throw error;
  }
}

/** The history of a failed run that goes on, whatever its children have done. */
export function resumedHistory(
  run: ResumableRun,
  now: number,
): { steps: StepRecord[]; resume: ResumePoint } | { refusal: ResumptionRefusal } {
  const unread = new Map<string, undefined>();
  for (const { kind, ref } of run.steps) if (kind === 'child' && ref !== null) unread.set(ref, undefined);
  const planned = planResumption({ ...run, steps: run.steps.filter(isConcerned) }, unread, now);
  if (!('plan' in planned)) return planned as { refusal: ResumptionRefusal };
  const { forgotten, markers, steps, runs } = planned.plan;
  const gone = new Set(forgotten.map(({ seq }) => seq));
  const after = markers[0]?.after ?? Infinity;
  const open = new Map(steps.map((step) => [step.seq, step]));
  const left = run.steps.filter(({ seq, kind }) =>
    kind === 'marker' ? seq < after : kind === 'child' || !gone.has(seq),
  );
  const goesOn = (step: StepRecord) => open.get(step.seq) ?? (gone.has(step.seq) ? asked(step) : step);
  return { steps: left.map(goesOn), resume: runs[0]!.resume };
}

/** Whether a resumption needs to know the step. */
export const isConcerned = ({ status, seq }: StepRecord): boolean => status !== 'completed' || seq < 0;

class Planner {
  constructor(
    private readonly plan: Resumption,
    private readonly found: Found,
    private readonly now: number,
  ) {}

  resume(run: ResumableRun): void {
    const { id, resume, steps } = run;
    this.checkResumable(run);
    const again = steps.filter(isForgotten(resume));
    const open = steps.filter((step) => step.settled === null && !again.includes(step));
    this.read([...again, ...open]);
    const forgiven = { ...resume?.forgiven };
    for (const { seq, failures } of again) forgiven[seq] = failures;
    this.plan.runs.push({ id, resume: { forgiven } });
    for (const { seq } of [...again, ...open]) this.plan.withdrawn.push(stepIdOf(id, seq));
    for (const step of again) this.reopen(step);
    for (const step of open) this.goOn(step);
    if (resume?.after !== undefined) this.plan.markers.push({ runId: id, after: resume.after });
  }

  private checkResumable({ id: runId, status, resume, steps }: ResumableRun): void {
    const refuse = (refusal: Omit<ResumptionRefusal, 'runId'>): never => {
      throw new Refused({ runId, ...refusal });
    };
    const undone = steps.find(isCompensation);
    if (undone || status === 'compensation_failed')
      refuse({ why: 'compensated', ...(undone && { step: undone.name }) });
    if (resume?.passed) refuse({ why: 'passed', step: resume.passed.name, seq: resume.passed.seq });
    // Its code has not run: it waited for runs that did not complete, and which these were is not stored any longer.
    if (status === 'failed' && resume === null) refuse({ why: 'not_begun' });
    const operation = steps.find(
      ({ kind, settled, output }) => kind === 'signal' && settled === null && readOperation(output),
    );
    if (operation) refuse({ why: 'effects', step: operation.name, seq: operation.seq });
  }

  private read(steps: readonly StepRecord[]): void {
    const ids = steps.flatMap(({ kind, ref }) =>
      kind === 'child' && ref !== null && !this.found.has(ref) ? [ref] : [],
    );
    if (ids.length > 0) throw new Unread(ids);
  }

  private reopen(step: StepRecord): void {
    const { runId, seq, kind, status, attempt, askedAt, startedAt, finishedAt, worker, error } = step;
    if (kind === 'child') return this.awaitChild(step);
    if (kind === 'signal') return void this.plan.forgotten.push({ runId, seq });
    if (status === 'failed')
      this.plan.attempts.push({
        runId,
        seq,
        attempt,
        outcome: 'failed',
        askedAt,
        startedAt,
        worker,
        finishedAt: finishedAt ?? this.now,
        error: error ?? 'null',
      });
    this.plan.steps.push(afresh(step, this.now));
  }

  /** A step without an outcome: its task or its wait was withdrawn when the run ended. */
  private goOn(step: StepRecord): void {
    const { runId, seq, kind, status, wakeAt } = step;
    if (kind === 'child') return this.awaitChild(step);
    if (kind === 'signal') return void this.plan.forgotten.push({ runId, seq });
    if (kind === 'remote' && status === 'pending') this.plan.steps.push({ ...step, wakeAt: wakeAt ?? this.now });
  }

  /** A child that did not complete goes on by the same rules; one that was deleted, or is no child, begins anew. */
  private awaitChild(step: StepRecord): void {
    const { runId, seq, ref } = step;
    const child = ref === null ? undefined : this.found.get(ref);
    if (child?.parentId !== runId) return void this.plan.forgotten.push({ runId, seq });
    if (child.erasedAt !== null) throw new Refused({ runId: child.id, why: 'erased' });
    this.plan.steps.push({ ...asked(step), startedAt: this.now });
    if (child.status === 'completed') {
      const { id, status, output } = child;
      this.plan.answers.push(answerOfChild({ id, parentId: runId, parentSeq: seq, status, output, error: null }));
    } else if (isFinal(child.status)) this.resume(child);
    else if (child.closing !== null) throw new Refused({ runId: child.id, why: 'closing' });
  }
}

/** Failures that ended the run, or that its code has not received, and steps without attempts left. */
function isForgotten(resume: ResumePoint | null): (step: StepRecord) => boolean {
  const failed = new Set(resume?.failed);
  const delivered = resume?.delivered ?? Infinity;
  const isUnknown = ({ seq, status, settled }: StepRecord) =>
    seq >= 0 && status === 'failed' && (settled ?? 0) > delivered;
  return (step) => failed.has(step.seq) || step.status === 'exhausted' || isUnknown(step);
}

/**
 * The answers about the failure of a child that are older than the request of their step. A `retry` has made that request,
 * and the child goes on too: only if it has ended again is the answer about that end.
 */
export function olderThanAsked(
  open: readonly StepRecord[],
  answers: readonly StepAnswer[],
): { answer: StepAnswer; childId: string }[] {
  const asked = new Map(
    open.filter(({ kind }) => kind === 'child').map((step) => [stepIdOf(step.runId, step.seq), step]),
  );
  return answers.flatMap((answer) => {
    const step = asked.get(answer.stepId);
    if (!step || step.ref === null || answer.status !== 'failed' || answer.createdAt >= (step.startedAt ?? 0))
      return [];
    return [{ answer, childId: step.ref }];
  });
}

/** The steps that block a run, with fresh attempts, and what its row keeps; undefined if no step blocks it. */
export function reopenExhausted(
  { resume, steps }: Pick<ResumableRun, 'resume' | 'steps'>,
  now: number,
): { steps: StepRecord[]; resume: ResumePoint } | undefined {
  const again = steps.filter(({ status }) => status === 'exhausted');
  if (again.length === 0) return undefined;
  const forgiven = { ...resume?.forgiven };
  for (const { seq, failures } of again) forgiven[seq] = failures;
  return { steps: again.map((step) => afresh(step, now)), resume: { ...resume, forgiven } };
}

/** The step runs again, under the same id. Only remote steps are dispatched, by their time. */
const afresh = (step: StepRecord, now: number): StepRecord => ({
  ...asked(step),
  wakeAt: step.kind === 'remote' ? now : null,
  deferrals: 0,
  askedAt: now,
  startedAt: null,
  worker: null,
});

/** Without an outcome, as before its last attempt. */
const asked = (step: StepRecord): StepRecord => ({
  ...step,
  status: 'pending',
  settled: null,
  output: null,
  error: null,
  wakeAt: null,
  finishedAt: null,
});

/** Below them is only the count of log lines. */
const LAST_COMPENSATION = -1_000_000_000;

const isCompensation = ({ seq }: StepRecord): boolean => seq < 0 && seq > LAST_COMPENSATION;
