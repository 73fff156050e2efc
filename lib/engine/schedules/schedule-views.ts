import { type ByOperator, OPERATOR_OPTIONS } from '../../acts/act.js';
import type { Found } from '../../acts/act-log.js';
import type { Payloads } from '../model/payloads.js';
import {
  DECLARED_SCHEDULE,
  optionsOf,
  SCHEDULE_OPTIONS,
  type ScheduleOptions,
  type ScheduleSpec,
  specIn,
} from '../model/schedule-spec.js';
import type { ScheduleRecord } from '../model/schedule-store.js';
import type { KnownOptions } from '../../options/known-options.js';

/** A schedule to create. */
export interface NewSchedule<Input = unknown> extends ScheduleOptions {
  /** The id of the schedule, at most 148 characters; the ids of its runs begin with it. */
  id: string;
  /** The input of its runs. Default null. */
  input?: Input;
  /** It does not fire until it is resumed. Default false. */
  paused?: boolean;
}

export const NEW_SCHEDULE = { ...DECLARED_SCHEDULE, paused: true } satisfies KnownOptions<NewSchedule>;

/** What an update changes. */
export interface ScheduleChanges extends PlanChanges {
  input?: unknown;
}

/** Omitted options keep their values; null removes a bound. */
export interface PlanChanges extends Omit<ScheduleOptions, 'startAt' | 'endAt'> {
  startAt?: Date | null;
  endAt?: Date | null;
}

export const SCHEDULE_CHANGES = { ...SCHEDULE_OPTIONS, input: true } satisfies KnownOptions<ScheduleChanges>;

export interface ScheduleWriteOptions extends ByOperator {
  /** An open transaction of the app's ORM: the change happens if and when it commits. */
  transaction?: unknown;
}

export const SCHEDULE_WRITE_OPTIONS = {
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

export const LIST_SCHEDULES_OPTIONS = {
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
  createdAt: Date;
}

export function viewSchedule(record: ScheduleRecord, payloads: Payloads): WorkflowSchedule {
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
    createdAt: new Date(createdAt),
  };
}

/** Applies `changes` to the options of `spec`; a new `cron` replaces `every`, and vice versa. */
export function changedOptions(spec: ScheduleSpec, changes: PlanChanges): ScheduleOptions {
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
export function differenceOf(
  asked: Pick<ScheduleRecord, 'workflow' | 'spec' | 'input'>,
  there: ScheduleRecord,
  payloads: Payloads,
): string | undefined {
  if (asked.workflow !== there.workflow) return `workflow ("${there.workflow}")`;
  if (asked.spec !== there.spec) return 'plan';
  return payloads.of({ workflow: asked.workflow }).isSame(asked.input, there.input) ? undefined : 'input';
}

/** What a schedule was before it was changed. */
export function foundSchedule(schedule: ScheduleRecord | undefined, after?: ScheduleRecord): Found {
  if (!schedule) return {};
  const { workflow, paused, spec } = schedule;
  const run = after?.lastRunId === schedule.lastRunId ? undefined : after?.lastRunId;
  const before = { paused, plan: JSON.parse(spec) as unknown };
  return { details: { workflow, before, ...(run && { run }) } };
}
