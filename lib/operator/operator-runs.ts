import { type ActedBy, requiredOperator } from '../acts/act.js';
import type { BulkBatch } from '../engine/client/bulk.js';
import type { BulkFilter, BulkOptions } from '../engine/client/client-bulk.js';
import type { PurgeOptions } from '../engine/client/client-control.js';
import type { ForkOptions, RestartOptions } from '../engine/client/client-lives.js';
import type { SignalOptions, SignalReceipt } from '../engine/client/client-signals.js';
import type { StoryTarget } from '../engine/client/client-story.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type { WorkflowExplanation } from '../engine/insight/explain.js';
import { listQuery } from '../engine/insight/list-query.js';
import type { Story, StoryOptions } from '../engine/insight/story-entry.js';
import { type ListOptions, RUN_FILTERS, type RunsFilter, type WorkflowPage } from '../engine/insight/list-options.js';
import type { StepsOptions, WorkflowStepPage } from '../engine/insight/step-page.js';
import type { StatusOptions, WorkflowRunStatus } from '../engine/insight/workflow-status.js';
import type { EngineStorage } from '../engine/model/engine-storage.js';
import { contextIn } from '../engine/model/run-context.js';
import type { RunStatus } from '../engine/model/run.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { checkedOptions } from '../options/known-options.js';
import { spanNamedBy } from '../telemetry/tracing.js';
import { type Count, countOf, MOST_COUNTED, type Questions } from './questions.js';
import { PayloadLooks, type RunPayloads, type StepLook, type StepPayloads } from './payload-looks.js';
import { compared, MOST_COMPARED, type RunComparison, type Sight } from './run-comparison.js';
import { EXPORT_OPTIONS, exported, type ExportedRun, type ExportOptions } from './run-export.js';
import { type RunTree, TREE_OPTIONS, treeOf, type TreeOptions } from './run-tree.js';

export interface RunCounts {
  /** A status that is missing has no runs; if `complete` is false, none that were found. */
  byStatus: Partial<Record<RunStatus, Count>>;
  /** How many runs were looked at. */
  lookedAt: number;
  /** Whether these are all runs that the filter may match. */
  complete: boolean;
}

/** A run that is looked at alone. */
export interface ShownRun extends WorkflowRunStatus {
  /** Of the trace that it carries, if it carries one. Lists have none: they do not read what runs carry. */
  traceId?: string;
}

export type BulkAction = 'cancel' | 'terminate' | 'retry' | 'delete' | 'signal';

/** The most runs that one call changes. */
const MOST_AT_ONCE = 200;

export interface OperatorBulkOptions extends Omit<BulkOptions, 'batchSize'> {
  /** How many runs this call changes, from 1 to 200. Default 200. */
  limit?: number;
  /** With the action `signal`: what is sent. */
  signal?: { name: string; payload: unknown };
}

/** What one call of a bulk did or, with `dryRun`, would do. */
export interface BulkResult {
  /** The ids of the runs that were changed. */
  done: string[];
  refused: BulkBatch['refused'];
  /** Since the bulk began. */
  total: BulkBatch['total'];
  /** For the next call; undefined if the bulk has ended. */
  cursor?: string;
}

interface Ports {
  client: WorkflowClient;
  storage: EngineStorage;
  questions: Questions;
  namespace: string;
}

/** What operators see of runs, and do to them. Everything that changes a run has an actor and a reason. */
export class OperatorRuns {
  constructor(private readonly ports: Ports) {}

  /**
   * Counts runs by status, each up to 10,000. Where a filter has more, those among the newest 10,000 runs are counted, and
   * `complete` is false.
   *
   * @throws InvalidArgumentError, UnknownOptionError, QuestionTimeoutError
   */
  async counts(filter: RunsFilter = {}): Promise<RunCounts> {
    const known = checkedOptions(filter, RUN_FILTERS, 'Operator.runs.counts');
    const query = listQuery({ ...known, limit: 1 }, this.ports.namespace);
    const { byStatus, lookedAt, more } = await this.ask('counts', () =>
      this.ports.storage.fleet.counts(query, MOST_COUNTED),
    );
    const counts = byStatus.map((counted) => [counted.status, countOf(counted)] as const);
    return { byStatus: Object.fromEntries(counts), lookedAt, complete: !more };
  }

  /** As `WorkflowClient.list`. @throws InvalidArgumentError, QuestionTimeoutError */
  list(options: ListOptions = {}): Promise<WorkflowPage> {
    return this.ask('list', () => this.ports.client.list(options));
  }

  /**
   * As `WorkflowClient.getStatus`, with at most 10,000 positions, and its trace.
   *
   * @throws WorkflowNotFoundError, QuestionTimeoutError
   */
  show(id: string, options: StatusOptions = {}): Promise<ShownRun> {
    const bounded = options?.history === true ? { ...options, history: {} } : options;
    const { client, storage } = this.ports;
    return this.ask('show', async () => {
      const run = await client.getStatus(id, bounded);
      const carried = (await storage.catalog.contexts([id])).get(id);
      const span = spanNamedBy(contextIn(carried));
      return { ...run, ...(span && { traceId: span.traceId }) };
    });
  }

  /**
   * The steps of a run without their payloads, page by page, and what has changed since an answer.
   *
   * @throws WorkflowNotFoundError, InvalidArgumentError, QuestionTimeoutError
   * @example
   * let { steps, mark, cursor } = await operator.runs.steps('order-7');
   * // Later: the next positions, and then the steps that have changed.
   * ({ steps, mark, cursor } = await operator.runs.steps('order-7', { mark }));
   */
  steps(id: string, options: StepsOptions = {}): Promise<WorkflowStepPage> {
    return this.ask('steps', () => this.ports.client.history.page(id, options));
  }

  /** Why a run does not go on, as `WorkflowClient.explain`. @throws WorkflowNotFoundError, QuestionTimeoutError */
  why(id: string): Promise<WorkflowExplanation> {
    return this.ask('why', () => this.ports.client.explain(id));
  }

  /** As `WorkflowClient.story`. @throws InvalidArgumentError, QuestionTimeoutError */
  story(target: StoryTarget, options: StoryOptions = {}): Promise<Story> {
    return this.ask('story', () => this.ports.client.story(target, options));
  }

  /**
   * What a run was given and what came of it or, with `seq`, one of its steps. With an `actor` the act log says who looked.
   * An input that was not kept is recomputed with `inputs: 'replay'`, which reads and replays the whole history.
   *
   * @throws WorkflowNotFoundError, InvalidArgumentError, QuestionTimeoutError
   */
  payloads(id: string, look: StepLook): Promise<StepPayloads>;
  payloads(id: string, look?: { actor?: string }): Promise<RunPayloads>;
  payloads(id: string, { seq, ...look }: Partial<StepLook> = {}): Promise<RunPayloads> {
    const looks = new PayloadLooks(this.ports);
    return this.ask('payloads', () =>
      seq === undefined ? looks.ofRun(id, look.actor) : looks.ofStep(id, { seq, ...look }),
    );
  }

  /** Returns false if the run had ended already. @throws WorkflowNotFoundError, InvalidArgumentError */
  async cancel(id: string, by: ActedBy): Promise<boolean> {
    return this.ports.client.cancel(id, requiredOperator(by ?? {}));
  }

  /** Its parents, its children and theirs, and what it waits for. @throws WorkflowNotFoundError, InvalidArgumentError */
  tree(id: string, options: TreeOptions = {}): Promise<RunTree> {
    const { storage, namespace } = this.ports;
    const checked = () => checkedOptions(options, TREE_OPTIONS, 'Operator.runs.tree');
    return this.ask('tree', async () => treeOf(storage, namespace, id, checked()));
  }

  /**
   * The recorded history of a run as a file or, with `as: 'test'`, a test that replays it. It contains the payloads as the
   * codec wrote them. With an `actor` the act log says who took it.
   *
   * @throws WorkflowNotFoundError, WorkflowErasedError, InvalidArgumentError, QuestionTimeoutError
   * @example
   * const { name, text } = await operator.runs.export('order-7', { as: 'test', module: '../src/app.module' });
   */
  export(id: string, options: ExportOptions = {}): Promise<ExportedRun> {
    const { actor, ...how } = checkedOptions(options, EXPORT_OPTIONS, 'Operator.runs.export');
    const looks = new PayloadLooks(this.ports);
    return this.ask('export', async () => exported(await looks.ofHistory(id, actor), how));
  }

  /**
   * Two runs side by side: the n-th step of each name with that of the other, their times, and where their outputs differ.
   * With an `actor` the act log says who looked. `see` replaces payloads before they are compared.
   *
   * @throws WorkflowNotFoundError, QuestionTimeoutError
   */
  compare(a: string, b: string, { actor, see }: { actor?: string; see?: Sight } = {}): Promise<RunComparison> {
    const looks = new PayloadLooks(this.ports);
    return this.ask('compare', async () => {
      const most = MOST_COMPARED + 1;
      const [one, other] = [await looks.ofSteps(a, most, actor), await looks.ofSteps(b, most, actor)];
      return compared(one, other, see ?? ((payload) => payload));
    });
  }

  /** Without compensation. Returns false if the run had ended already. @throws as {@link cancel} */
  async terminate(id: string, by: ActedBy): Promise<boolean> {
    return this.ports.client.terminate(id, requiredOperator(by ?? {}));
  }

  /** @throws as `WorkflowClient.retry`, InvalidArgumentError */
  async retry(id: string, by: ActedBy): Promise<void> {
    return this.ports.client.retry(id, requiredOperator(by ?? {}));
  }

  /** Sends a signal to a run, or with `key` to all runs that wait with it. @throws as `WorkflowClient.signal` */
  async signal(name: string, payload: unknown, options: OperatorSignalOptions): Promise<SignalReceipt> {
    return this.ports.client.signal(name, payload, { ...options, ...requiredOperator(options ?? {}) });
  }

  /** Begins a new life of a run that has ended. @throws as `WorkflowClient.restart`, InvalidArgumentError */
  async restart(id: string, options: ActedBy & Pick<RestartOptions, 'input'>): Promise<void> {
    return this.ports.client.restart(id, { ...options, ...requiredOperator(options ?? {}) });
  }

  /** Starts a run that shares the history before `from`. @throws as `WorkflowClient.fork`, InvalidArgumentError */
  async fork(
    id: string,
    options: ActedBy & Pick<ForkOptions, 'from' | 'input' | 'id'>,
  ): Promise<{ id: string; created: boolean }> {
    const fork = await this.ports.client.fork(id, { ...options, ...requiredOperator(options ?? {}) });
    return { id: fork.id, created: fork.created };
  }

  /** Deletes a run that has ended. Returns false if there is none. @throws WorkflowNotEndedError, InvalidArgumentError */
  async delete(id: string, by: ActedBy): Promise<boolean> {
    return this.ports.client.delete(id, requiredOperator(by ?? {}));
  }

  /**
   * Deletes runs that ended long ago, as `WorkflowClient.purge`: in small transactions, between an act that it has begun and
   * one that says how many it has deleted. It takes as long as it takes.
   *
   * @throws InvalidArgumentError
   * @example await operator.runs.purge({ ...by, olderThan: '30d', status: 'completed' });
   */
  async purge(options: ActedBy & PurgeOptions): Promise<number> {
    return this.ports.client.purge({ ...options, ...requiredOperator(options ?? {}) });
  }

  /**
   * Changes up to 200 runs, each in a transaction of its own with its act; call it again with the cursor until there is
   * none. With `dryRun` it only tells.
   *
   * @throws InvalidArgumentError; QuestionTimeoutError when the runs were not found in time, and nothing was changed
   * @example
   * let cursor: string | undefined;
   * do ({ cursor } = await operator.runs.bulk('retry', { blocked: true }, { ...by, ...(cursor && { cursor }) }));
   * while (cursor);
   */
  async bulk(action: BulkAction, filter: BulkFilter, options: OperatorBulkOptions): Promise<BulkResult> {
    const { limit: batchSize = MOST_AT_ONCE, signal, ...given } = options ?? {};
    if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MOST_AT_ONCE)
      throw new InvalidArgumentError('limit', batchSize, `a whole number from 1 to ${MOST_AT_ONCE}`);
    const bulk = this.bulkOf(action, signal)(filter, { ...given, batchSize });
    // A dry run is a question. Otherwise only the search for the runs is one, see `ClientBulk`.
    const { ids, refused, total, cursor } = await (given.dryRun ? this.ask('bulk', () => bulk.batch()) : bulk.batch());
    return { done: ids, refused, total, ...(cursor !== undefined && { cursor }) };
  }

  private bulkOf(action: BulkAction, signal: OperatorBulkOptions['signal']) {
    const { client } = this.ports;
    const bulks = {
      cancel: client.cancelAll.bind(client),
      terminate: client.terminateAll.bind(client),
      retry: client.retryAll.bind(client),
      delete: client.deleteAll.bind(client),
      signal: (filter: BulkFilter, by: BulkOptions) =>
        client.signalAll(String(signal?.name), signal?.payload, filter, by),
    };
    if (action === 'signal' && typeof signal?.name !== 'string')
      throw new InvalidArgumentError('signal', signal, 'the signal to send: { name, payload }');
    if (Object.hasOwn(bulks, action)) return bulks[action];
    throw new InvalidArgumentError('action', action, `one of ${Object.keys(bulks).join(', ')}`);
  }

  private ask<T>(question: string, look: () => Promise<T>): Promise<T> {
    return this.ports.questions.ask(`runs.${question}`, look);
  }
}

/** Pass either `key` or `workflowId`. */
export type OperatorSignalOptions = ActedBy & Pick<SignalOptions, 'key' | 'workflowId' | 'id'>;
