import type { Codec } from '../../protocol/codec.js';
import { optionsOf, type ScheduleOptions, type ScheduleSpec, specIn } from '../model/schedule-spec.js';
import type { ScheduleRecord } from '../model/schedule-store.js';

/** A schedule to create. */
export interface NewSchedule<Input = unknown> extends ScheduleOptions {
  /** The id of the schedule, at most 148 characters; the ids of its runs begin with it. */
  id: string;
  /** The input of its runs. Default null. */
  input?: Input;
  /** It does not fire until it is resumed. Default false. */
  paused?: boolean;
}

/** Omitted options keep their values; null removes a bound. */
export interface ScheduleChanges extends Omit<ScheduleOptions, 'startAt' | 'endAt'> {
  startAt?: Date | null;
  endAt?: Date | null;
  input?: unknown;
}

export interface ScheduleWriteOptions {
  /** An open transaction of the app's ORM: the change happens if and when it commits. */
  transaction?: unknown;
}

export interface ListSchedulesOptions {
  workflow?: string;
  /** Schedules per page, from 1 to 1,000. Default 100. */
  limit?: number;
  /** The last id of the previous page. */
  after?: string;
}

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

export function viewSchedule(record: ScheduleRecord, codec: Codec): WorkflowSchedule {
  const { id, workflow, input, declared, paused, nextAt, firedAt, lastRunId, createdAt } = record;
  const date = (time: number | null) => (time === null ? undefined : new Date(time));
  return {
    id,
    workflow,
    declared,
    paused,
    input: codec.decode(input ?? 'null'),
    options: optionsOf(specIn(record.spec)),
    nextAt: date(nextAt),
    lastFiredAt: date(firedAt),
    lastRunId: lastRunId ?? undefined,
    createdAt: new Date(createdAt),
  };
}

/** Applies `changes` to the options of `spec`; a new `cron` replaces `every`, and vice versa. */
export function changedOptions(spec: ScheduleSpec, changes: Omit<ScheduleChanges, 'input'>): ScheduleOptions {
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
): string | undefined {
  if (asked.workflow !== there.workflow) return `workflow ("${there.workflow}")`;
  if (asked.spec !== there.spec) return 'plan';
  return asked.input === there.input ? undefined : 'input';
}
