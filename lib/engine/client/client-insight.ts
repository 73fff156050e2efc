import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { Payloads } from '../model/payloads.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { readOperation } from '../effects/effect-completions.js';
import { explainRun, type WorkflowExplanation } from '../insight/explain.js';
import { checkLimit, listQuery } from '../insight/list-query.js';
import { checkRunId } from '../model/names.js';
import type { CallInSight, CallsInSight } from '../model/outgoing.js';
import { MOST_LISTED } from '../model/run-insight.js';
import type { AttributeValue, RunRecord } from '../model/run.js';
import { cursorOf, readableRun, viewRun } from '../insight/run-views.js';
import type { StepRecord } from '../model/step-record.js';
import {
  STATUS_OPTIONS,
  type StatusOptions,
  type WorkflowChildStatus,
  type WorkflowRunStatus,
} from '../insight/workflow-status.js';
import type { ClientHistory } from './client-history.js';
import { LIST_OPTIONS, type ListOptions, type WorkflowPage } from '../insight/list-options.js';
import { ownRun } from './own-run.js';
import { checkedOptions } from '../../options/known-options.js';

interface Ports {
  storage: Pick<EngineStorage, 'catalog' | 'insight' | 'roster' | 'steps' | 'holds'>;
  payloads: Payloads;
  namespace: string;
  /** Undefined if the app has no effects. */
  calls?: CallsInSight | undefined;
}

/** The most operations whose calls are explained. */
const MOST_OPERATIONS = 10;

export class ClientInsight {
  constructor(
    private readonly ports: Ports,
    private readonly history: Pick<ClientHistory, 'whole'>,
  ) {}

  /** @throws WorkflowNotFoundError, InvalidArgumentError */
  async getStatus(id: string, options: StatusOptions): Promise<WorkflowRunStatus> {
    const { history = false, inputs, children = false } = checkedOptions(options, STATUS_OPTIONS, 'getStatus');
    if (inputs !== undefined && (inputs !== 'replay' || !history))
      throw new InvalidArgumentError('inputs', inputs, "'replay', together with history: true");
    const most =
      children === false ? 0 : checkLimit((typeof children === 'object' ? children.limit : undefined) ?? 100);
    const positions = typeof history === 'object' ? checkedPositions(history.limit) : undefined;
    const run = await this.find(id);
    const [view] = await this.views([run]);
    return {
      ...view!,
      ...(history !== false && (await this.history.whole(run, { withInputs: inputs !== undefined, most: positions }))),
      ...(most > 0 && { children: await this.children(id, most) }),
    };
  }

  /** @throws InvalidArgumentError */
  async list(options: ListOptions): Promise<WorkflowPage> {
    const { runs, next, lookedAt } = await this.ports.storage.catalog.list(
      listQuery(checkedOptions(options, LIST_OPTIONS, 'list'), this.ports.namespace),
    );
    return { runs: await this.views(runs), lookedAt, ...(next && { cursor: cursorOf(next) }) };
  }

  /** @throws WorkflowNotFoundError */
  async explain(id: string): Promise<WorkflowExplanation> {
    const { steps: reads, insight, roster, holds } = this.ports.storage;
    const run = await this.find(id);
    const seen = await roster.nodes();
    const surroundings = await insight.surroundings(run);
    const steps = await reads.open(id, MOST_LISTED);
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
}

/** The most positions of a history that is limited. */
const MOST_POSITIONS = 10_000;

function checkedPositions(limit: unknown = MOST_POSITIONS): number {
  if (Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= MOST_POSITIONS) return limit as number;
  throw new InvalidArgumentError('history.limit', limit, `a whole number from 1 to ${MOST_POSITIONS}`);
}
