import { InvalidArgumentError, ScheduleConflictError, ScheduleNotFoundError } from '../../errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import { checkName } from '../model/names.js';
import type { Payloads } from '../model/payloads.js';
import { firstDue, jitterKeyOf } from './schedule-times.js';
import { sameTimes, type ScheduleOptions, scheduleSpecOf, specIn, specText } from '../model/schedule-spec.js';
import { checkScheduleId, scheduledRun, triggeredRunId } from './schedule-starts.js';
import type { ScheduleRecord } from '../model/schedule-store.js';
import {
  changedOptions,
  differenceOf,
  type ListSchedulesOptions,
  type NewSchedule,
  type ScheduleChanges,
  type ScheduleWriteOptions,
  viewSchedule,
  type WorkflowSchedule,
} from './schedule-views.js';
import type { ClassOf, InputOf, WorkflowRunner } from '../model/workflow-context.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';

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
    { id, input, paused = false, ...rest }: NewSchedule,
    options: ScheduleWriteOptions = {},
  ): Promise<void> {
    const { namespace, resolve, payloads, storage } = this.ports;
    checkScheduleId(namespace, id);
    const spec = scheduleSpecOf(rest, `Schedule "${id}"`);
    const { name } = resolve(workflow);
    const fixed = {
      id,
      namespace,
      workflow: checkName(name, 'The name of a workflow'),
      declared: false,
      spec: specText(spec),
      input: input === undefined ? null : payloads.encode(input, `The input of schedule "${id}"`),
      paused,
      firedAt: null,
      lastRunId: null,
      bufferedAt: null,
    };
    const nextAt = (now: number) => (paused ? null : firstDue(spec, jitterKeyOf(fixed), now));
    await this.within(options, async (tx) => {
      const added = await storage.schedules.insert((now) => [{ ...fixed, nextAt: nextAt(now), createdAt: now }], tx);
      if (added > 0) return;
      await storage.schedules.change(
        { namespace, ids: [id] },
        async ([there]) => {
          const different = there && differenceOf(fixed, there);
          if (different) throw new ScheduleConflictError(id, different);
          return [];
        },
        tx,
      );
    });
  }

  /**
   * Changes the plan, the input or both. If the times change, the next one is computed from now. Changes to a schedule
   * that `@Workflow` declares are overwritten at the next start of an engine.
   *
   * @throws ScheduleNotFoundError, InvalidArgumentError
   */
  async update(id: string, { input, ...changes }: ScheduleChanges, options: ScheduleWriteOptions = {}): Promise<void> {
    const { payloads } = this.ports;
    const text = input === undefined ? undefined : payloads.encode(input, `The input of schedule "${id}"`);
    await this.rewrite(id, options, (schedule, now) => {
      const before = specIn(schedule.spec);
      const spec = scheduleSpecOf(changedOptions(before, changes), `Schedule "${id}"`);
      const nextAt = sameTimes(before, spec) ? schedule.nextAt : firstDue(spec, jitterKeyOf(schedule), now);
      return {
        ...schedule,
        spec: specText(spec),
        input: text ?? schedule.input,
        nextAt: schedule.paused ? null : nextAt,
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
    return this.within(options, async (tx) => (await storage.schedules.remove(namespace, [id], tx)) > 0);
  }

  /** Returns a schedule. @throws ScheduleNotFoundError */
  async get(id: string): Promise<WorkflowSchedule> {
    return viewSchedule(await this.find(id), this.ports.payloads.codec);
  }

  /** Lists schedules in the order of their ids, page by page. @throws InvalidArgumentError */
  async list({ workflow, limit = 100, after }: ListSchedulesOptions = {}): Promise<WorkflowSchedule[]> {
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
      throw new InvalidArgumentError('limit', limit, 'a whole number from 1 to 1000');
    const { namespace, storage } = this.ports;
    const found = await storage.schedules.list({
      namespace,
      limit,
      ...(workflow !== undefined && { workflows: [workflow] }),
      ...(after !== undefined && { afterId: after }),
    });
    return found.map((record) => viewSchedule(record, this.ports.payloads.codec));
  }

  /** Stops firing until {@link resume}, and drops a buffered firing (`overlap`). @throws ScheduleNotFoundError */
  async pause(id: string, options: ScheduleWriteOptions = {}): Promise<void> {
    await this.rewrite(id, options, (schedule) => ({ ...schedule, paused: true, nextAt: null, bufferedAt: null }));
  }

  /** Continues with the next time; times that passed meanwhile are skipped. @throws ScheduleNotFoundError */
  async resume(id: string, options: ScheduleWriteOptions = {}): Promise<void> {
    await this.rewrite(id, options, (schedule, now) =>
      schedule.paused
        ? { ...schedule, paused: false, nextAt: firstDue(specIn(schedule.spec), jitterKeyOf(schedule), now) }
        : schedule,
    );
  }

  /**
   * Starts a run now, outside of the plan, even if the schedule is paused, and regardless of `overlap`. Returns its id.
   *
   * @throws ScheduleNotFoundError
   */
  async trigger(id: string, options: ScheduleWriteOptions = {}): Promise<string> {
    const { catalog } = this.ports.storage;
    let runId = '';
    await this.rewrite(id, options, async (schedule, now, tx) => {
      runId = triggeredRunId(schedule, now);
      await catalog.create([scheduledRun(this.ports, this.ports.resolve, schedule, runId)], tx);
      return { ...schedule, lastRunId: runId };
    });
    return runId;
  }

  /**
   * Returns the next times at which a schedule fires. For options that are not yet a schedule, jitter is not included.
   *
   * @example await schedules.preview({ cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' }, 3)
   * @throws ScheduleNotFoundError, InvalidArgumentError
   */
  async preview(schedule: string | ScheduleOptions, count = 10): Promise<Date[]> {
    if (!Number.isInteger(count) || count < 1 || count > 1_000)
      throw new InvalidArgumentError('count', count, 'a whole number from 1 to 1000');
    const { namespace, clock } = this.ports;
    const [spec, id] =
      typeof schedule === 'string'
        ? [specIn((await this.find(schedule)).spec), schedule]
        : [{ ...scheduleSpecOf(schedule, 'The schedule'), jitter: 0 }, ''];
    const times: Date[] = [];
    let at: number | null = clock.now();
    while (times.length < count) {
      at = firstDue(spec, jitterKeyOf({ namespace, id }), at);
      if (at === null) break;
      times.push(new Date(at));
    }
    return times;
  }

  private async find(id: string): Promise<ScheduleRecord> {
    const { namespace, storage } = this.ports;
    const [found] = await storage.schedules.list({ namespace, ids: [checkName(id, 'The schedule id')] });
    if (!found) throw new ScheduleNotFoundError(id);
    return found;
  }

  private async rewrite(
    id: string,
    options: ScheduleWriteOptions,
    change: (schedule: ScheduleRecord, now: number, tx: Transaction) => ScheduleRecord | Promise<ScheduleRecord>,
  ): Promise<void> {
    const { namespace, storage } = this.ports;
    const ids = [checkName(id, 'The schedule id')];
    const found = await this.within(options, (open) =>
      storage.schedules.change(
        { namespace, ids },
        (locked, now, tx) => Promise.all(locked.map(async (schedule) => change(schedule, now, tx))),
        open,
      ),
    );
    if (found === 0) throw new ScheduleNotFoundError(id);
  }

  /** Runs `work` in the app's transaction, if there is one. */
  private async within<T>(
    { transaction }: ScheduleWriteOptions,
    work: (tx: Transaction | undefined) => Promise<T>,
  ): Promise<T> {
    return work(transactionOf(this.ports.storage.transactions, transaction));
  }
}
