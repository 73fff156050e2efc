import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { WorkflowIdConflictError } from '../../errors/run-errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { TracedWork } from '../../telemetry/tracing.js';
import { givingUp } from '../endings/giving-up.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { checkName } from '../model/names.js';
import { newRun, type NewRunScope } from '../model/new-run.js';
import { contextTextWithTrace } from '../model/run-context.js';
import type { NewRun, RunRecord } from '../model/run.js';
import { type Firing, firingAt } from './schedule-times.js';
import { specIn } from '../model/schedule-spec.js';
import type { LockedSchedule, ScheduleRecord } from '../model/schedule-store.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';

export interface Fired {
  schedule: ScheduleRecord;
  runIds: readonly string[];
  dropped: number;
}

export interface FailedSchedule {
  schedule: ScheduleRecord;
  error: unknown;
}

export interface Outcome {
  fired: readonly Fired[];
  /** These schedules are unchanged. */
  failed: readonly FailedSchedule[];
  /** Their time was skipped, because another run has the run id. */
  conflicts: readonly FailedSchedule[];
}

export interface RunIds {
  /** Runs that are known to exist. */
  taken: readonly RunRecord[];
  /** Output: receives the ids of all runs to start. */
  asked: string[];
}

/** The limits of one transaction: the number of runs, and the total characters of their inputs. */
const MAX_RUNS = 1_000;
const MAX_INPUT = 2_000_000;

/** `@2026-01-01T00:00:00.000Z`, and `+` with six characters for a triggered run. */
const LONGEST_SUFFIX = 25 + 7;
/** The limit of a run id. */
const LONGEST_RUN_ID = 180;

/** The namespaces of an app that does not configure one. */
const USUAL_NAMESPACES = ['', 'default'];

/** The prefix contains the namespace, because run ids are unique over all namespaces. */
const prefixOf = ({ namespace, id }: { namespace: string; id: string }): string =>
  USUAL_NAMESPACES.includes(namespace) ? id : `${namespace}/${id}`;

/** The id makes each time of a schedule start only one run: a second firing finds the id in use. */
const scheduledRunId = (schedule: ScheduleRecord, time: number): string =>
  `${prefixOf(schedule)}@${new Date(time).toISOString()}`;

export const triggeredRunId = (schedule: ScheduleRecord, now: number): string =>
  `${scheduledRunId(schedule, now)}+${randomBytes(3).toString('hex')}`;

/** @throws InvalidArgumentError if the ids of its runs would be too long. */
export function checkScheduleId(namespace: string, id: unknown): string {
  const checked = checkName(id, 'The schedule id');
  const longest = LONGEST_RUN_ID - LONGEST_SUFFIX - prefixOf({ namespace, id: '' }).length;
  if ([...checked].length <= longest) return checked;
  throw new InvalidArgumentError(
    'The schedule id',
    id,
    `at most ${longest} characters, because the ids of its runs contain it`,
  );
}

/** The run of a schedule, with the limits and the timeout of its workflow. */
export function scheduledRun(scope: NewRunScope, lookup: WorkflowLookup, schedule: ScheduleRecord, id: string): NewRun {
  const { priority } = specIn(schedule.spec);
  const { workflow, input: text } = schedule;
  const payloads = scope.payloads.of({ workflow, ...(text !== null && { input: text }) });
  const input = payloads.decode(text);
  return {
    ...newRun({ ...scope, payloads }, lookup(schedule.workflow), input, { id, priority }),
    scheduleId: schedule.id,
  };
}

/** The span of its own trace, which its runs continue. */
const fireOf = ({ id: name, workflow }: ScheduleRecord, count: number): TracedWork => ({
  kind: 'fire',
  name,
  workflow,
  count,
});

/** Starts the runs of due schedules, in the transaction that has locked the schedules. */
export class ScheduleStarts {
  constructor(
    private readonly storage: Pick<EngineStorage, 'catalog' | 'control' | 'dispatcher' | 'answers'>,
    private readonly scope: NewRunScope & { telemetry: Telemetry },
    private readonly lookup: WorkflowLookup,
  ) {}

  /** A schedule that cannot fire stays unchanged and does not affect others. */
  async fire(
    schedules: readonly LockedSchedule[],
    now: number,
    tx: Transaction,
    { taken, asked }: RunIds,
  ): Promise<Outcome> {
    const failed: FailedSchedule[] = [];
    const ready: { firing: Firing; runs: NewRun[] }[] = [];
    let left = { runs: MAX_RUNS, input: MAX_INPUT };
    for (const schedule of schedules) {
      try {
        const ahead = this.ready(schedule, now, Math.min(left.runs, fitting(schedule, left.input)));
        ready.push(ahead);
        const size = ahead.runs.reduce((sum, { input }) => sum + input.length, 0);
        left = { runs: left.runs - ahead.runs.length, input: left.input - size };
      } catch (error) {
        failed.push({ schedule, error });
      }
      if (left.runs <= 0 || left.input <= 0) break;
    }
    await this.cancel(ready, tx);
    asked.push(...ready.flatMap(({ runs }) => runs.map(({ id }) => id)));
    const conflicts = await this.create(ready, taken, tx);
    return { fired: ready.map(({ firing, runs }) => firedOf(firing, runs)), failed, conflicts };
  }

  private ready(schedule: LockedSchedule, now: number, atMost: number): { firing: Firing; runs: NewRun[] } {
    const firing = firingAt(schedule, now, atMost);
    const ids = firing.times.map((time) => scheduledRunId(schedule, time));
    const [first] = ids;
    if (first === undefined) return { firing, runs: [] };
    const run = scheduledRun(this.scope, this.lookup, schedule, first);
    const { tracing } = this.scope.telemetry;
    const context = tracing && contextTextWithTrace({}, tracing.told(fireOf(schedule, ids.length)));
    return { firing, runs: ids.map((id) => ({ ...run, id, ...(context !== undefined && { context }) })) };
  }

  private async cancel(ready: readonly { firing: Firing }[], tx: Transaction): Promise<void> {
    const ids = ready.flatMap(({ firing }) => firing.cancels ?? []);
    for (const id of ids.sort()) await this.storage.control.close(id, 'cancelled', givingUp(this.storage), tx);
  }

  /** Returns the schedules whose run id belongs to another run: those times start no run. */
  private async create(
    ready: readonly { firing: Firing; runs: NewRun[] }[],
    taken: readonly RunRecord[],
    tx: Transaction,
  ): Promise<FailedSchedule[]> {
    const there = new Map(taken.map((run) => [run.id, run]));
    const missing = ready.flatMap(({ runs }) => runs).filter(({ id }) => !there.has(id));
    const creations = missing.length > 0 ? await this.storage.catalog.create(missing, tx) : [];
    for (const { run } of creations) there.set(run.id, run);
    return ready.flatMap(({ firing: { schedule }, runs }) => {
      const foreign = runs.find(({ id }) => !isOf(schedule, there.get(id)));
      return foreign ? [{ schedule, error: new WorkflowIdConflictError(foreign.id, 'origin') }] : [];
    });
  }
}

const isOf = ({ id, namespace }: ScheduleRecord, run: RunRecord | undefined): boolean =>
  run?.scheduleId === id && run.namespace === namespace;

const fitting = ({ input }: LockedSchedule, room: number): number =>
  Math.max(1, Math.floor(room / Math.max(1, input?.length ?? 0)));

function firedOf(firing: Firing, runs: readonly NewRun[]): Fired {
  const { schedule, dropped } = firing;
  return {
    schedule: { ...schedule, lastRunId: runs.at(-1)?.id ?? schedule.lastRunId },
    runIds: runs.map(({ id }) => id),
    dropped,
  };
}
