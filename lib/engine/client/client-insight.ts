import { WorkflowNotFoundError } from '../../errors.js';
import type { Codec } from '../../protocol/codec.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { explainRun, type WorkflowExplanation } from '../insight/explain.js';
import { isPosition } from '../activation/merged-writes.js';
import { checkLimit, listQuery } from '../insight/list-query.js';
import { checkRunId } from '../model/names.js';
import type { AttributeValue, RunRecord } from '../model/run.js';
import { cursorOf, viewAttempt, viewLine, viewRun, viewStep } from '../insight/run-views.js';
import type { StepRecord } from '../model/step-record.js';
import type {
  ListOptions,
  StatusOptions,
  WorkflowAttempt,
  WorkflowChildStatus,
  WorkflowPage,
  WorkflowRunStatus,
  WorkflowStepStatus,
} from '../insight/workflow-status.js';

interface Ports {
  storage: Pick<EngineStorage, 'catalog' | 'insight'>;
  codec: Codec;
  namespace: string;
}

export class ClientInsight {
  constructor(private readonly ports: Ports) {}

  /** @throws WorkflowNotFoundError, InvalidArgumentError */
  async getStatus(id: string, { history = false, children = false }: StatusOptions): Promise<WorkflowRunStatus> {
    const most =
      children === false ? 0 : checkLimit((typeof children === 'object' ? children.limit : undefined) ?? 100);
    const run = await this.find(id);
    const [view] = await this.views([run]);
    return {
      ...view!,
      ...(history && (await this.history(run))),
      ...(most > 0 && { children: await this.children(id, most) }),
    };
  }

  /** @throws InvalidArgumentError */
  async list(options: ListOptions): Promise<WorkflowPage> {
    const { runs, next } = await this.ports.storage.catalog.list(listQuery(options, this.ports.namespace));
    return { runs: await this.views(runs), ...(next && { cursor: cursorOf(next) }) };
  }

  /** @throws WorkflowNotFoundError */
  async explain(id: string): Promise<WorkflowExplanation> {
    const { catalog, insight } = this.ports.storage;
    const run = await this.find(id);
    const surroundings = await insight.surroundings(run);
    const steps = (await catalog.steps(id)).filter(isPosition);
    return explainRun({ run, steps, surroundings });
  }

  private async find(id: string): Promise<RunRecord> {
    const [run] = await this.ports.storage.catalog.find([checkRunId(id)]);
    if (!run) throw new WorkflowNotFoundError(id);
    return run;
  }

  private async views(runs: readonly RunRecord[]): Promise<WorkflowRunStatus[]> {
    if (runs.length === 0) return [];
    const attributes = new Map<string, Record<string, AttributeValue>>(runs.map(({ id }) => [id, {}]));
    for (const { runId, name, value } of await this.ports.storage.insight.attributes([...attributes.keys()]))
      attributes.get(runId)![name] = value;
    return runs.map((run) => viewRun(run, this.ports.codec, attributes.get(run.id)));
  }

  private async children(id: string, most: number): Promise<WorkflowChildStatus[]> {
    const children = await this.ports.storage.insight.children(id, most);
    const views = await this.views(children);
    return children.map(({ parentClose }, i) => ({ ...views[i]!, parentClose }));
  }

  private async history({ id }: RunRecord): Promise<Pick<WorkflowRunStatus, 'history' | 'logs'>> {
    const { catalog, insight } = this.ports.storage;
    const steps = (await catalog.steps(id)).filter(isPosition).sort((a, b) => a.seq - b.seq);
    const attempts = bySeq(await insight.attempts(id));
    const lines = bySeq(await insight.logs(id));
    const stepView = (step: StepRecord): WorkflowStepStatus =>
      viewStep(step, this.ports.codec, {
        attempts: attemptsOf(step, (attempts.get(step.seq) ?? []).map(viewAttempt)),
        logs: (lines.get(step.seq) ?? []).map(viewLine),
      });
    return { history: steps.map(stepView), logs: (lines.get(null) ?? []).map(viewLine) };
  }
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

const TRIED = ['step', 'transaction', 'remote'];

/** Failed attempts have records of their own; the attempt that settled a step is in the step's record. */
function attemptsOf(step: StepRecord, failed: readonly WorkflowAttempt[]): WorkflowAttempt[] {
  const before = failed.filter(({ attempt }) => attempt <= step.attempt);
  if (step.settled === null || !TRIED.includes(step.kind)) return before;
  const { runId, seq, status, startedAt, finishedAt, error } = step;
  const attempt = status === 'failed' ? step.attempt : step.attempt + 1;
  const last = viewAttempt({ runId, seq, attempt, startedAt, finishedAt, error: status === 'failed' ? error : null });
  return [...before.filter((other) => other.attempt < attempt), last];
}
