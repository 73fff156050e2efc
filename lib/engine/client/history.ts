import { InvalidArgumentError } from '../../core/errors.js';
import { checkedLimit, checkedOptions } from '../../core/options.js';
import { LIST_STEPS_OPTIONS, type ListStepsOptions, stepCursor, stepsQuery } from '../listing.js';
import type { Payloads } from '../payloads.js';
import { type AskedInputs, type RecomputeInputs, recordedHistory, type ReplayCheck } from '../play/replay.js';
import { checkRunId, type RunRecord } from '../run.js';
import { isPosition, LINE_COUNT_SEQ, type StepRecord } from '../step.js';
import type { EngineStorage } from '../storage.js';
import {
  attemptsBySeq,
  attemptsOf,
  grouped,
  type ListedStepsPage,
  markText,
  parseMark,
  type RecomputedInputs,
  STEPS_OPTIONS,
  type StepsMark,
  type StepsOptions,
  viewFacts,
  viewLine,
  viewStep,
  wasTriedBefore,
  type WorkflowRunStatus,
  type WorkflowStepFacts,
  type WorkflowStepPage,
  type WorkflowStepStatus,
} from '../views.js';
import { ownRun } from './results.js';

export interface HistoryPorts {
  storage: Pick<EngineStorage, 'catalog' | 'insight' | 'steps'>;
  payloads: Payloads;
  namespace: string;
  /** Undefined if this process cannot replay runs. */
  recompute?: RecomputeInputs | undefined;
}

/** Of a page that tells what has changed: they are told of each time. */
const MOST_OPEN = 100;

/** One step with all that is stored of it. */
export interface WholeStep {
  workflow: string;
  step: WorkflowStepStatus;
  /** With `inputs: 'replay'`, if its input was not kept. */
  recomputed?: RecomputedInputs;
}

/** A step that is decoded when it is looked at. */
export interface StoredStep {
  record: StepRecord;
  look: () => WorkflowStepStatus;
}

/** Reads the history of a run: as a whole, page by page, or one step of it. */
export class ClientHistory {
  constructor(private readonly ports: HistoryPorts) {}

  /**
   * The steps without their payloads, page by page.
   *
   * @throws WorkflowNotFoundError, InvalidArgumentError
   * @example
   * let { steps, mark, cursor } = await client.history.page(id);
   * while (cursor !== undefined) ({ steps, mark, cursor } = await client.history.page(id, { mark }));
   */
  async page(id: string, options: StepsOptions = {}): Promise<WorkflowStepPage> {
    const { after, mark, limit = 200 } = checkedOptions(options, STEPS_OPTIONS, 'steps');
    const most = checkedLimit(limit, 1_000);
    if (after !== undefined && (!isSeq(after) || mark !== undefined))
      throw new InvalidArgumentError('after', after, 'the position of a step, and no mark beside it');
    const known = mark === undefined ? undefined : parseMark(mark);
    const run = await this.find(id);
    const firstSeq = (await this.ports.storage.steps.firstSeq(id)) ?? 0;
    const changed = known?.firstSeq === firstSeq ? await this.changed(run, known, most) : undefined;
    if (changed) return changed;
    const isOver = known !== undefined || isBefore(after, firstSeq);
    const page = await this.first(run, { firstSeq, after: isOver ? undefined : after, most });
    return isOver ? { ...page, anew: true } : page;
  }

  /** Steps of the runs that match, without their payloads, page by page. @throws InvalidArgumentError */
  async list(options: ListStepsOptions = {}): Promise<ListedStepsPage> {
    const { namespace, payloads, storage } = this.ports;
    const query = stepsQuery(checkedOptions(options, LIST_STEPS_OPTIONS, 'steps.list'), namespace);
    const { steps, next, lookedAt } = await storage.steps.list(query);
    const listed = steps.map(({ workflow, ...step }) => {
      const own = payloads.ofRun({ id: step.runId, workflow, input: null });
      const { attempts: _, logLines: _lines, ...facts } = viewFacts(step, own, { attempts: [], logLines: 0 });
      return { workflowId: step.runId, workflow, ...facts };
    });
    return { steps: listed, ...(next && { cursor: stepCursor(next) }), lookedAt };
  }

  /** @throws WorkflowNotFoundError; InvalidArgumentError if the run has no step there */
  async step(id: string, seq: number, { inputs }: { inputs?: 'replay' } = {}): Promise<WholeStep> {
    if (inputs !== undefined && inputs !== 'replay') throw new InvalidArgumentError('inputs', inputs, "'replay'");
    const { steps, insight } = this.ports.storage;
    const run = await this.find(id);
    const query = { runId: id, after: seq - 1, limit: 1, payloads: true };
    const [record] = isSeq(seq) ? await steps.page(query) : [];
    if (record?.seq !== seq) throw new InvalidArgumentError('seq', seq, 'the position of a step of the run');
    const payloads = this.ports.payloads.ofRun(run);
    const attempts = attemptsBySeq(wasTriedBefore(record) ? await insight.attempts(id, [seq]) : []);
    const logs = (await insight.logs(id, seq)).map((line) => viewLine(line, payloads));
    const step = viewStep(record, payloads, { attempts: attemptsOf(record, attempts(seq), payloads), logs });
    const { workflow } = run;
    if (record.input !== undefined || inputs === undefined) return { workflow, step };
    const replayed = await this.replayed(id);
    const found = replayed.inputs.has(seq) && { input: replayed.inputs.get(seq) };
    return { workflow, step: { ...step, ...found }, recomputed: replayed.recomputed };
  }

  /** The first steps of a run with their payloads, which are decoded when they are looked at. */
  async stored(run: Pick<RunRecord, 'id' | 'workflow' | 'input'>, limit: number): Promise<StoredStep[]> {
    const payloads = this.ports.payloads.ofRun(run);
    const query = { runId: run.id, after: LINE_COUNT_SEQ, limit, payloads: true };
    const records = await this.ports.storage.steps.page(query);
    return records.map((record) => ({ record, look: () => viewStep(record, payloads) }));
  }

  /** At most `most` positions, or all of them. */
  async whole(
    run: RunRecord,
    { withInputs, most }: { withInputs: boolean; most: number | undefined },
  ): Promise<Pick<WorkflowRunStatus, 'history' | 'logs' | 'recomputed' | 'moreHistory'>> {
    const { insight } = this.ports.storage;
    const { id } = run;
    const payloads = this.ports.payloads.ofRun(run);
    const read = await this.records(id, most);
    const steps = read.slice(0, most);
    const attempts = attemptsBySeq(await insight.attempts(id));
    const lines = grouped(await insight.logs(id), ({ seq }) => seq);
    const linesOf = (seq: number | null) => (lines.get(seq) ?? []).map((line) => viewLine(line, payloads));
    const replayed = withInputs ? await this.replayed(id) : undefined;
    const stepView = (step: StepRecord): WorkflowStepStatus => ({
      ...viewStep(step, payloads, {
        attempts: attemptsOf(step, attempts(step.seq), payloads),
        logs: linesOf(step.seq),
      }),
      // What was kept is what it was asked with; a replay shows what today's code asks for.
      ...(step.input === undefined && replayed?.inputs.has(step.seq) && { input: replayed.inputs.get(step.seq) }),
    });
    const recomputed = replayed && { recomputed: replayed.recomputed };
    const more = read.length > steps.length && { moreHistory: true as const };
    return { history: steps.map(stepView), ...more, ...recomputed, logs: linesOf(null) };
  }

  private async records(id: string, most: number | undefined): Promise<StepRecord[]> {
    const { catalog, steps } = this.ports.storage;
    if (most !== undefined) return steps.page({ runId: id, after: LINE_COUNT_SEQ, limit: most + 1, payloads: true });
    return (await catalog.steps(id)).filter(isPosition).sort((a, b) => a.seq - b.seq);
  }

  private async first(
    run: RunRecord,
    { firstSeq, after = LINE_COUNT_SEQ, most }: { firstSeq: number; after: number | undefined; most: number },
  ): Promise<WorkflowStepPage> {
    // Before the steps, so that what happens meanwhile counts as a change.
    const settled = await this.ports.storage.steps.lastSettled(run.id);
    const { steps, more } = await this.next(run, after, most);
    const seq = steps.at(-1)?.seq ?? after;
    return { workflow: run.workflow, steps, ...(more && { cursor: seq }), mark: markText({ firstSeq, settled, seq }) };
  }

  /**
   * What comes after `known`; if that fits one page, also what has changed of the rest, and the last outcome that was
   * known, since a `retry` gives its number to another one. Undefined if nothing has that number.
   */
  private async changed(run: RunRecord, known: StepsMark, most: number): Promise<WorkflowStepPage | undefined> {
    const { steps: reads } = this.ports.storage;
    const { steps, more } = await this.next(run, known.seq, most);
    const seq = steps.at(-1)?.seq ?? known.seq;
    const { workflow } = run;
    if (more) return { workflow, steps, cursor: seq, mark: markText({ ...known, seq }) };
    const from = { runId: run.id, settled: known.settled - 1, limit: most + 2 };
    const settled = await reads.settledAfter(known.settled === 0 ? { ...from, settled: 0 } : from);
    if (known.settled > 0 && settled[0]?.settled !== known.settled) return undefined;
    const open = await reads.open(run.id, MOST_OPEN);
    const told = settled.slice(0, most + 1);
    const isNew = new Set(steps.map((step) => step.seq));
    // A step may get its outcome between the reads: the one that was read last counts.
    const changed = new Map([...told, ...open].map((step) => [step.seq, step]));
    const facts = await this.facts(
      run,
      [...changed.values()].filter((step) => !isNew.has(step.seq)),
    );
    const last = told.at(-1)?.settled ?? known.settled;
    const isMore = settled.length > told.length && last > known.settled;
    const mark = markText({ ...known, settled: last, seq });
    return { workflow, steps: [...steps, ...facts], ...(isMore && { cursor: seq }), mark };
  }

  private async next(
    run: RunRecord,
    after: number,
    most: number,
  ): Promise<{ steps: WorkflowStepFacts[]; more: boolean }> {
    const read = await this.ports.storage.steps.page({ runId: run.id, after, limit: most + 1 });
    return { steps: await this.facts(run, read.slice(0, most)), more: read.length > most };
  }

  private async facts(run: RunRecord, steps: readonly StepRecord[]): Promise<WorkflowStepFacts[]> {
    if (steps.length === 0) return [];
    const { insight, steps: reads } = this.ports.storage;
    const payloads = this.ports.payloads.ofRun(run);
    const seqs = steps.map(({ seq }) => seq);
    const tried = steps.filter(wasTriedBefore).map(({ seq }) => seq);
    const attempts = attemptsBySeq(await insight.attempts(run.id, tried));
    const range = { from: Math.min(...seqs), to: Math.max(...seqs) };
    const lines = await reads.lineCounts({ runId: run.id, ...range });
    return steps.map((step) => {
      const logLines = lines.get(step.seq) ?? 0;
      return viewFacts(step, payloads, { attempts: attemptsOf(step, attempts(step.seq), payloads), logLines });
    });
  }

  private find(id: string): Promise<RunRecord> {
    return ownRun(this.ports.storage.catalog, this.ports.namespace, checkRunId(id));
  }

  private async replayed(id: string): Promise<{ inputs: AskedInputs['inputs']; recomputed: RecomputedInputs }> {
    const { storage, recompute } = this.ports;
    const history = await recordedHistory(storage, id);
    const { workflow, version } = history.run;
    const asked = await recompute?.(history);
    if (asked) return { inputs: asked.inputs, recomputed: viewCheck(asked.check) };
    const detail = `This process has no version ${version} of workflow "${workflow}"`;
    return { inputs: new Map(), recomputed: { fits: false, mismatch: null, detail } };
  }
}

/** What the column of positions can have. */
const isSeq = (seq: number): boolean => Number.isInteger(seq) && Math.abs(seq) < 2 ** 31;

/** Compensations have negative positions, in any life. */
const isBefore = (after: number | undefined, firstSeq: number): boolean =>
  after !== undefined && after >= 0 && after < firstSeq - 1;

function viewCheck(check: ReplayCheck): RecomputedInputs {
  if (check.verdict !== 'blocks') return { fits: true, mismatch: null, detail: null };
  const { position: seq, recorded, asked, detail } = check;
  const mismatch = seq === null ? null : { seq, recorded: String(recorded), asked: String(asked) };
  return { fits: false, mismatch, detail };
}
