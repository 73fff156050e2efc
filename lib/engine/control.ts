import { type Patience, untilBack } from '../core/leasing.js';
import { type StepAnswer, stepIdOf } from '../core/protocol.js';
import { WorkflowIdConflictError } from '../core/run-errors.js';
import type { Transaction } from '../core/transaction.js';
import { FIXED_TEXTS, toWireError, type WireError } from '../core/wire-error.js';
import { answerOfChild, type RunHooks, type RunNews } from './endings.js';
import {
  type ClaimedRun,
  isFinal,
  type NewRun,
  type ResumePoint,
  type RunRecord,
  type RunStatus,
  type RunTransition,
} from './run.js';
import type { EndedAttempt, Endings } from './runs.js';
import { notesOf, readOperation } from './signals.js';
import { isCompensation, type StepRecord } from './step.js';
import type { AnswerWriter, TaskDispatcher } from './tasks.js';

export interface UnfinishedPage {
  /** In the form of a claim, in the order of their ids. */
  runs: ClaimedRun[];
  /** The start of the next page; undefined at the end. A page with `next` may be empty. */
  next: string | undefined;
}

/** Reads all runs that have not ended, each once. */
export interface UnfinishedRuns {
  /**
   * Reads up to `scan` runs of any status whose ids come after `afterId`, and returns those that have not ended. Locks
   * and changes nothing; each page shows the state at the time of its read.
   */
  page(query: { namespace: string; afterId: string; scan: number }): Promise<UnfinishedPage>;
  /**
   * Workflows and versions with runs that have been due for `olderThanMs`, and that no process has claimed: it has
   * nobody, or too few. Cheap, no matter how many runs wait.
   */
  overdue(namespace: string, olderThanMs: number): Promise<OverdueRuns[]>;
  /** The workflows and versions of the runs that `page` returns, without the runs. */
  versions(query: { namespace: string; afterId: string; scan: number }): Promise<VersionsPage>;
}

/** How many runs of a part of all runs have not ended, by what code they need. */
export interface VersionsPage {
  versions: { workflow: string; version: number; runs: number }[];
  /** The last id that was looked at; undefined if there are no more. */
  next: string | undefined;
}

/** Runs of a workflow and version that wait to be claimed. */
export interface OverdueRuns {
  workflow: string;
  version: number;
  /** Since when the first of them is due, epoch ms. */
  since: number;
}

export interface PurgeRuns {
  namespace: string;
  status: readonly RunStatus[];
  /** Only runs that ended at least this long ago, in ms. */
  olderThanMs: number;
  /** The most runs that this call deletes. */
  limit: number;
}

/**
 * Deletes runs and all their data: steps, attempts, logs, attributes, waits, signals sent to them by id, permits of
 * limiters, start keys. It locks the runs, ancestors and descendants, in the order of their ids, before other rows.
 *
 * Signals that were on their way to them are left to others, as by {@link RunControl.close}. If a child is kept when its
 * parent is deleted, it becomes a run without a parent.
 */
export interface RunRemoval {
  /**
   * Deletes the given runs that have ended, and their descendants that have ended. A run that has not ended is kept
   * with all its descendants. Returns the deleted ids, including those of descendants.
   */
  delete(ids: readonly string[], givingUp: GivingUp, tx?: Transaction): Promise<string[]>;
  /**
   * Deletes the runs that ended first; never waits for a lock. A run is kept while its parent has not ended or
   * dependents must still be notified of its end. It is kept until a later purge if it, or a child that would be kept,
   * is locked. Age and status of each run decide, independent of its parent. Returns how many it deleted.
   */
  purge(request: PurgeRuns, givingUp: GivingUp): Promise<number>;
  /** Deletes expired start keys, regardless of the app's retention. Returns how many. */
  tidy(limit: number): Promise<number>;
}

/** The parent of the existing run with an id. */
export interface Belonging {
  id: string;
  parentId: string | null;
  parentSeq: number | null;
}

/** Whether the existing run is the requested child itself, created by an earlier attempt of the same commit. */
export const isSameChild = ({ parent }: NewRun, taken: Belonging): boolean =>
  taken.parentId === parent?.id && taken.parentSeq === parent?.seq;

/** The answer to the step of a child whose id belongs to another run. */
export function answerOfConflict({ id, parent }: NewRun): StepAnswer[] {
  if (!parent) return [];
  const { id: runId, seq } = parent;
  const error = toWireError(new WorkflowIdConflictError(id, 'origin (it is not the child of this step)'));
  const to = { stepId: stepIdOf(runId, seq), runId, seq, startedAt: null, createdAt: 0 };
  return [{ ...to, status: 'failed', output: null, error: JSON.stringify(error) }];
}

/**
 * The work of other ports in the transaction that closes or deletes runs: withdraw their open tasks and the answers to
 * their waits, answer the steps that wait for them, write notes of the signals that they leave to others, and tell hooks of `ended`.
 * Resolves to existing answers to withdrawn tasks, if any task was withdrawn.
 */
export type GivingUp = (
  closed: Endings & { withdrawn: readonly string[]; ended?: RunNews },
  tx: Transaction,
) => Promise<readonly StepAnswer[] | undefined>;

/**
 * The outcome of closing a run: `ended` at once; `closing`: an engine will end it. Nothing was changed: `underway` (it
 * is being closed already), `over` (it had ended), `missing` (it does not exist).
 */
export type CloseOutcome = 'ended' | 'closing' | 'underway' | 'over' | 'missing';

/**
 * Why a failed run, or a child that it needs, cannot go on. `compensated`: steps were undone. `closing`: a child is being
 * ended. `passed`: its code did more after the failure that ended it. `not_begun`: it failed before its code ran.
 * `effects`: it waits for calls that were enqueued.
 */
export interface ResumptionRefusal {
  why: 'compensated' | 'closing' | 'passed' | 'not_begun' | 'effects' | 'erased';
  runId: string;
  step?: string;
  seq?: number;
}

/** For a run that goes on with its parent, if at all: its steps that have failed are asked for again. */
export const outputsIn = (answers: readonly StepAnswer[] = []): StepAnswer[] =>
  answers.filter(({ status }) => status === 'completed');

/** Whether existing answers of workers still count: its steps are compensated, or a `retry` goes on with them. */
export const keepsAnswers = (transition: RunTransition | undefined): boolean =>
  transition?.status === 'compensating' || (transition?.status === 'failed' && transition.resume !== undefined);

/** Changes runs from outside of their code. Every method is atomic; locks are taken in the order of run ids. */
export interface RunControl {
  /**
   * Takes a run from its owner and withdraws its open tasks. Existing outputs of workers become the outcomes of their
   * steps; if the run is compensated, failures do too. A run with nothing to compensate and no children ends in the same transaction,
   * and so does one that is `terminated` and has no open children; any other is due at once for an engine to close it.
   * `cancelled` changes nothing for a run that is being closed already; `terminated` ends its compensation. Signals
   * that it has not taken are released to others. The owner, and waiters for the run, are notified with the commit.
   */
  close(id: string, how: 'cancelled' | 'terminated', givingUp: GivingUp, tx?: Transaction): Promise<CloseOutcome>;
  /** Open children of a run, and how they are closed when it ends; in the order of their ids. */
  openChildren(parentId: string): Promise<{ id: string; close: 'cancel' | 'terminate' }[]>;
  /**
   * Makes a stuck run due; `not-stuck` if it is none of these, `erased` if its history was. Engines are notified with the commit.
   *
   * - A blocked run. Steps that have used all their attempts get fresh ones, under the same ids.
   * - A run whose compensation failed: that compensation starts with all attempts again, and the remaining ones follow.
   * - A failed run: the failures that ended it are forgotten, their steps get fresh attempts under the same ids, and its
   *   children that did not complete go on, too. Steps that wait for children that have completed are answered. A run
   *   with a limiter asks it again, and its time limit begins anew. Returns a refusal, and changes nothing, if that
   *   cannot be done.
   */
  retry(
    id: string,
    givingUp: GivingUp,
    tx?: Transaction,
  ): Promise<'retried' | 'not-stuck' | 'erased' | 'missing' | ResumptionRefusal>;
}

export const TERMINATED: WireError = {
  name: 'WorkflowTerminatedError',
  code: 'WORKFLOW_TERMINATED',
  message: FIXED_TEXTS.terminated,
};

/** Whether two reads of a run are the same for a replay. */
export const isSame = (one: EditableRun, other: EditableRun): boolean => textOf(one) === textOf(other);

const textOf = ({ run: { status, closing, owner, input, erasedAt }, steps }: EditableRun): string =>
  JSON.stringify([status, closing, owner, input, erasedAt, steps]);

/** A run with what a replay of it needs. */
export interface EditableRun {
  run: RunRecord;
  claim: ClaimedRun;
  /** In the order of their positions. */
  steps: readonly StepRecord[];
}

/** The child whose outcome the step gets. */
export const childOf = (step: StepRecord | undefined): string | null => (step?.kind === 'child' ? step.ref : null);

/** Replays a run with a history, which may contain an edit. `asked`: the new positions that the code asked for. */
export type ReplayOf = (
  run: ClaimedRun,
  history: readonly StepRecord[],
) => Promise<{ asked: readonly StepRecord[]; refusal: string | undefined }>;

/** What operators change in runs, besides {@link RunControl}. */
export interface RunEdits {
  /**
   * Locks runs in the order of their ids, waiting for other writes, and returns those that exist, as they are then. Until
   * the transaction ends, nobody else writes them.
   */
  lock(ids: readonly string[], tx: Transaction): Promise<RunRecord[]>;
  /** A run and its history. With `tx` the run is locked, as by `lock`, and both are as they are then. */
  open(id: string, tx?: Transaction): Promise<EditableRun | undefined>;
  /**
   * Writes a step of a locked run, takes the run from its owner, and makes it due at once. If the step has an outcome,
   * its waits and its permit are removed, and `givingUp` withdraws its task; a signal that was delivered to it is left
   * to others. A failed run goes on as by {@link RunControl.retry}, before the step is written; but the child of this step
   * stays as it is, since nobody waits for it any more. The former owner and all engines are notified with the commit. Writes nothing and returns why a failed run cannot go on, or false if the run is
   * no longer as it was `found`, where a lock does not prevent that.
   */
  rewrite(
    found: EditableRun,
    step: StepRecord,
    givingUp: GivingUp,
    tx: Transaction,
  ): Promise<boolean | ResumptionRefusal>;
}

export interface GivingUpPorts {
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
  hooks?: Pick<RunHooks, 'tell'> | undefined;
}

/** The work of other ports when a run is closed, in the same transaction. */
export const givingUp =
  ({ dispatcher, answers, hooks }: GivingUpPorts): GivingUp =>
  async (closed, tx) => {
    const answered = closed.withdrawn.length > 0 ? await dispatcher.withdraw(closed.withdrawn, tx) : [];
    // Signals in existing answers are left to other waits.
    const told = [...closed.answers, ...notesOf(answered)];
    if (told.length > 0) await answers.answer(told, tx);
    if (closed.ended) await hooks?.tell(closed.ended, tx);
    return answered;
  };

export interface ChildCloserPorts extends GivingUpPorts {
  control: RunControl;
}

/**
 * Closes the open children of an ending run, according to their `parentClose`: when it resolves, each has ended or is
 * closing. It retries while the database fails: the run must not end without its children.
 */
export function childCloser(ports: ChildCloserPorts, patience: Patience): (runId: string) => Promise<void> {
  return (runId) =>
    untilBack(async () => {
      for (const { id, close } of await ports.control.openChildren(runId))
        await ports.control.close(id, close === 'cancel' ? 'cancelled' : 'terminated', givingUp(ports));
    }, patience);
}

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
