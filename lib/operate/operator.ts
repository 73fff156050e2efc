import { type ActedBy, type ActPage, type ListActsOptions, type OperatorActs, requiredOperator } from '../acts/acts.js';
import { ConfigurationError } from '../core/errors.js';
import { checkedOptions } from '../core/options.js';
import { type Clock, type Duration, toMs } from '../core/time.js';
import type { Effects } from '../effects/effects.js';
import type { AuditReader, EffectInsight } from '../effects/entries.js';
import type { WorkflowClient } from '../engine/client/client.js';
import type { PurgeSignalsOptions } from '../engine/client/control.js';
import type { HoldTarget } from '../engine/client/operator-client.js';
import type { WorkflowSchedules } from '../engine/client/schedules.js';
import type { FleetInsight } from '../engine/insight.js';
import {
  drainNode,
  type DurableNode,
  listNodes,
  type NodeRecord,
  type NodeRoster,
  resumeNode,
} from '../engine/nodes.js';
import type { DeployCheckPage } from '../engine/play/replay.js';
import type { EngineStorage } from '../engine/storage.js';
import type { RelayInsight } from '../outbox/dead-letters.js';
import type { OutboxOperations } from '../outbox/outbox.js';
import type { TaskSource } from '../worker/task-source.js';
import {
  deleteSignals,
  type DeleteSignalsOptions,
  type LimitsPage,
  limitsPage,
  SIGNAL_WAITS_OPTIONS,
  SIGNALS_OPTIONS,
  type SignalsOptions,
  type SignalsPage,
  type SignalWaitsOptions,
  type SignalWaitsPage,
  signalWaitsPage,
  untakenSignals,
} from './limits-and-signals.js';
import {
  OperatorEffects,
  OperatorHolds,
  OperatorOutbox,
  OperatorSchedules,
  OperatorSteps,
  PAGE_OPTIONS,
  type PageOptions,
  Questions,
} from './operator-parts.js';
import { OperatorRuns } from './operator-runs.js';
import {
  type DueRuns,
  dueRuns,
  LIST_TASKS_OPTIONS,
  type ListedTasksPage,
  type ListTasksOptions,
  type Overview,
  overviewOf,
  overviewParts,
  QUEUES_OPTIONS,
  type QueuesOptions,
  type QueuesPage,
  queuesPage,
  tasksPage,
  versionsInUse,
  type VersionsInUsePage,
} from './overview.js';
import {
  type Graphs,
  graphsBegin,
  graphsOf,
  GroupFlow,
  lastSamples,
  SAMPLES_OPTIONS,
  samplesOf,
  type SamplesOptions,
  type SamplesPage,
} from './samples.js';

export interface OperatorPorts {
  client: WorkflowClient;
  scheduling: WorkflowSchedules;
  acts: OperatorActs;
  engine: EngineStorage;
  source: TaskSource;
  namespace: string;
  clock: Clock;
  outbox: { operations: OutboxOperations; insight: RelayInsight; isOn: boolean };
  effects: {
    effects: Effects;
    insight: Pick<EffectInsight, 'counts' | 'unclaimed'>;
    audit: AuditReader;
    isOn: boolean;
  };
  /** Replays a page of open runs; undefined in a process without the code of workflows. */
  check?: (cursor: string) => Promise<DeployCheckPage | undefined>;
  /** Default 5 s. */
  mostMs?: number | undefined;
}

/**
 * What an operator sees and does, for the command line, for pages, and for code of the app. Every question is bounded:
 * it reads a limited number of rows, and the database ends it after 5 s. Everything that changes something has an actor
 * and a reason, and is one transaction with its act.
 *
 * @example
 * const { blocked } = await operator.overview();
 * await operator.runs.retry('order-7', { actor: 'ada', reason: 'the bank is back' });
 */
export class Operator {
  readonly runs: OperatorRuns;
  readonly steps: OperatorSteps;
  readonly schedules: OperatorSchedules;
  readonly outbox: OperatorOutbox;
  readonly effects: OperatorEffects;
  readonly holds: OperatorHolds;
  private readonly questions: Questions;
  private readonly flow: GroupFlow;

  constructor(private readonly ports: OperatorPorts) {
    const { client, scheduling, engine, namespace, outbox, effects } = ports;
    this.flow = new GroupFlow(engine.samples, () => ports.clock.now());
    const questions = new Questions(ports.mostMs);
    this.questions = questions;
    this.runs = new OperatorRuns({ client, storage: engine, questions, namespace });
    this.steps = new OperatorSteps(client, questions);
    this.schedules = new OperatorSchedules({ schedules: scheduling, store: engine.schedules, questions, namespace });
    this.outbox = new OperatorOutbox({ ...outbox, questions });
    this.effects = new OperatorEffects({ ...effects, questions });
    const names = { fleet: engine.fleet, roster: engine.roster, source: ports.source, namespace };
    const calls = effects.isOn ? effects.insight : undefined;
    const isKnown = (target: HoldTarget) => isKnownName({ ...names, effects: calls }, target);
    this.holds = new OperatorHolds({ client, questions, isKnown });
  }

  /** What needs somebody. Parts that take too long are named in `unanswered`. @throws DatabaseError */
  overview(): Promise<Overview> {
    const { engine, source, namespace, clock, outbox, effects } = this.ports;
    const parts = overviewParts({
      fleet: engine.fleet,
      unfinished: engine.unfinished,
      source,
      namespace,
      nodes: () => listNodes(engine.roster, true),
      outbox: outbox.isOn ? this.outbox : undefined,
      effects: effects.isOn ? this.effects : undefined,
      late: () => this.schedules.late(),
      holds: () => engine.holds.list(namespace),
      now: () => clock.now(),
    });
    return overviewOf(parts, this.questions);
  }

  /**
   * Runs that are due, and that no process has taken, by workflow and version, the longest first; without workflows that
   * are held. `olderThan`: for how long they have been due, default 0. @throws InvalidArgumentError, QuestionTimeoutError
   */
  due({ olderThan = 0 }: { olderThan?: Duration } = {}): Promise<DueRuns[]> {
    const { engine, namespace } = this.ports;
    const ports = { unfinished: engine.unfinished, holds: () => engine.holds.list(namespace), namespace };
    return this.questions.ask('due', async () => dueRuns(ports, toMs(olderThan, 'olderThan')));
  }

  /** The workflows and groups that processes of the last day serve, by name, up to 1,000 of each. @throws QuestionTimeoutError */
  names(): Promise<KnownNames> {
    const { engine, namespace } = this.ports;
    return this.questions.ask('names', () => knownNames({ roster: engine.roster, namespace }));
  }

  /**
   * The groups: what waits in them, and who serves them. By name, page by page, or one alone.
   *
   * @throws InvalidArgumentError, QuestionTimeoutError
   */
  queues(options: QueuesOptions = {}): Promise<QueuesPage> {
    const { engine, source, namespace } = this.ports;
    const nodes = () => listNodes(engine.roster, false);
    const ports = { source, holds: engine.holds, nodes, flow: this.flow, namespace };
    return this.questions.ask('queues', () =>
      queuesPage(ports, checkedOptions(options, QUEUES_OPTIONS, 'Operator.queues')),
    );
  }

  /**
   * Tasks of remote steps over all runs: those that wait, and those that a worker has. Page by page.
   *
   * @throws InvalidArgumentError, UnknownOptionError, QuestionTimeoutError; ConfigurationError if the transport is one of
   *   the app's own that cannot list them
   * @example await operator.tasks({ group: 'billing', status: 'waiting', olderThan: '10m' });
   */
  tasks(options: ListTasksOptions = {}): Promise<ListedTasksPage> {
    const { engine, source, namespace } = this.ports;
    const checked = () => checkedOptions(options, LIST_TASKS_OPTIONS, 'Operator.tasks');
    return this.questions.ask('tasks', async () =>
      tasksPage({ source, insight: engine.insight, namespace }, checked()),
    );
  }

  /** Limits that are in use: who holds a permit, and who waits. Page by page. @throws QuestionTimeoutError */
  limits(options: PageOptions = {}): Promise<LimitsPage> {
    const { engine, namespace } = this.ports;
    const limits = () => limitsPage(engine.fleet, namespace, checkedOptions(options, PAGE_OPTIONS, 'Operator.limits'));
    return this.questions.ask('limits', limits);
  }

  /**
   * Signals that no run has taken, of the newest ones; with a run, or a name and a key, of those of it.
   *
   * @throws InvalidArgumentError, QuestionTimeoutError
   */
  signals(options: SignalsOptions = {}): Promise<SignalsPage> {
    const { engine, namespace } = this.ports;
    const checked = () => checkedOptions(options, SIGNALS_OPTIONS, 'Operator.signals');
    return this.questions.ask('signals', () => untakenSignals(engine.fleet, namespace, checked()));
  }

  /**
   * Which steps of runs wait for signals: all, those of a run, or those for a name and a key. Page by page, in no order
   * that says anything. @throws InvalidArgumentError, QuestionTimeoutError
   */
  signalWaits(options: SignalWaitsOptions = {}): Promise<SignalWaitsPage> {
    const { engine, namespace } = this.ports;
    const checked = () => checkedOptions(options, SIGNAL_WAITS_OPTIONS, 'Operator.signalWaits');
    return this.questions.ask('signalWaits', () => signalWaitsPage(engine.fleet, namespace, checked()));
  }

  /**
   * Deletes signals of this name to a run or a key that no run has taken, the first ones first, and returns how many. One
   * that was sent a moment ago may not be among them yet. @throws InvalidArgumentError
   */
  deleteSignals(name: string, options: DeleteSignalsOptions): Promise<number> {
    const { engine: storage, namespace } = this.ports;
    return deleteSignals({ storage, namespace }, name, options);
  }

  /** Deletes signals that were sent long ago, as `WorkflowClient.purgeSignals`; with acts as `runs.purge`. @throws InvalidArgumentError */
  async purgeSignals(options: ActedBy & PurgeSignalsOptions): Promise<number> {
    return this.ports.client.purgeSignals({ ...options, ...requiredOperator(options) });
  }

  /** All processes, as `DurableNodes.list`. @throws QuestionTimeoutError */
  nodes({ ended = false }: { ended?: boolean } = {}): Promise<DurableNode[]> {
    return this.questions.ask('nodes', () => listNodes(this.ports.engine.roster, ended));
  }

  /**
   * Has a process begin nothing new: from its next heartbeat on it claims no runs, tasks, effect calls or shards of
   * channels. Its runs leave for other processes as soon as their work in progress is recorded, its steps and calls end,
   * and it stays signed in until it is resumed or ends. Returns whether it was draining already.
   *
   * @throws NodeNotFoundError unless it is alive; InvalidArgumentError
   * @example await operator.drain('api-1', { actor: 'ada', reason: 'its memory grows' });
   */
  drain(nodeId: string, by: ActedBy): Promise<boolean> {
    return drainNode(this.ports.engine, nodeId, by);
  }

  /** Lets a process that drains begin new work again. Returns whether it was draining. @throws as `drain` */
  resume(nodeId: string, by: ActedBy): Promise<boolean> {
    return resumeNode(this.ports.engine, nodeId, by);
  }

  /**
   * Which versions of workflows open runs need, and who has their code: before a version is removed, and when runs do not
   * go on after a deploy. Looks at 10,000 runs per page. @throws QuestionTimeoutError
   */
  versions({ cursor }: Pick<PageOptions, 'cursor'> = {}): Promise<VersionsInUsePage> {
    const { engine, namespace } = this.ports;
    const ports = { unfinished: engine.unfinished, nodes: () => listNodes(engine.roster, false), namespace };
    return this.questions.ask('versions', () => versionsInUse(ports, cursor));
  }

  /**
   * Replays open runs with the code of this process, and says which would be blocked: as `nest-durable check`, a page at a
   * time. It executes code of the app, one page after the other, and writes nothing.
   *
   * @throws ConfigurationError in a process without the app's code, QuestionTimeoutError
   */
  check({ cursor = '' }: Pick<PageOptions, 'cursor'> = {}): Promise<DeployCheckPage> {
    return this.questions.ask('check', async () => {
      const page = await this.ports.check?.(cursor);
      if (page) return page;
      throw new ConfigurationError(
        'This process has no code of workflows: run `nest-durable check --app` with a build',
      );
    });
  }

  /** What processes have counted, a sample per process and minute, of the last seven days. @throws InvalidArgumentError, QuestionTimeoutError */
  samples(options: SamplesOptions = {}): Promise<SamplesPage> {
    const { engine, namespace, clock } = this.ports;
    const checked = () => checkedOptions(options, SAMPLES_OPTIONS, 'Operator.samples');
    return this.questions.ask('samples', () => samplesOf(engine.samples, namespace, clock.now(), checked()));
  }

  /** The last hour minute by minute, of all processes together: a summary of `samples`. @throws QuestionTimeoutError */
  graphs(): Promise<Graphs> {
    const { engine, namespace, clock } = this.ports;
    const now = clock.now();
    return this.questions.ask('graphs', async () =>
      graphsOf(await lastSamples(engine.samples, namespace, graphsBegin(now), now), now),
    );
  }

  /** What operators did, as `OperatorActs.list`. @throws InvalidArgumentError, QuestionTimeoutError */
  acts(options: ListActsOptions = {}): Promise<ActPage> {
    return this.questions.ask('acts', () => this.ports.acts.list(options));
  }
}

interface Ports {
  fleet: Pick<FleetInsight, 'counts'>;
  roster: Pick<NodeRoster, 'nodes'>;
  source: Pick<TaskSource, 'waiting'>;
  /** Undefined: the app has no effects. */
  effects: Pick<EffectInsight, 'unclaimed'> | undefined;
  namespace: string;
}

/** What processes of the last day serve, by name: to choose from. */
export interface KnownNames {
  workflows: string[];
  /** Of every namespace: groups are shared. */
  groups: string[];
}

/** Nobody chooses from a longer list. */
const MOST_NAMES = 1_000;

/** From what processes have said, up to 1,000 of each: runs and tasks are not looked at. */
async function knownNames({ roster, namespace }: Pick<Ports, 'roster' | 'namespace'>): Promise<KnownNames> {
  const { nodes } = await roster.nodes();
  const own = nodes.filter((node) => node.namespace === namespace);
  return {
    workflows: firstOf(own.flatMap(({ serves }) => Object.keys(serves.workflows ?? {}))),
    groups: firstOf(nodes.flatMap(({ serves }) => Object.keys(serves.groups ?? {}))),
  };
}

const firstOf = (names: readonly string[]): string[] => [...new Set(names)].sort().slice(0, MOST_NAMES);

/** Whether a process of the last day serves what is held, or anything of it waits. Holding a schedule needs the schedule. */
async function isKnownName(ports: Ports, { workflow, group, effect }: HoldTarget): Promise<boolean> {
  const { roster, namespace } = ports;
  // A class was looked up already.
  if (workflow !== undefined && typeof workflow !== 'string') return true;
  const isServed = async (serves: (node: NodeRecord) => boolean) => (await roster.nodes()).nodes.some(serves);
  if (workflow !== undefined)
    return (
      (await isServed((node) => node.namespace === namespace && has(node.serves.workflows, workflow))) ||
      (await hasRuns(ports, workflow))
    );
  if (group !== undefined)
    return (await isServed(({ serves }) => has(serves.groups, group))) || (await hasTasks(ports, group));
  if (effect !== undefined)
    return (await isServed(({ serves }) => !!serves.effects?.includes(effect))) || (await hasCalls(ports, effect));
  return true;
}

/** A name may be that of a property of every object. */
const has = (served: object | undefined, name: string): boolean => !!served && Object.hasOwn(served, name);

async function hasRuns({ fleet, namespace }: Ports, workflow: string): Promise<boolean> {
  const { byStatus } = await fleet.counts({ namespace, workflow, limit: 1 }, 1);
  return byStatus.length > 0;
}

async function hasTasks({ source }: Ports, group: string): Promise<boolean> {
  const { tasks } = await source.waiting({ olderThanMs: 0, cursor: undefined, groups: [group] });
  return tasks.length > 0;
}

const hasCalls = async ({ effects }: Ports, effect: string): Promise<boolean> =>
  (await effects?.unclaimed(0))?.some(({ handler }) => handler === effect) ?? false;
