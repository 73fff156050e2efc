import { acting, type ByOperator, type Deed, type Found, OPERATOR_OPTIONS } from '../../acts/acts.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { checkedLimit, checkedOptions, type KnownOptions } from '../../core/options.js';
import { ScheduleConflictError, ScheduleNotFoundError } from '../../core/run-errors.js';
import type { Clock } from '../../core/time.js';
import type { Transaction } from '../../core/transaction.js';
import type { ClassOf, InputOf, WorkflowRunner } from '../context.js';
import { checkScheduleId, scheduledRun, triggeredRunId } from '../firing.js';
import type { Payloads } from '../payloads.js';
import { checkName } from '../run.js';
import {
  DECLARED_SCHEDULE,
  endsOfHolds,
  firstDue,
  heldUpBy,
  jitterKeyOf,
  type ListedSchedule,
  nextTimes,
  optionsOf,
  paused,
  replanned,
  resumed,
  sameTimes,
  SCHEDULE_OPTIONS,
  type ScheduleOptions,
  type ScheduleRecord,
  type ScheduleSpec,
  scheduleSpecOf,
  specIn,
  specText,
} from '../schedules.js';
import { transactionOf } from '../starts.js';
import type { EngineStorage } from '../storage.js';
import { acceptedInput, type WorkflowLookup } from '../workflow.js';

export interface WorkflowSchedulesPorts {
  storage: EngineStorage;
  payloads: Payloads;
  resolve: WorkflowLookup;
  namespace: string;
  clock: Clock;
}

/**
 * Starts runs by schedule. Each time of a schedule starts exactly one run, with the id `<schedule id>@<time>`, no
 * matter how many processes run, start or stop.
 *
 * Declare fixed schedules with `@Workflow('report', { schedules: [{ cron: '0 6 * * *' }] })`. This class manages
 * schedules that are created and deleted while the app runs. An engine that has the workflow fires them.
 *
 * @example
 * await schedules.create(InvoiceWorkflow, {
 *   id: `invoice-${customer.id}`, cron: '0 8 1 * *', timeZone: 'Europe/Berlin', input: { customer: customer.id },
 * }, { transaction: tx });
 */
export class WorkflowSchedules {
  constructor(private readonly ports: WorkflowSchedulesPorts) {}

  /**
   * Creates a schedule. Does nothing if one with this id and the same plan, workflow and input exists.
   *
   * @throws ScheduleConflictError if the existing one differs; InvalidArgumentError, InvalidTransactionError,
   *   UnknownWorkflowError, SerializationError, PayloadTooLargeError before anything is written.
   */
  async create<W extends ClassOf<WorkflowRunner<never, unknown>>>(
    workflow: W,
    schedule: NewSchedule<InputOf<InstanceType<W>>>,
    options?: ScheduleWriteOptions,
  ): Promise<void>;
  async create(workflow: string, schedule: NewSchedule, options?: ScheduleWriteOptions): Promise<void>;
  async create(
    workflow: string | ClassOf<unknown>,
    schedule: NewSchedule,
    options: ScheduleWriteOptions = {},
  ): Promise<void> {
    const {
      id,
      input,
      paused: isPaused = false,
      ...rest
    } = checkedOptions(schedule, NEW_SCHEDULE, 'WorkflowSchedules.create');
    const { namespace, resolve, payloads, storage } = this.ports;
    checkScheduleId(namespace, id);
    if (typeof isPaused !== 'boolean') throw new InvalidArgumentError('paused', isPaused, 'true or false');
    const spec = scheduleSpecOf(rest, `Schedule "${id}"`);
    const known = resolve(workflow);
    const { name } = known;
    const given = acceptedInput(known, input);
    const fixed = {
      id,
      namespace,
      workflow: checkName(name, 'The name of a workflow'),
      declared: false,
      spec: specText(spec),
      input: given === undefined ? null : this.inputText(name, id, given),
      paused: isPaused,
      firedAt: null,
      lastRunId: null,
      bufferedAt: null,
    };
    const nextAt = (now: number) => (isPaused ? null : firstDue(spec, jitterKeyOf(fixed), now));
    await this.within(
      options,
      this.deed('create', id, () => ({ outcome: 'created' })),
      async (tx) => {
        const added = await storage.schedules.insert((now) => [{ ...fixed, nextAt: nextAt(now), createdAt: now }], tx);
        if (added > 0) return;
        await storage.schedules.change(
          { namespace, ids: [id] },
          async ([there]) => {
            const different = there && differenceOf(fixed, there, payloads);
            if (different) throw new ScheduleConflictError(id, different);
            return [];
          },
          tx,
        );
      },
    );
  }

  /**
   * Changes the plan, the input or both. If the times change, the next one is computed from now, or from the end of a
   * hold that has one. Changes to a schedule that `@Workflow` declares are overwritten at the next start of an engine.
   *
   * @throws ScheduleNotFoundError, InvalidArgumentError
   */
  async update(id: string, changed: ScheduleChanges, options: ScheduleWriteOptions = {}): Promise<void> {
    const { input, ...changes } = checkedOptions(changed, SCHEDULE_CHANGES, 'WorkflowSchedules.update');
    const { storage, resolve } = this.ports;
    await this.rewrite(id, 'update', options, async (schedule, now, tx) => {
      const given = input === undefined ? undefined : acceptedInput(resolve(schedule.workflow), input);
      const text = given === undefined ? undefined : this.inputText(schedule.workflow, id, given);
      const before = specIn(schedule.spec);
      const spec = scheduleSpecOf(changedOptions(before, changes), `Schedule "${id}"`);
      const ends = await endsOfHolds(storage.holds, [schedule], tx);
      const nextAt = sameTimes(before, spec) ? schedule.nextAt : replanned(schedule, spec, now, ends);
      return {
        ...schedule,
        spec: specText(spec),
        input: text ?? schedule.input,
        nextAt,
        bufferedAt: spec.overlap === 'buffer-one' ? schedule.bufferedAt : null,
      };
    });
  }

  /**
   * Deletes a schedule; its runs go on. Returns false if it did not exist. A declared schedule is created again at the
   * next start of an engine: use {@link pause} instead.
   */
  async delete(id: string, options: ScheduleWriteOptions = {}): Promise<boolean> {
    const { namespace, storage } = this.ports;
    const before = async () => foundSchedule((await storage.schedules.list({ namespace, ids: [id] }))[0]);
    const deed = this.deed('delete', id, (deleted: boolean) => ({ outcome: deleted ? 'deleted' : 'missing' }));
    const remove = (tx?: Transaction) =>
      storage.acts.within(tx, async (own) => {
        // First the schedule, then its hold, as everybody locks them.
        const removed = await storage.schedules.remove(namespace, [id], own);
        await storage.holds.lift(namespace, { kind: 'schedule', name: id }, own);
        return removed > 0;
      });
    return this.within(options, { ...deed, before }, remove);
  }

  /** Returns a schedule. @throws ScheduleNotFoundError */
  async get(id: string): Promise<WorkflowSchedule> {
    return viewSchedule(await this.find(id), this.ports);
  }

  /** Lists schedules in the order of their ids, page by page. @throws InvalidArgumentError */
  async list(options: ListSchedulesOptions = {}): Promise<WorkflowSchedule[]> {
    const { workflow, limit = 100, after } = checkedOptions(options, LIST_SCHEDULES_OPTIONS, 'WorkflowSchedules.list');
    checkedLimit(limit, 1_000);
    const { namespace, storage } = this.ports;
    const found = await storage.schedules.list({
      namespace,
      limit,
      ...(workflow !== undefined && { workflows: [workflow] }),
      ...(after !== undefined && { afterId: after }),
    });
    return found.map((record) => viewSchedule(record, this.ports));
  }

  /**
   * Stops firing until {@link resume}, and drops a buffered firing (`overlap`). A hold of the schedule ends, since it may
   * have an end of its own.
   *
   * @throws ScheduleNotFoundError
   */
  async pause(id: string, options: ScheduleWriteOptions = {}): Promise<void> {
    const { namespace, storage } = this.ports;
    await this.rewrite(id, 'pause', options, async (schedule, _, tx) => {
      await storage.holds.lift(namespace, { kind: 'schedule', name: id }, tx);
      return paused(schedule);
    });
  }

  /** Continues with the next time; times that passed meanwhile are skipped. @throws ScheduleNotFoundError */
  async resume(id: string, options: ScheduleWriteOptions = {}): Promise<void> {
    const { namespace, storage } = this.ports;
    await this.rewrite(id, 'resume', options, async (schedule, now, tx) => {
      await storage.holds.lift(namespace, { kind: 'schedule', name: id }, tx);
      return resumed(schedule, now);
    });
  }

  /**
   * Starts a run now, outside of the plan, even if the schedule is paused, and regardless of `overlap`. Returns its id.
   *
   * @throws ScheduleNotFoundError
   */
  async trigger(id: string, options: ScheduleWriteOptions = {}): Promise<string> {
    const { catalog } = this.ports.storage;
    let runId = '';
    await this.rewrite(id, 'trigger', options, async (schedule, now, tx) => {
      runId = triggeredRunId(schedule, now);
      await catalog.create([scheduledRun(this.ports, this.ports.resolve, schedule, runId)], tx);
      return { ...schedule, lastRunId: runId };
    });
    return runId;
  }

  /**
   * Returns the next times at which a schedule fires, with `changed` those after such an update. For options that are not
   * yet a schedule, jitter is not included.
   *
   * @example await schedules.preview({ cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' }, 3)
   * @example await schedules.preview('nightly', 3, { cron: '30 2 * * *' })
   * @throws ScheduleNotFoundError, InvalidArgumentError
   */
  async preview(schedule: string | ScheduleOptions, count = 10, changed: PlanChanges = {}): Promise<Date[]> {
    checkedLimit(count, 1_000, 'count');
    if (typeof schedule !== 'string') checkedOptions(schedule, SCHEDULE_OPTIONS, 'WorkflowSchedules.preview');
    checkedOptions(changed, SCHEDULE_OPTIONS, 'WorkflowSchedules.preview');
    const { namespace, clock } = this.ports;
    const [before, id] =
      typeof schedule === 'string'
        ? [specIn((await this.find(schedule)).spec), schedule]
        : [{ ...scheduleSpecOf(schedule, 'The schedule'), jitter: 0 }, ''];
    const isChanged = Object.keys(changed).length > 0;
    const spec = isChanged ? scheduleSpecOf(changedOptions(before, changed), `Schedule "${id}"`) : before;
    return nextTimes(spec, jitterKeyOf({ namespace, id }), clock.now(), count);
  }

  private inputText(workflow: string, id: string, input: unknown): string {
    return this.ports.payloads.of({ workflow }).encode(input, `The input of schedule "${id}"`);
  }

  private async find(id: string): Promise<ListedSchedule> {
    const { namespace, storage } = this.ports;
    const [found] = await storage.schedules.list({ namespace, ids: [checkName(id, 'The schedule id')] });
    if (!found) throw new ScheduleNotFoundError(id);
    return found;
  }

  private async rewrite(
    id: string,
    action: string,
    options: ScheduleWriteOptions,
    change: (schedule: ScheduleRecord, now: number, tx: Transaction) => ScheduleRecord | Promise<ScheduleRecord>,
  ): Promise<void> {
    const { namespace, storage } = this.ports;
    const ids = [checkName(id, 'The schedule id')];
    let [before, after]: (ScheduleRecord | undefined)[] = [];
    const rewritten = async (schedule: ScheduleRecord, now: number, tx: Transaction) => {
      before = schedule;
      return (after = await change(schedule, now, tx));
    };
    const deed = this.deed(action, id, () => ({ outcome: 'done', ...foundSchedule(before, after) }));
    await this.within(options, deed, async (open) => {
      const found = await storage.schedules.change(
        { namespace, ids },
        (locked, now, tx) => Promise.all(locked.map((schedule) => rewritten(schedule, now, tx))),
        open,
      );
      if (found === 0) throw new ScheduleNotFoundError(id);
    });
  }

  private deed<T>(action: string, target: string, outcome: Deed<T>['outcome']): Deed<T> {
    return { action, kind: 'schedule', target, namespace: this.ports.namespace, outcome };
  }

  /** Runs `work` in the app's transaction, if there is one; with an actor, in one transaction with its act. */
  private async within<T>(
    options: ScheduleWriteOptions,
    deed: Deed<T>,
    work: (tx: Transaction | undefined) => Promise<T>,
  ): Promise<T> {
    const { transactions, acts } = this.ports.storage;
    checkedOptions(options, SCHEDULE_WRITE_OPTIONS, 'WorkflowSchedules');
    return acting(acts, options, transactionOf(transactions, options.transaction), deed, work);
  }
}

/** A schedule to create. */
export interface NewSchedule<Input = unknown> extends ScheduleOptions {
  /** The id of the schedule, at most 148 characters; the ids of its runs begin with it. */
  id: string;
  /** The input of its runs. Default null. */
  input?: Input;
  /** It does not fire until it is resumed. Default false. */
  paused?: boolean;
}

const NEW_SCHEDULE = { ...DECLARED_SCHEDULE, paused: true } satisfies KnownOptions<NewSchedule>;

/** What an update changes. */
export interface ScheduleChanges extends PlanChanges {
  input?: unknown;
}

/** Omitted options keep their values; null removes a bound. */
export interface PlanChanges extends Omit<ScheduleOptions, 'startAt' | 'endAt'> {
  startAt?: Date | null;
  endAt?: Date | null;
}

const SCHEDULE_CHANGES = { ...SCHEDULE_OPTIONS, input: true } satisfies KnownOptions<ScheduleChanges>;

export interface ScheduleWriteOptions extends ByOperator {
  /** An open transaction of the app's ORM: the change happens if and when it commits. */
  transaction?: unknown;
}

const SCHEDULE_WRITE_OPTIONS = {
  ...OPERATOR_OPTIONS,
  transaction: true,
} satisfies KnownOptions<ScheduleWriteOptions>;

export interface ListSchedulesOptions {
  workflow?: string;
  /** Schedules per page, from 1 to 1,000. Default 100. */
  limit?: number;
  /** The last id of the previous page. */
  after?: string;
}

const LIST_SCHEDULES_OPTIONS = {
  workflow: true,
  limit: true,
  after: true,
} satisfies KnownOptions<ListSchedulesOptions>;

/** The state of a schedule. */
export interface WorkflowSchedule {
  id: string;
  workflow: string;
  input: unknown;
  /** When and how it fires, with all defaults filled in; durations are in ms. */
  options: ScheduleOptions;
  /** Whether it is declared by `@Workflow({ schedules })`. */
  declared: boolean;
  paused: boolean;
  /** The next time at which it fires; undefined while it is paused or will not fire again. */
  nextAt: Date | undefined;
  /** The last of its times for which a run was started. */
  lastFiredAt: Date | undefined;
  lastRunId: string | undefined;
  /**
   * The id of its last run, if that has not ended and a time has come since, which was dropped or waits (`overlap`);
   * undefined otherwise.
   */
  heldUpBy: string | undefined;
  createdAt: Date;
}

function viewSchedule(
  record: ListedSchedule,
  { payloads, clock }: Pick<WorkflowSchedulesPorts, 'payloads' | 'clock'>,
): WorkflowSchedule {
  const { id, workflow, input, declared, paused, nextAt, firedAt, lastRunId, createdAt } = record;
  const date = (time: number | null) => (time === null ? undefined : new Date(time));
  return {
    id,
    workflow,
    declared,
    paused,
    input: payloads.of({ workflow }).readValue(input),
    options: optionsOf(specIn(record.spec)),
    nextAt: date(nextAt),
    lastFiredAt: date(firedAt),
    lastRunId: lastRunId ?? undefined,
    heldUpBy: heldUpBy(record, clock.now()) ?? undefined,
    createdAt: new Date(createdAt),
  };
}

/** Applies `changes` to the options of `spec`; a new `cron` replaces `every`, and vice versa. */
function changedOptions(spec: ScheduleSpec, changes: PlanChanges): ScheduleOptions {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const { cron, timeZone, every, from, ...kept }: ScheduleOptions = optionsOf(spec);
  const timing =
    changes.cron !== undefined
      ? { timeZone }
      : changes.every !== undefined
        ? { from }
        : { cron, timeZone, every, from };
  const merged = Object.entries({ ...kept, ...timing, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined && value !== null));
}

/** Names the first difference of two schedules with the same id. */
function differenceOf(
  asked: Pick<ScheduleRecord, 'workflow' | 'spec' | 'input'>,
  there: ScheduleRecord,
  payloads: Payloads,
): string | undefined {
  if (asked.workflow !== there.workflow) return `workflow ("${there.workflow}")`;
  if (asked.spec !== there.spec) return 'plan';
  return payloads.of({ workflow: asked.workflow }).isSame(asked.input, there.input) ? undefined : 'input';
}

/** What a schedule was before it was changed. */
function foundSchedule(schedule: ScheduleRecord | undefined, after?: ScheduleRecord): Found {
  if (!schedule) return {};
  const { workflow, paused, spec } = schedule;
  const run = after?.lastRunId === schedule.lastRunId ? undefined : after?.lastRunId;
  const before = { paused, plan: JSON.parse(spec) as unknown };
  return { details: { workflow, before, ...(run && { run }) } };
}
