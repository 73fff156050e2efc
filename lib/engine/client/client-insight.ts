import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { Payloads } from '../model/payloads.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { readOperation } from '../effects/effect-completions.js';
import { explainRun, type WorkflowExplanation } from '../insight/explain.js';
import { isPosition } from '../activation/merged-writes.js';
import { checkLimit, listQuery } from '../insight/list-query.js';
import { type RecomputedByReplay, type RecomputeInputs, recordedHistory } from '../insight/recorded-history.js';
import { checkRunId } from '../model/names.js';
import type { CallInSight, CallsInSight } from '../model/outgoing.js';
import type { AttributeValue, RunRecord } from '../model/run.js';
import { attemptsOf } from '../insight/attempt-views.js';
import { cursorOf, readableRun, viewLine, viewRun, viewStep } from '../insight/run-views.js';
import type { StepRecord } from '../model/step-record.js';
import {
  LIST_OPTIONS,
  type ListOptions,
  type RecomputedInputs,
  STATUS_OPTIONS,
  type StatusOptions,
  type WorkflowChildStatus,
  type WorkflowPage,
  type WorkflowRunStatus,
  type WorkflowStepStatus,
} from '../insight/workflow-status.js';
import { ownRun } from './own-run.js';
import { checkedOptions } from '../../options/known-options.js';

interface Ports {
  storage: Pick<EngineStorage, 'catalog' | 'insight' | 'roster' | 'unfinished' | 'holds'>;
  payloads: Payloads;
  namespace: string;
  /** Undefined if the app has no effects. */
  calls?: CallsInSight | undefined;
  /** Undefined if this process cannot replay runs. */
  recompute?: RecomputeInputs | undefined;
}

/** The most operations whose calls are explained. */
const MOST_OPERATIONS = 10;

export class ClientInsight {
  constructor(private readonly ports: Ports) {}

  /** @throws WorkflowNotFoundError, InvalidArgumentError */
  async getStatus(id: string, options: StatusOptions): Promise<WorkflowRunStatus> {
    const { history = false, inputs, children = false } = checkedOptions(options, STATUS_OPTIONS, 'getStatus');
    if (inputs !== undefined && (inputs !== 'replay' || !history))
      throw new InvalidArgumentError('inputs', inputs, "'replay', together with history: true");
    const most =
      children === false ? 0 : checkLimit((typeof children === 'object' ? children.limit : undefined) ?? 100);
    const run = await this.find(id);
    const [view] = await this.views([run]);
    return {
      ...view!,
      ...(history && (await this.history(run, inputs !== undefined))),
      ...(most > 0 && { children: await this.children(id, most) }),
    };
  }

  /** @throws InvalidArgumentError */
  async list(options: ListOptions): Promise<WorkflowPage> {
    const { runs, next } = await this.ports.storage.catalog.list(
      listQuery(checkedOptions(options, LIST_OPTIONS, 'list'), this.ports.namespace),
    );
    return { runs: await this.views(runs), ...(next && { cursor: cursorOf(next) }) };
  }

  /** @throws WorkflowNotFoundError */
  async explain(id: string): Promise<WorkflowExplanation> {
    const { catalog, insight, roster, holds } = this.ports.storage;
    const run = await this.find(id);
    const seen = await roster.nodes();
    const surroundings = await insight.surroundings(run);
    const steps = (await catalog.steps(id)).filter(isPosition);
    const calls = await this.openCalls(steps);
    const readable = readableRun(run, steps, this.ports.payloads);
    return explainRun({ ...readable, surroundings, seen, calls, holds: await holds.list(this.ports.namespace) });
  }

  private async openCalls(steps: readonly StepRecord[]): Promise<Map<number, CallInSight[]>> {
    const { calls } = this.ports;
    const open = new Map<number, CallInSight[]>();
    const waiting = steps.filter(
      ({ kind, settled, status }) => kind === 'signal' && settled === null && status !== 'answered',
    );
    const operations = waiting.map(({ seq, output }) => ({ seq, operation: readOperation(output) }));
    const read = calls ? operations.filter(({ operation }) => operation).slice(0, MOST_OPERATIONS) : [];
    for (const { seq, operation } of read) open.set(seq, await calls!.open(operation!));
    return open;
  }

  private find(id: string): Promise<RunRecord> {
    return ownRun(this.ports.storage.catalog, this.ports.namespace, checkRunId(id));
  }

  private async views(runs: readonly RunRecord[]): Promise<WorkflowRunStatus[]> {
    if (runs.length === 0) return [];
    const attributes = new Map<string, Record<string, AttributeValue>>(runs.map(({ id }) => [id, {}]));
    for (const { runId, name, value } of await this.ports.storage.insight.attributes([...attributes.keys()]))
      attributes.get(runId)![name] = value;
    return runs.map((run) => viewRun(run, this.ports.payloads, attributes.get(run.id)));
  }

  private async children(id: string, most: number): Promise<WorkflowChildStatus[]> {
    const children = await this.ports.storage.insight.children(id, most);
    const views = await this.views(children);
    return children.map(({ parentClose }, i) => ({ ...views[i]!, parentClose }));
  }

  private async history(
    run: RunRecord,
    withInputs: boolean,
  ): Promise<Pick<WorkflowRunStatus, 'history' | 'logs' | 'recomputed'>> {
    const { catalog, insight } = this.ports.storage;
    const { id } = run;
    const payloads = this.ports.payloads.ofRun(run);
    const steps = (await catalog.steps(id)).filter(isPosition).sort((a, b) => a.seq - b.seq);
    const attempts = bySeq(await insight.attempts(id));
    const lines = bySeq(await insight.logs(id));
    const linesOf = (seq: number | null) => (lines.get(seq) ?? []).map((line) => viewLine(line, payloads));
    const replayed = withInputs ? await this.replayed(id) : undefined;
    const stepView = (step: StepRecord): WorkflowStepStatus => ({
      ...viewStep(step, payloads, {
        attempts: attemptsOf(step, attempts.get(step.seq) ?? [], payloads),
        logs: linesOf(step.seq),
      }),
      // What was kept is what it was asked with; a replay shows what today's code asks for.
      ...(step.input === undefined && replayed?.inputs.has(step.seq) && { input: replayed.inputs.get(step.seq) }),
    });
    const recomputed = replayed && { recomputed: viewRecomputed(replayed) };
    return { history: steps.map(stepView), ...recomputed, logs: linesOf(null) };
  }

  private async replayed(id: string): Promise<RecomputedByReplay> {
    const { storage, recompute } = this.ports;
    const history = await recordedHistory(storage, id);
    const { workflow, version } = history.run;
    const missing = `This process has no version ${version} of workflow "${workflow}"`;
    return (await recompute?.(history)) ?? { inputs: new Map(), position: null, detail: missing };
  }
}

function viewRecomputed({ position, recorded, asked, detail = null }: RecomputedByReplay): RecomputedInputs {
  if (position === undefined) return { fits: true, mismatch: null, detail: null };
  const where = position === null ? null : { seq: position, recorded: String(recorded), asked: String(asked) };
  return { fits: false, mismatch: where, detail };
}

function bySeq<T extends { seq: number | null }>(notes: readonly T[]): Map<number | null, T[]> {
  const grouped = new Map<number | null, T[]>();
  for (const note of notes) {
    const others = grouped.get(note.seq);
    if (others) others.push(note);
    else grouped.set(note.seq, [note]);
  }
  return grouped;
}
