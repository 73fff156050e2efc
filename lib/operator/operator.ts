import type { ActPage, ListActsOptions, OperatorActs } from '../acts/operator-acts.js';
import type { EffectInsight } from '../effects/effect-storage.js';
import type { Effects } from '../effects/effects.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type { EngineStorage } from '../engine/model/engine-storage.js';
import { type DurableNode, listNodes } from '../engine/nodes/node-views.js';
import type { WorkflowSchedules } from '../engine/schedules/workflow-schedules.js';
import { checkedOptions } from '../options/known-options.js';
import type { OutboxOperations } from '../outbox/client/outbox-operations.js';
import type { RelayInsight } from '../outbox/relay/relay-insight.js';
import type { Clock } from '../time/clock.js';
import type { TaskSource } from '../worker/task-source.js';
import { type Graphs, graphsBegin, graphsOf } from './graphs.js';
import { type LimitsPage, limitsPage, type SignalsPage, untakenSignals } from './limits-and-signals.js';
import { OperatorEffects } from './operator-effects.js';
import { OperatorHolds } from './operator-holds.js';
import { OperatorOutbox } from './operator-outbox.js';
import { OperatorRuns } from './operator-runs.js';
import { OperatorSchedules } from './operator-schedules.js';
import { OperatorSteps } from './operator-steps.js';
import { type Overview, overviewOf, overviewParts } from './overview.js';
import { Questions } from './questions.js';
import { PAGE_OPTIONS, type PageOptions, type QueuesPage, queuesPage } from './queues.js';
import { SAMPLES_OPTIONS, samplesOf, type SamplesOptions, type SamplesPage } from './samples.js';
import { versionsInUse, type VersionsInUsePage } from './versions.js';

export interface OperatorPorts {
  client: WorkflowClient;
  scheduling: WorkflowSchedules;
  acts: OperatorActs;
  engine: EngineStorage;
  source: TaskSource;
  namespace: string;
  clock: Clock;
  outbox: { operations: OutboxOperations; insight: RelayInsight; isOn: boolean };
  effects: { effects: Effects; insight: Pick<EffectInsight, 'counts'>; isOn: boolean };
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

  constructor(private readonly ports: OperatorPorts) {
    const { client, scheduling, engine, namespace, outbox, effects } = ports;
    const questions = new Questions(ports.mostMs);
    this.questions = questions;
    this.runs = new OperatorRuns({ client, storage: engine, questions, namespace });
    this.steps = new OperatorSteps(client);
    this.schedules = new OperatorSchedules({ schedules: scheduling, store: engine.schedules, questions, namespace });
    this.outbox = new OperatorOutbox({ ...outbox, questions });
    this.effects = new OperatorEffects({ ...effects, questions });
    this.holds = new OperatorHolds({ client, questions });
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
      holds: () => this.holds.list(),
      now: () => clock.now(),
    });
    return overviewOf(parts, this.questions);
  }

  /** The groups: what waits in them, and who serves them. By name, page by page. @throws QuestionTimeoutError */
  queues(options: PageOptions = {}): Promise<QueuesPage> {
    const { engine, source, namespace } = this.ports;
    const nodes = () => listNodes(engine.roster, false);
    const ports = { source, holds: engine.holds, nodes, namespace };
    return this.questions.ask('queues', () =>
      queuesPage(ports, checkedOptions(options, PAGE_OPTIONS, 'Operator.queues')),
    );
  }

  /** Limits that are in use: who holds a permit, and who waits. Page by page. @throws QuestionTimeoutError */
  limits(options: PageOptions = {}): Promise<LimitsPage> {
    const { engine, namespace } = this.ports;
    const limits = () => limitsPage(engine.fleet, namespace, checkedOptions(options, PAGE_OPTIONS, 'Operator.limits'));
    return this.questions.ask('limits', limits);
  }

  /** Signals that no run has taken, of the newest ones. @throws QuestionTimeoutError */
  signals(options: Pick<PageOptions, 'limit'> = {}): Promise<SignalsPage> {
    const { engine, namespace } = this.ports;
    const known = { limit: true } as const;
    const signals = () => untakenSignals(engine.fleet, namespace, checkedOptions(options, known, 'Operator.signals'));
    return this.questions.ask('signals', signals);
  }

  /** All processes, as `DurableNodes.list`. @throws QuestionTimeoutError */
  nodes({ ended = false }: { ended?: boolean } = {}): Promise<DurableNode[]> {
    return this.questions.ask('nodes', () => listNodes(this.ports.engine.roster, ended));
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
    const range = { from: new Date(graphsBegin(now)), limit: 10_000 };
    return this.questions.ask('graphs', async () =>
      graphsOf(await samplesOf(engine.samples, namespace, now, range), now),
    );
  }

  /** What operators did, as `OperatorActs.list`. @throws InvalidArgumentError, QuestionTimeoutError */
  acts(options: ListActsOptions = {}): Promise<ActPage> {
    return this.questions.ask('acts', () => this.ports.acts.list(options));
  }
}
