import { type ActedBy, requiredOperator } from '../acts/acts.js';
import type { Hold } from '../acts/holds.js';
import { QuestionTimeoutError } from '../core/errors.js';
import { checkedLimit, checkedOptions, type KnownOptions } from '../core/options.js';
import { stepIdOf } from '../core/protocol.js';
import { type Duration, withinTime } from '../core/time.js';
import type { Effects, ListEffects, PurgeEffects, PurgeEndedEffects } from '../effects/effects.js';
import type {
  AuditReader,
  EffectEntry,
  EffectGroup,
  EffectInsight,
  EffectStatus,
  RecordedAuditEvent,
  UnclaimedEffects,
} from '../effects/entries.js';
import type { WorkflowClient } from '../engine/client/client.js';
import type { HoldOptions, HoldTarget, StepResolution } from '../engine/client/operator-client.js';
import type {
  ListSchedulesOptions,
  PlanChanges,
  WorkflowSchedule,
  WorkflowSchedules,
} from '../engine/client/schedules.js';
import type { StepFailure } from '../engine/client/signals.js';
import type { ListStepsOptions } from '../engine/listing.js';
import type { ScheduleOptions, ScheduleStore } from '../engine/schedules.js';
import type { ListedStepsPage } from '../engine/views.js';
import type { ChannelLag, DeadEvent, RelayInsight, ShardsOfOwner, StandingChannel } from '../outbox/dead-letters.js';
import type {
  DeadLettersQuery,
  LagQuery,
  OperationOptions,
  OperationsQuery,
  OutboxOperations,
  PurgeDeadLetters,
} from '../outbox/outbox.js';

export interface PageOptions {
  /** Items per page, from 1 to 100. Default 100. */
  limit?: number;
  /** The cursor of the previous page. */
  cursor?: string;
}

export const PAGE_OPTIONS = { limit: true, cursor: true } satisfies KnownOptions<PageOptions>;

/** How long a question may take. */
export const MOST_MS = 5_000;

/** Nothing is counted any further. */
export const MOST_COUNTED = 10_000;

/** A number, or at least so many: counting ends at a limit. */
export type Count = number | { atLeast: number };

export const countOf = ({ count, more }: { count: number; more: boolean }): Count =>
  more ? { atLeast: count } : count;

/** Of a number that was counted up to one more than `atMost`. */
const upTo = (atMost: number, count: number): Count => (count > atMost ? { atLeast: atMost } : count);

export const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Asks questions of an operator, none of which may take long. */
export class Questions {
  constructor(readonly mostMs = MOST_MS) {}

  /** @throws QuestionTimeoutError that names the question, after 5 s; the database has ended its statement then. */
  ask<T>(question: string, look: () => Promise<T>, mostMs = this.mostMs): Promise<T> {
    return withinTime(mostMs, look, (cause) => new QuestionTimeoutError(question, Math.round(mostMs), { cause }));
  }
}

export interface AuditEventsPage {
  /** In the order in which they were recorded. */
  events: RecordedAuditEvent[];
  /** For the next page. */
  cursor?: string;
}

interface EffectPorts {
  effects: Effects;
  insight: Pick<EffectInsight, 'counts'>;
  audit: AuditReader;
  questions: Questions;
}

/** What operators see of effects, and do to them. In an app without effects, everything throws a ConfigurationError. */
export class OperatorEffects {
  constructor(private readonly ports: EffectPorts) {}

  /** The number of calls by status, each counted up to 10,000. @throws QuestionTimeoutError */
  async counts(): Promise<Record<EffectStatus, Count>> {
    const counts = await this.ask('counts', () => this.ports.insight.counts(MOST_COUNTED));
    const capped = Object.entries(counts).map(([status, counted]) => [status, countOf(counted)]);
    return Object.fromEntries(capped) as Record<EffectStatus, Count>;
  }

  /** The number of calls with this status, counted up to 10,000. @throws QuestionTimeoutError */
  async count(status: EffectStatus): Promise<Count> {
    return countOf((await this.ask('count', () => this.ports.insight.counts(MOST_COUNTED, [status])))[status]);
  }

  /** Abandoned calls, oldest first. @throws InvalidArgumentError, QuestionTimeoutError */
  abandoned(options: ListEffects = {}): Promise<EffectEntry[]> {
    return this.ask('abandoned', () => this.ports.effects.listAbandoned(options));
  }

  /** Calls that wait for a time their handler named, soonest first. @throws InvalidArgumentError, QuestionTimeoutError */
  scheduled(options: ListEffects = {}): Promise<EffectEntry[]> {
    return this.ask('scheduled', () => this.ports.effects.listScheduled(options));
  }

  /** Handlers whose calls nobody has made for this long. @throws InvalidArgumentError, QuestionTimeoutError */
  unclaimed(options: { olderThan?: Duration } = {}): Promise<UnclaimedEffects[]> {
    return this.ask('unclaimed', () => this.ports.effects.listUnclaimed(options));
  }

  /**
   * What happened to the calls of an operation for a subject, oldest first, page by page; nothing if the app has an audit
   * sink of its own. @throws InvalidArgumentError, UnknownAuditEventError, QuestionTimeoutError
   */
  async audit(group: EffectGroup, options: PageOptions = {}): Promise<AuditEventsPage> {
    const { limit = 100, cursor } = checkedOptions(options, PAGE_OPTIONS, 'OperatorEffects.audit');
    const page = { limit: checkedLimit(limit, 1_000) + 1, ...(cursor !== undefined && { after: cursor }) };
    const found = await this.ask('audit', () => this.ports.audit.read(group, page));
    const events = found.slice(0, limit);
    return { events, ...(found.length > limit && { cursor: events.at(-1)!.eventId }) };
  }

  /** Makes abandoned calls pending again and returns their ids. @throws InvalidArgumentError */
  async requeue(entryIds: readonly string[], by: ActedBy): Promise<string[]> {
    return this.ports.effects.requeue(entryIds, requiredOperator(by));
  }

  /** Deletes calls that ended long ago, as `Effects.purge`; with acts as `runs.purge`. @throws InvalidArgumentError */
  async purge(options: ActedBy & PurgeEndedEffects): Promise<number> {
    return this.ports.effects.purge({ ...options, ...requiredOperator(options) });
  }

  /** Deletes old events of the audit log, as `Effects.purgeAuditLog`. @throws InvalidArgumentError */
  async purgeAuditLog(options: ActedBy & PurgeEffects): Promise<number> {
    return this.ports.effects.purgeAuditLog({ ...options, ...requiredOperator(options) });
  }

  private ask<T>(question: string, look: () => Promise<T>): Promise<T> {
    return this.ports.questions.ask(`effects.${question}`, look);
  }
}

export interface HoldReceipt {
  /** False: no process that is remembered serves it, and none of its runs, tasks or calls waits. */
  known: boolean;
}

interface HoldPorts {
  client: WorkflowClient;
  questions: Questions;
  isKnown: (target: HoldTarget) => Promise<boolean>;
}

/** What operators hold. */
export class OperatorHolds {
  constructor(private readonly ports: HoldPorts) {}

  /** @throws QuestionTimeoutError */
  list(): Promise<Hold[]> {
    return this.ports.questions.ask('holds.list', () => this.ports.client.holds());
  }

  /**
   * Nothing new of it is begun, until it is lifted. A name that nobody has used yet may be held, too: then the answer says
   * that it is not `known`, since it may be misspelt. @throws InvalidArgumentError, ScheduleNotFoundError
   */
  async hold(target: HoldTarget, options: HoldOptions): Promise<HoldReceipt> {
    await this.ports.client.hold(target, { ...options, ...requiredOperator(options) });
    return { known: await this.isKnown(target) };
  }

  private async isKnown(target: HoldTarget): Promise<boolean> {
    try {
      return await this.ports.questions.ask('holds.known', () => this.ports.isKnown(target));
    } catch {
      // The hold is there: that it could not be looked up must not look like a failure.
      return true;
    }
  }

  /** Returns false if there was no hold. @throws InvalidArgumentError, ScheduleNotFoundError */
  async lift(target: HoldTarget, by: ActedBy): Promise<boolean> {
    return this.ports.client.lift(target, requiredOperator(by));
  }
}

/** A publisher or consumer of the outbox, and how its deliveries stand. */
export interface DestinationInSight {
  name: string;
  /** When a process with it last started. */
  seenAt: Date;
  /** Channels that stand still. */
  blocked: Count;
  /** Since when the first of them does. */
  blockedSince: Date | null;
  /** Channels behind a dead letter. */
  parked: Count;
  /** Channels with requeued events under way. */
  requeued: Count;
  /** Dead letters. */
  dead: Count;
  /** Who publishes how many of its 64 shards. */
  owners: Pick<ShardsOfOwner, 'owner' | 'shards' | 'lapsed'>[];
}

/** Which publisher or consumer; needed if there is more than one. */
export type OnDestination = ActedBy & Pick<OperationOptions, 'destination'>;

/** The channels of each shard whose first event is looked at. */
const MOST_HEADS = 20;

interface OutboxPorts {
  operations: OutboxOperations;
  insight: RelayInsight;
  questions: Questions;
}

/** What operators see of the outbox, and do to it. In an app without outbox, everything throws a ConfigurationError. */
export class OperatorOutbox {
  constructor(private readonly ports: OutboxPorts) {}

  /** All publishers and consumers, by name. @throws QuestionTimeoutError */
  destinations(): Promise<DestinationInSight[]> {
    const { operations, insight } = this.ports;
    return this.ask('destinations', async () => {
      const known = await operations.destinations();
      const names = known.map(({ name }) => name);
      const [troubles, owners] = [await insight.troubles(names, MOST_COUNTED), await insight.shards()];
      return known.map(({ name, seenAt }) => {
        const found = troubles.find(({ destination }) => destination === name);
        return {
          name,
          seenAt: new Date(seenAt),
          blocked: upTo(MOST_COUNTED, found?.blocked ?? 0),
          blockedSince: dateOf(found?.since ?? null),
          parked: upTo(MOST_COUNTED, found?.parked ?? 0),
          requeued: upTo(MOST_COUNTED, found?.requeued ?? 0),
          dead: upTo(MOST_COUNTED, found?.dead ?? 0),
          owners: owners
            .filter(({ destination }) => destination === name)
            .map(({ owner, shards, lapsed }) => ({ owner, shards, lapsed })),
        };
      });
    });
  }

  /**
   * For how many ms the oldest undelivered event of each publisher or consumer waits; 0 if none does. Looks at the first
   * undelivered event of 20 channels of each shard. @throws QuestionTimeoutError
   */
  waits(): Promise<Record<string, number>> {
    const { operations, insight } = this.ports;
    return this.ask('waits', async () => {
      const waits: [string, number][] = [];
      for (const { name } of await operations.destinations())
        waits.push([name, (await insight.waitsMs(name, MOST_HEADS)) ?? 0]);
      return Object.fromEntries(waits);
    });
  }

  /** Channels with undelivered events, most first. @throws InvalidArgumentError, QuestionTimeoutError */
  lag(query: LagQuery = {}): Promise<ChannelLag[]> {
    return this.ask('lag', () => this.ports.operations.lag(query));
  }

  /** Channels that are blocked, parked or have requeued events. @throws InvalidArgumentError, QuestionTimeoutError */
  standing(query: OperationsQuery = {}): Promise<StandingChannel[]> {
    return this.ask('standing', () => this.ports.operations.standing(query));
  }

  /** Dead letters by number, page by page. @throws InvalidArgumentError, QuestionTimeoutError */
  deadLetters(query: DeadLettersQuery = {}): Promise<DeadEvent[]> {
    return this.ask('deadLetters', () => this.ports.operations.deadLetters(query));
  }

  /** Retries a blocked channel at once. Returns false if it is not blocked. @throws InvalidArgumentError */
  async retry(channel: string, on: OnDestination): Promise<boolean> {
    return this.ports.operations.retry(channel, checked(on));
  }

  /** Retries all blocked channels and returns how many. @throws InvalidArgumentError */
  async retryAll(on: OnDestination): Promise<number> {
    return this.ports.operations.retryAll(checked(on));
  }

  /** Sets the first event of a blocked channel aside. Returns false if it is not blocked. @throws InvalidArgumentError */
  async skip(channel: string, on: OnDestination): Promise<boolean> {
    return this.ports.operations.skip(channel, checked(on));
  }

  /** Requeues dead letters of a channel and returns how many. @throws InvalidArgumentError */
  async requeue(channel: string, on: OnDestination & { sequenceIds?: readonly string[] }): Promise<number> {
    return this.ports.operations.requeue(channel, checked(on));
  }

  /** Removes a publisher or consumer that no longer exists. @throws InvalidArgumentError */
  async forget(destination: string, by: ActedBy): Promise<void> {
    return this.ports.operations.forget(destination, requiredOperator(by));
  }

  /** Deletes old dead letters, as `OutboxOperations.purgeDeadLetters`; with acts as `runs.purge`. @throws InvalidArgumentError */
  async purgeDeadLetters(options: ActedBy & PurgeDeadLetters): Promise<number> {
    return this.ports.operations.purgeDeadLetters({ ...options, ...requiredOperator(options) });
  }

  private ask<T>(question: string, look: () => Promise<T>): Promise<T> {
    return this.ports.questions.ask(`outbox.${question}`, look);
  }
}

const checked = <T extends OnDestination>(given: T): T => ({ ...given, ...requiredOperator(given) });

/** A schedule that has not fired in time. */
export interface LateSchedule {
  id: string;
  workflow: string;
  /** When it should have fired. */
  since: Date;
}

/** A schedule fires within seconds, unless no process has its workflow. */
const LATE_MS = 60_000;
const MOST_LATE = 100;

interface SchedulePorts {
  schedules: WorkflowSchedules;
  store: Pick<ScheduleStore, 'late'>;
  questions: Questions;
  namespace: string;
}

/** What operators see of schedules, and do to them. */
export class OperatorSchedules {
  constructor(private readonly ports: SchedulePorts) {}

  /** A page of schedules, by id. @throws InvalidArgumentError, QuestionTimeoutError */
  list(options: ListSchedulesOptions = {}): Promise<WorkflowSchedule[]> {
    return this.ports.questions.ask('schedules.list', () => this.ports.schedules.list(options));
  }

  /** @throws ScheduleNotFoundError, QuestionTimeoutError */
  show(id: string): Promise<WorkflowSchedule> {
    return this.ports.questions.ask('schedules.show', () => this.ports.schedules.get(id));
  }

  /** Those that should have fired more than a minute ago, the latest first; at most 100. @throws QuestionTimeoutError */
  async late(): Promise<LateSchedule[]> {
    const { questions, store, namespace } = this.ports;
    const late = await questions.ask('schedules.late', () => store.late(namespace, LATE_MS, MOST_LATE));
    return late.map(({ id, workflow, nextAt }) => ({ id, workflow, since: new Date(nextAt ?? 0) }));
  }

  /**
   * The next times at which a schedule fires, at most 100 (default 5): as it is, or with `changed` as it would be after
   * that change. For a plan that is not yet a schedule, jitter is not included.
   *
   * @throws ScheduleNotFoundError, InvalidArgumentError, QuestionTimeoutError
   */
  async preview(
    schedule: string | ScheduleOptions,
    { count = 5, changed = {} }: { count?: number; changed?: PlanChanges } = {},
  ): Promise<Date[]> {
    const { questions, schedules } = this.ports;
    checkedLimit(count, 100);
    return questions.ask('schedules.preview', () => schedules.preview(schedule, count, changed));
  }

  /** Starts a run now and returns its id. @throws ScheduleNotFoundError, InvalidArgumentError */
  async trigger(id: string, by: ActedBy): Promise<string> {
    return this.ports.schedules.trigger(id, requiredOperator(by));
  }

  /** @throws ScheduleNotFoundError, InvalidArgumentError */
  async pause(id: string, by: ActedBy): Promise<void> {
    return this.ports.schedules.pause(id, requiredOperator(by));
  }

  /** @throws ScheduleNotFoundError, InvalidArgumentError */
  async resume(id: string, by: ActedBy): Promise<void> {
    return this.ports.schedules.resume(id, requiredOperator(by));
  }
}

/** What operators see of the steps of runs, and do to them: the latter with an actor and a reason. */
export class OperatorSteps {
  constructor(
    private readonly client: WorkflowClient,
    private readonly questions: Questions,
  ) {}

  /**
   * Steps of many runs without their payloads, page by page: by the order of their runs, the newest first.
   *
   * @throws InvalidArgumentError, UnknownOptionError, QuestionTimeoutError
   * @example
   * await operator.steps.list({ step: 'billing.charge', status: 'failed', youngerThan: '1h' });
   * await operator.steps.list({ status: 'pending', olderThan: '10m', runs: { workflow: 'order', status: 'suspended' } });
   */
  list(options: ListStepsOptions = {}): Promise<ListedStepsPage> {
    return this.questions.ask('steps.list', () => this.client.history.list(options));
  }

  /** Answers a pending remote step in place of its worker. @throws as `WorkflowClient.completeStep` */
  async complete(runId: string, seq: number, output: unknown, by: ActedBy): Promise<void> {
    return this.client.completeStep(stepIdOf(runId, seq), output, requiredOperator(by));
  }

  /** Fails an attempt of a pending remote step. @throws as `WorkflowClient.failStep` */
  async fail(runId: string, seq: number, error: Error | StepFailure, by: ActedBy): Promise<void> {
    return this.client.failStep(stepIdOf(runId, seq), error, requiredOperator(by));
  }

  /** Makes the next attempt of a step due now. @throws as `WorkflowClient.runNow` */
  async now(runId: string, seq: number, by: ActedBy): Promise<void> {
    return this.client.runNow(runId, seq, requiredOperator(by));
  }

  /** Gives a step that waits or has failed another outcome. @throws as `WorkflowClient.resolveStep` */
  async resolve(runId: string, seq: number, resolution: StepResolution, by: ActedBy): Promise<void> {
    return this.client.resolveStep(runId, seq, resolution, requiredOperator(by));
  }
}
