import type { Codec } from '../../protocol/codec.js';
import { optionsOf, type ScheduleOptions, type ScheduleSpec, specIn } from '../model/schedule-spec.js';
import type { ScheduleRecord } from '../model/schedule-store.js';

/** A schedule that is to be. */
export interface NewSchedule<Input = unknown> extends ScheduleOptions {
  /** Its identity, at most 148 characters; its runs are named after it. */
  id: string;
  /** Of its runs. Default null. */
  input?: Input;
  /** It fires nothing until it is resumed. Default false. */
  paused?: boolean;
}

/** What is left out stays as it is; null takes a bound away. */
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
  /** From 1 to 1,000, default 100. */
  limit?: number;
  /** The last id of the page before. */
  after?: string;
}

/** A schedule as it stands. */
export interface WorkflowSchedule {
  id: string;
  workflow: string;
  input: unknown;
  /** When and how it fires; nothing is left open, durations are ms. */
  options: ScheduleOptions;
  /** It comes from `@Workflow({ schedules })`. */
  declared: boolean;
  paused: boolean;
  /** Undefined while it is paused or will not fire again. */
  nextAt: Date | undefined;
  /** The last of its times for which a run began. */
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

/** The options of `spec` with `changes`; a new `cron` takes the place of `every`, and the other way round. */
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

/** In what two schedules of one id differ. */
export function differenceOf(
  asked: Pick<ScheduleRecord, 'workflow' | 'spec' | 'input'>,
  there: ScheduleRecord,
): string | undefined {
  if (asked.workflow !== there.workflow) return `workflow ("${there.workflow}")`;
  if (asked.spec !== there.spec) return 'plan';
  return asked.input === there.input ? undefined : 'input';
}
