import { type ActedBy, operatorOf, requiredOperator } from '../acts/acts.js';
import { InvalidArgumentError } from '../core/errors.js';
import { checkedLimit, checkedOneOf, checkedOptions } from '../core/options.js';
import { spanNamedBy } from '../core/telemetry.js';
import type { BulkBatch, BulkFilter, BulkOptions } from '../engine/client/bulk.js';
import type { WorkflowClient } from '../engine/client/client.js';
import type { ForkOptions, PurgeOptions, RestartOptions } from '../engine/client/control.js';
import type { StoryTarget } from '../engine/client/insight.js';
import { ownRun } from '../engine/client/results.js';
import type { SignalOptions, SignalReceipt } from '../engine/client/signals.js';
import type { WorkflowExplanation } from '../engine/explain.js';
import { type ListOptions, listQuery, RUN_FILTERS, type RunsFilter, type WorkflowPage } from '../engine/listing.js';
import { type RecordedHistory, recordedHistory } from '../engine/play/replay.js';
import { contextIn, type RunStatus } from '../engine/run.js';
import type { EngineStorage } from '../engine/storage.js';
import type { Story, StoryOptions } from '../engine/story.js';
import type {
  ErrorView,
  RecomputedInputs,
  StatusOptions,
  StepsOptions,
  WorkflowAttempt,
  WorkflowLogLine,
  WorkflowRunStatus,
  WorkflowStepPage,
} from '../engine/views.js';
import { type Count, countOf, MOST_COUNTED, type Questions } from './operator-parts.js';
import {
  type ComparableRun,
  compared,
  MOST_COMPARED,
  type RunComparison,
  type RunTree,
  type Sight,
  TREE_OPTIONS,
  treeOf,
  type TreeOptions,
} from './run-comparison.js';

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

interface RunPorts {
  client: WorkflowClient;
  storage: EngineStorage;
  questions: Questions;
  namespace: string;
}

/** What operators see of runs, and do to them. Everything that changes a run has an actor and a reason. */
export class OperatorRuns {
  constructor(private readonly ports: RunPorts) {}

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
    return this.ports.client.cancel(id, requiredOperator(by));
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
    return this.ports.client.terminate(id, requiredOperator(by));
  }

  /** @throws as `WorkflowClient.retry`, InvalidArgumentError */
  async retry(id: string, by: ActedBy): Promise<void> {
    return this.ports.client.retry(id, requiredOperator(by));
  }

  /** Sends a signal to a run, or with `key` to all runs that wait with it. @throws as `WorkflowClient.signal` */
  async signal(name: string, payload: unknown, options: OperatorSignalOptions): Promise<SignalReceipt> {
    return this.ports.client.signal(name, payload, { ...options, ...requiredOperator(options) });
  }

  /** Begins a new life of a run that has ended. @throws as `WorkflowClient.restart`, InvalidArgumentError */
  async restart(id: string, options: ActedBy & Pick<RestartOptions, 'input'>): Promise<void> {
    return this.ports.client.restart(id, { ...options, ...requiredOperator(options) });
  }

  /** Starts a run that shares the history before `from`. @throws as `WorkflowClient.fork`, InvalidArgumentError */
  async fork(
    id: string,
    options: ActedBy & Pick<ForkOptions, 'from' | 'input' | 'id'>,
  ): Promise<{ id: string; created: boolean }> {
    const fork = await this.ports.client.fork(id, { ...options, ...requiredOperator(options) });
    return { id: fork.id, created: fork.created };
  }

  /** Deletes a run that has ended. Returns false if there is none. @throws WorkflowNotEndedError, InvalidArgumentError */
  async delete(id: string, by: ActedBy): Promise<boolean> {
    return this.ports.client.delete(id, requiredOperator(by));
  }

  /**
   * Deletes runs that ended long ago, as `WorkflowClient.purge`: in small transactions, between an act that it has begun and
   * one that says how many it has deleted. It takes as long as it takes.
   *
   * @throws InvalidArgumentError
   * @example await operator.runs.purge({ ...by, olderThan: '30d', status: 'completed' });
   */
  async purge(options: ActedBy & PurgeOptions): Promise<number> {
    return this.ports.client.purge({ ...options, ...requiredOperator(options) });
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
    checkedLimit(batchSize, MOST_AT_ONCE);
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

/** What a run was given, and what came of it. */
interface RunPayloads {
  workflow: string;
  input: unknown;
  output: unknown;
  /** The error with which it failed, or that blocks it. */
  error: ErrorView | null;
}

/** A look at one step. */
interface StepLook {
  seq: number;
  /** Whom the act log names. */
  actor?: string;
  /** If its input was not kept: as today's code asks for it. That reads and replays the whole history. */
  inputs?: 'replay';
}

/** What a step was given, and what came of it. */
interface StepPayloads extends RunPayloads {
  /** The name of the step. */
  step: string;
  attempts: WorkflowAttempt[];
  logs: WorkflowLogLine[];
  /** Whether `input` was kept, or asked for again by today's code. */
  recomputed: boolean;
  /** If the history was replayed for it: whether today's code fits, and where it parts. From there on no step has an input. */
  replayed?: RecomputedInputs;
}

interface PayloadPorts {
  client: WorkflowClient;
  storage: Pick<EngineStorage, 'acts' | 'catalog' | 'steps'>;
  namespace: string;
}

/** Reads payloads; if somebody is named, the act log says who looked at what, before they get it. */
class PayloadLooks {
  constructor(private readonly ports: PayloadPorts) {}

  async ofRun(id: string, actor: string | undefined): Promise<RunPayloads> {
    const { workflow, input, output, error, blockedBy } = await this.ports.client.getStatus(id);
    await this.record(id, actor, { of: 'run' });
    return { workflow, input, output, error: error ?? blockedBy };
  }

  /** @throws InvalidArgumentError if the run has no step there */
  async ofStep(id: string, { seq, actor, inputs }: StepLook): Promise<StepPayloads> {
    const { workflow, step, recomputed } = await this.ports.client.history.step(id, seq, inputs ? { inputs } : {});
    await this.record(id, actor, { of: 'step', seq, name: step.name, ...(inputs && { inputs }) });
    const { name, input, output, error, attempts, logs } = step;
    const isRecomputed = recomputed !== undefined && input !== undefined;
    const replayed = recomputed && { replayed: recomputed };
    return { workflow, step: name, input, output, error, attempts, logs, recomputed: isRecomputed, ...replayed };
  }

  /** A run with its whole history, as it is stored. */
  async ofHistory(id: string, actor: string | undefined): Promise<RecordedHistory> {
    const { storage, namespace } = this.ports;
    await ownRun(storage.catalog, namespace, id);
    const history = await recordedHistory(storage, id);
    await this.record(id, actor, { of: 'history' });
    return history;
  }

  /** A run and its first steps, which are decoded when they are looked at. */
  async ofSteps(id: string, most: number, actor: string | undefined): Promise<ComparableRun> {
    const { client, storage, namespace } = this.ports;
    const run = await client.getStatus(id);
    const steps = await client.history.stored(await ownRun(storage.catalog, namespace, id), most);
    await this.record(id, actor, { of: 'history' });
    return { run, steps };
  }

  private async record(id: string, actor: string | undefined, details: Record<string, unknown>): Promise<void> {
    const by = actor === undefined ? undefined : operatorOf({ actor });
    if (!by) return;
    const { storage, namespace } = this.ports;
    const look = { ...by, action: 'look', kind: 'run', target: id, namespace, details, outcome: 'shown' } as const;
    await storage.acts.within(undefined, (tx) => storage.acts.record([look], tx));
  }
}

export interface ExportOptions extends Partial<ReplaySpecOptions> {
  /** `'json'`: the recorded history. `'test'`: a test that replays it. Default `'json'`. */
  as?: 'json' | 'test';
  /** Whom the act log names. */
  actor?: string;
}

const EXPORT_OPTIONS = { as: true, actor: true, module: true, export: true, runner: true } as const;

/** A run as a file. */
export interface ExportedRun {
  /** A name for the file, such as `order-7.spec.ts`. */
  name: string;
  text: string;
}

const RUNNERS = ['jest', 'vitest', 'node'] as const;

/** @throws InvalidArgumentError */
function exported(history: RecordedHistory, options: ExportOptions): ExportedRun {
  const { as = 'json', module = '../src/app.module', export: name = 'AppModule', runner = 'jest' } = options;
  const file = history.run.id.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'run';
  if (as === 'json') return { name: `${file}.json`, text: `${historyText(history)}\n` };
  if (as !== 'test') throw new InvalidArgumentError('as', as, "'json' or 'test'");
  checkedOneOf(runner, RUNNERS, 'runner');
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw new InvalidArgumentError('export', name, 'the name of an exported class');
  return { name: `${file}.spec.ts`, text: replaySpec(history, { module, export: name, runner }) };
}

export interface ReplaySpecOptions {
  /** As the test imports it. */
  module: string;
  /** The name of the exported class. */
  export: string;
  runner: 'jest' | 'vitest' | 'node';
}

/** Jest's functions are globals. */
const IMPORTS = {
  jest: '',
  vitest: `import { test } from 'vitest';\n`,
  node: `import { test } from 'node:test';\n`,
};

/**
 * A test as one file, in JavaScript that is TypeScript, too. The history is a text, because its type would be checked,
 * and because loaders differ in how they import JSON.
 */
function replaySpec(history: RecordedHistory, { module, export: exported, runner }: ReplaySpecOptions): string {
  const { id, workflow, version } = history.run;
  const title = `run "${id}" of "${workflow}" (version ${version}) fits the code`;
  const imported = exported === 'default' ? 'AppModule' : exported;
  return `/* eslint-disable */
// A recorded run. This test replays it: nothing is written, and no step runs. It fails if today's code would ask for
// other steps, or for steps in another order, than those that are recorded. If the app's module connects to a database,
// replace it by the parts that are needed: createTestingDurable({ workflows: [...], providers: [...] }).
${IMPORTS[runner]}import { createTestingDurable } from 'nest-durable/testing';
import ${exported === 'default' ? imported : `{ ${imported} }`} from ${JSON.stringify(module)};

const history = JSON.parse(String.raw\`
${rawText(history)}
\`);

test(${JSON.stringify(title)}, async () => {
  const durable = await createTestingDurable(${imported});
  try {
    await durable.assertFits(history);
  } finally {
    await durable.close();
  }
});
`;
}

/** As JSON, with a line for each step: a history may have ten thousand, and their fields do not need lines of their own. */
function historyText({ run, steps }: RecordedHistory): string {
  const lines = steps.map((step) => `    ${JSON.stringify(step)}`);
  return `{\n  "run": ${JSON.stringify(run)},\n  "steps": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}`;
}

/** JSON without what would end a raw template, or begin an expression in it. */
const rawText = (history: RecordedHistory): string =>
  historyText(history).replaceAll('`', '\\u0060').replaceAll('${', '\\u0024{');
