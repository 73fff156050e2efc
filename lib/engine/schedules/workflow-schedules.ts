import { acting, type Deed } from '../../acts/act-log.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { ScheduleConflictError, ScheduleNotFoundError } from '../../errors/run-errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import { acceptedInput } from '../model/accepted-input.js';
import { checkName } from '../model/names.js';
import type { Payloads } from '../model/payloads.js';
import { endsOfHolds, paused, replanned, resumed } from './schedule-pauses.js';
import { firstDue, jitterKeyOf, nextTimes } from './schedule-times.js';
import {
  sameTimes,
  SCHEDULE_OPTIONS,
  type ScheduleOptions,
  scheduleSpecOf,
  specIn,
  specText,
} from '../model/schedule-spec.js';
import { checkScheduleId, scheduledRun, triggeredRunId } from './schedule-starts.js';
import type { ScheduleRecord } from '../model/schedule-store.js';
import {
  changedOptions,
  differenceOf,
  foundSchedule,
  LIST_SCHEDULES_OPTIONS,
  type ListSchedulesOptions,
  NEW_SCHEDULE,
  type NewSchedule,
  type PlanChanges,
  SCHEDULE_CHANGES,
  SCHEDULE_WRITE_OPTIONS,
  type ScheduleChanges,
  type ScheduleWriteOptions,
  viewSchedule,
  type WorkflowSchedule,
} from './schedule-views.js';
import type { ClassOf, WorkflowRunner } from '../model/workflow-context.js';
import type { InputOf } from '../model/workflow-target.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import { checkedOptions } from '../../options/known-options.js';

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
      input:
        given === undefined ? null : payloads.of({ workflow: name }).encode(given, `The input of schedule "${id}"`),
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
    const { payloads, storage, resolve } = this.ports;
    await this.rewrite(id, 'update', options, async (schedule, now, tx) => {
      const given = input === undefined ? undefined : acceptedInput(resolve(schedule.workflow), input);
      const text = given === undefined ? undefined : payloads.encode(given, `The input of schedule "${id}"`);
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
    return viewSchedule(await this.find(id), this.ports.payloads);
  }

  /** Lists schedules in the order of their ids, page by page. @throws InvalidArgumentError */
  async list(options: ListSchedulesOptions = {}): Promise<WorkflowSchedule[]> {
    const { workflow, limit = 100, after } = checkedOptions(options, LIST_SCHEDULES_OPTIONS, 'WorkflowSchedules.list');
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
      throw new InvalidArgumentError('limit', limit, 'a whole number from 1 to 1000');
    const { namespace, storage } = this.ports;
    const found = await storage.schedules.list({
      namespace,
      limit,
      ...(workflow !== undefined && { workflows: [workflow] }),
      ...(after !== undefined && { afterId: after }),
    });
    return found.map((record) => viewSchedule(record, this.ports.payloads));
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
    if (!Number.isInteger(count) || count < 1 || count > 1_000)
      throw new InvalidArgumentError('count', count, 'a whole number from 1 to 1000');
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

  private async find(id: string): Promise<ScheduleRecord> {
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
