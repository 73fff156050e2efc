import { asError } from '../core/thrown.js';
import { randomBytes } from 'node:crypto';
import { ConfigurationError, DatabaseError, InvalidArgumentError } from '../core/errors.js';
import { BackgroundService } from '../core/loops.js';
import { WorkflowIdConflictError } from '../core/run-errors.js';
import type { Telemetry, TelemetryEvents, TracedWork } from '../core/telemetry.js';
import { backoffMs, type Clock, type Timers } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import { givingUp } from './control.js';
import type { Payloads } from './payloads.js';
import { checkName, contextTextWithTrace, LONGEST_RUN_ID, type NewRun, type RunRecord } from './run.js';
import {
  type DeclaredSchedule,
  dueAt,
  endsOfHolds,
  type Firing,
  firingAt,
  firstDue,
  jitterKeyOf,
  type LockedSchedule,
  replanned,
  sameTimes,
  type ScheduleChoice,
  type ScheduleRecord,
  type ScheduleSpec,
  scheduleSpecOf,
  type ScheduleView,
  specIn,
  specText,
  timeUpTo,
} from './schedules.js';
import { newRun, type NewRunScope } from './starts.js';
import type { EngineStorage } from './storage.js';
import { acceptedInput, type WorkflowDefinition, type WorkflowLookup, type WorkflowRegistry } from './workflow.js';

export interface ScheduleRunnerPorts {
  storage: Pick<EngineStorage, 'schedules' | 'holds' | 'catalog' | 'control' | 'dispatcher' | 'answers'>;
  workflows: WorkflowRegistry;
  lookup: WorkflowLookup;
  payloads: Payloads;
  telemetry: Telemetry;
  clock: Clock;
  timers: Timers;
  namespace: string;
  /** Whether notifications currently arrive. */
  notified: () => boolean;
  /** Whether nothing may be begun, since this process ends. */
  isEnding: () => boolean;
}

/** How often schedules are read without notifications of changes. */
const LOOK_MS = 30_000;
/** The same if there are no schedules to fire, and notifications arrive. */
const QUIET_LOOK_MS = 600_000;
/** The nap while another process has locked a due schedule; after a failed read it is four times as long. */
const SOON_MS = 250;
const BATCH = 100;
const RETRY = { delay: '1s', factor: 2, maxDelay: '5m' } as const;

/**
 * Fires schedules of the workflows of this process. It sleeps until the next one is due, and is notified of changes. It
 * reads the schedules at least every 30 s, or every 10 minutes if there are none to fire and notifications arrive.
 */
export class ScheduleRunner extends BackgroundService {
  private readonly starts: ScheduleStarts;
  private readonly declared: DeclaredSchedules;
  private readonly failures = new Map<string, { count: number; until: number }>();
  private napMs = LOOK_MS;
  private alarm: (() => void) | undefined;
  /** Runs that buffered firings wait for. */
  private awaited = new Set<string | null>();
  private unsubscribe: (() => void)[] = [];
  private hearsEnds = false;

  constructor(private readonly ports: ScheduleRunnerPorts) {
    const onError = (error: unknown) => {
      this.napMs = SOON_MS * 4;
      ports.telemetry.emit('loop.error', { loop: 'schedules', error });
    };
    super('schedules', { maxMs: () => this.napMs, onError });
    this.starts = new ScheduleStarts(ports);
    this.declared = new DeclaredSchedules(ports);
  }

  override start(): void {
    this.unsubscribe = [this.ports.storage.schedules.onChanged(() => this.loop.wake())];
    super.start();
  }

  override async stop(): Promise<void> {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    await super.stop();
    this.alarm?.();
  }

  async look(): Promise<'busy' | 'idle'> {
    const { storage, workflows, namespace, clock, notified } = this.ports;
    const names = [...new Set(workflows.all().map(({ name }) => name))];
    if (names.length === 0 || this.ports.isEnding()) return 'idle';
    await this.declared.saveOnce();
    const lookedAt = clock.now();
    const except = this.failing(lookedAt);
    const view = await storage.schedules.look({ namespace, workflows: names, except });
    if (this.listensAnew(view)) return 'busy';
    const over = view.buffered.filter((each) => each.over).map(({ id }) => id);
    let dealtWith = over.length > 0 ? await this.fire({ namespace, ids: over.slice(0, BATCH) }) : 0;
    if (view.at !== null && view.at <= clock.now())
      dealtWith += await this.fire({ namespace, due: { workflows: names, except, limit: BATCH } });
    if (dealtWith > 0) return 'busy';
    const isQuiet = view.at === null && view.buffered.length === 0 && notified();
    // A due schedule that was not locked is held by another process, or the storage's clock is slightly behind.
    const isHeld = over.length > 0 || (view.at !== null && view.at <= clock.now());
    this.napMs = isHeld ? SOON_MS : isQuiet ? QUIET_LOOK_MS : LOOK_MS;
    if (!isHeld) this.setAlarm(view.at, lookedAt);
    return 'idle';
  }

  /** Returns how many schedules were locked. */
  private async fire(which: ScheduleChoice, taken: readonly RunRecord[] = []): Promise<number> {
    if (this.ports.isEnding()) return 0;
    const asked: string[] = [];
    let held: readonly LockedSchedule[] = [];
    let outcome: Outcome | undefined;
    try {
      await this.ports.storage.schedules.change(which, async (schedules, now, tx) => {
        held = schedules;
        outcome = await this.starts.fire(schedules, now, tx, { taken, asked });
        return outcome.fired.map(({ schedule }) => schedule);
      });
    } catch (error) {
      const [first] = held;
      if (!first || (error instanceof DatabaseError && error.transient)) throw error;
      // On some databases an existing run id fails the transaction.
      const there = held.length === 1 && taken.length === 0 ? await this.ports.storage.catalog.find(asked) : [];
      if (there.length > 0) return this.fire({ namespace: first.namespace, ids: [first.id] }, there);
      if (held.length === 1) this.failed({ schedule: first, error });
      else for (const { id, namespace } of held) await this.fire({ namespace, ids: [id] });
      return held.length;
    }
    if (outcome) this.report(outcome);
    return held.length;
  }

  private report({ fired, failed, conflicts }: Outcome): void {
    const { telemetry } = this.ports;
    for (const failure of failed) this.failed(failure);
    for (const { schedule, error } of conflicts)
      telemetry.emit('schedule.failed', { scheduleId: schedule.id, workflow: schedule.workflow, error });
    for (const { schedule, runIds, dropped } of fired) {
      const { id: scheduleId, workflow } = schedule;
      this.failures.delete(scheduleId);
      if (runIds.length > 0) telemetry.emit('schedule.fired', { scheduleId, workflow, runIds });
      const runId = schedule.lastRunId ?? undefined;
      if (dropped > 0) telemetry.emit('schedule.skipped', { scheduleId, workflow, times: dropped, runId });
    }
  }

  private failed({ schedule, error }: FailedSchedule): void {
    const { id: scheduleId, workflow } = schedule;
    const count = (this.failures.get(scheduleId)?.count ?? 0) + 1;
    const retryInMs = backoffMs(count, RETRY);
    this.failures.set(scheduleId, { count, until: this.ports.clock.now() + retryInMs });
    this.ports.telemetry.emit('schedule.failed', { scheduleId, workflow, error, retryInMs });
  }

  private failing(now: number): string[] {
    return [...this.failures].filter(([, { until }]) => until > now).map(([id]) => id);
  }

  /** Subscribes to ends of runs if needed. Returns true if the last read may have missed an end before that. */
  private listensAnew({ buffered }: ScheduleView): boolean {
    this.awaited = new Set(buffered.map(({ runId }) => runId));
    if (this.hearsEnds || buffered.length === 0) return false;
    this.hearsEnds = true;
    const heard = (ids?: readonly string[]) => {
      if (this.awaited.size > 0 && (!ids || ids.some((id) => this.awaited.has(id)))) this.loop.wake();
    };
    this.unsubscribe.push(this.ports.storage.catalog.onFinished(heard));
    return true;
  }

  private setAlarm(at: number | null, lookedAt: number): void {
    // Only later retries: schedules whose retry was due were read already.
    const retries = [...this.failures.values()].flatMap(({ until }) => (until > lookedAt ? [until] : []));
    const next = Math.min(at ?? Number.POSITIVE_INFINITY, ...retries);
    this.alarm?.();
    this.alarm = Number.isFinite(next) ? this.ports.timers.at(next, () => this.loop.wake()) : undefined;
  }
}

export interface Fired {
  schedule: ScheduleRecord;
  runIds: readonly string[];
  dropped: number;
}

interface FailedSchedule {
  schedule: ScheduleRecord;
  error: unknown;
}

interface Outcome {
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
class ScheduleStarts {
  constructor(private readonly ports: ScheduleRunnerPorts) {}

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
        failed.push({ schedule, error: asError(error) });
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
    const run = scheduledRun(this.ports, this.ports.lookup, schedule, first);
    const { tracing } = this.ports.telemetry;
    const context = tracing && contextTextWithTrace({}, tracing.told(fireOf(schedule, ids.length)));
    return { firing, runs: ids.map((id) => ({ ...run, id, ...(context !== undefined && { context }) })) };
  }

  private async cancel(ready: readonly { firing: Firing }[], tx: Transaction): Promise<void> {
    const ids = ready.flatMap(({ firing }) => firing.cancels ?? []);
    for (const id of ids.sort())
      await this.ports.storage.control.close(id, 'cancelled', givingUp(this.ports.storage), tx);
  }

  /** Returns the schedules whose run id belongs to another run: those times start no run. */
  private async create(
    ready: readonly { firing: Firing; runs: NewRun[] }[],
    taken: readonly RunRecord[],
    tx: Transaction,
  ): Promise<FailedSchedule[]> {
    const there = new Map(taken.map((run) => [run.id, run]));
    const missing = ready.flatMap(({ runs }) => runs).filter(({ id }) => !there.has(id));
    const creations = missing.length > 0 ? await this.ports.storage.catalog.create(missing, tx) : [];
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

/** By its id a pause, a hold and the last run stay with a schedule, so that is never its place in a list. */
function declaredId(workflow: string, declared: readonly DeclaredSchedule[], { id }: DeclaredSchedule): string {
  if (id !== undefined || declared.length === 1) return id ?? workflow;
  throw new ConfigurationError(
    `Workflow "${workflow}" declares ${declared.length} schedules: give each an id. One that was alone, without an id, has the id "${workflow}"`,
  );
}

interface Wanted {
  id: string;
  workflow: string;
  spec: ScheduleSpec;
  input: string | null;
}

/** The newest version of each workflow declares its schedules. @throws ConfigurationError if an id is missing, or used twice. */
export function newestDeclarations(workflows: WorkflowRegistry): Map<string, WorkflowDefinition> {
  const names = new Set(workflows.all().map(({ name }) => name));
  const newest = new Map([...names].map((name) => [name, workflows.latest(name)]));
  const seen = new Map<string, string>();
  for (const [name, { schedules = [] }] of newest) {
    schedules.forEach((declared) => {
      const id = declaredId(name, schedules, declared);
      const other = seen.get(id);
      if (other !== undefined)
        throw new ConfigurationError(
          `Schedule "${id}" is declared by "${other}" and by "${name}": give one another id`,
        );
      seen.set(id, name);
    });
  }
  return newest;
}

/**
 * Stores the schedules that the code declares, at the start of each process. One that a workflow of this process no
 * longer declares is removed, unless the same times with the same input are declared under an id that is new: then it goes
 * on under that id. Schedules of workflows that this process does not have are not changed.
 */
class DeclaredSchedules {
  private saved = false;

  constructor(private readonly ports: ScheduleRunnerPorts) {}

  async saveOnce(): Promise<void> {
    if (this.saved) return;
    const { storage, workflows, namespace } = this.ports;
    const newest = newestDeclarations(workflows);
    const wanted = new Map(
      [...newest.values()].flatMap((workflow) => this.wantedBy(workflow)).map((one) => [one.id, one]),
    );
    const there = [
      ...(wanted.size > 0 ? await storage.schedules.list({ namespace, ids: [...wanted.keys()] }) : []),
      ...(await storage.schedules.list({ namespace, declared: true, workflows: [...newest.keys()] })),
    ];
    const known = new Map(there.map((record) => [record.id, record]));
    const gone = there.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);
    const missing = [...wanted.values()].filter(({ id }) => !known.has(id));
    if (gone.length > 0) await this.replace(gone, missing);
    await this.write([...wanted.values()], known);
    this.saved = true;
  }

  /** Of several processes that start, the first one finds those that are gone. */
  private async replace(gone: readonly string[], missing: readonly Wanted[]): Promise<void> {
    const { storage, namespace, telemetry } = this.ports;
    const { schedules, holds } = storage;
    let told: TelemetryEvents['schedule.removed'][] = [];
    await schedules.change({ namespace, ids: gone }, async (locked, now, tx) => {
      told = [];
      const heirs = [...missing];
      const held = new Map((await holds.list(namespace, tx)).map((hold) => [`${hold.kind} ${hold.name}`, hold]));
      for (const old of locked) {
        const hold = held.get(`schedule ${old.id}`);
        const heir = heirs.find((one) => this.isSame(one, old));
        if (heir) {
          heirs.splice(heirs.indexOf(heir), 1);
          await schedules.insert(() => [underAnotherId(redeclared(old, heir, now, new Map()), heir)], tx);
        }
        if (hold) await holds.lift(namespace, hold, tx);
        if (hold && heir) await holds.put(namespace, { ...hold, name: heir.id }, tx);
        const stood = hold ? 'held' : old.paused ? 'paused' : undefined;
        const { id: scheduleId, workflow } = old;
        told.push({ scheduleId, workflow, ...(stood && { stood }), ...(heir && { continuesAs: heir.id }) });
      }
      await schedules.remove(
        namespace,
        locked.map(({ id }) => id),
        tx,
      );
      return [];
    });
    for (const event of told) telemetry.emit('schedule.removed', event);
  }

  private isSame(one: Wanted, record: ScheduleRecord): boolean {
    const { workflow, spec } = one;
    return record.workflow === workflow && sameTimes(spec, specIn(record.spec)) && this.hasInput(one, record);
  }

  private async write(wanted: readonly Wanted[], there: ReadonlyMap<string, ScheduleRecord>): Promise<void> {
    const { schedules, holds } = this.ports.storage;
    const { namespace } = this.ports;
    const missing = wanted.filter(({ id }) => !there.has(id));
    if (missing.length > 0) await schedules.insert((now) => missing.map((one) => recordOf(one, namespace, now)));
    const others = wanted.filter((one) => there.has(one.id) && this.differs(one, there.get(one.id)!));
    if (others.length === 0) return;
    const byId = new Map(others.map((one) => [one.id, one]));
    const ids = [...byId.keys()];
    const rewrite = async (locked: readonly LockedSchedule[], now: number, tx: Transaction) => {
      const ends = await endsOfHolds(holds, locked, tx);
      return locked.map((record) => redeclared(record, byId.get(record.id)!, now, ends));
    };
    await schedules.change({ namespace, ids }, rewrite);
  }

  private differs(one: Wanted, record: ScheduleRecord): boolean {
    const { workflow, spec } = one;
    const isOther = !record.declared || record.workflow !== workflow || record.spec !== specText(spec);
    return isOther || !this.hasInput(one, record);
  }

  private hasInput({ workflow, input }: Wanted, record: ScheduleRecord): boolean {
    try {
      return this.ports.payloads.of({ workflow }).isSame(record.input, input);
    } catch {
      // The stored input cannot be decoded any more: the declared one replaces it.
      return false;
    }
  }

  private wantedBy(workflow: WorkflowDefinition): Wanted[] {
    const { name, schedules = [] } = workflow;
    const { payloads, namespace } = this.ports;
    return schedules.map((declared) => {
      const { input: given, ...options } = declared;
      const input = acceptedInput(workflow, given);
      const id = checkScheduleId(namespace, declaredId(name, schedules, declared));
      const text =
        input === undefined ? null : payloads.of({ workflow: name }).encode(input, `The input of schedule "${id}"`);
      return { id, workflow: name, spec: scheduleSpecOf(options, `Schedule "${id}"`), input: text };
    });
  }
}

const recordOf = ({ id, workflow, spec, input }: Wanted, namespace: string, now: number): ScheduleRecord => ({
  id,
  namespace,
  workflow,
  input,
  declared: true,
  spec: specText(spec),
  paused: false,
  nextAt: firstDue(spec, jitterKeyOf({ namespace, id }), now),
  firedAt: null,
  lastRunId: null,
  bufferedAt: null,
  createdAt: now,
});

/** If the plan is unchanged, the next time is kept; a pause is always kept. */
function redeclared(
  record: LockedSchedule,
  { workflow, spec, input }: Wanted,
  now: number,
  ends: ReadonlyMap<string, number>,
): ScheduleRecord {
  const nextAt = sameTimes(spec, specIn(record.spec)) ? record.nextAt : replanned(record, spec, now, ends);
  const bufferedAt = spec.overlap === 'buffer-one' ? record.bufferedAt : null;
  return { ...record, workflow, input, declared: true, spec: specText(spec), nextAt, bufferedAt };
}

/** Its next time is due when the other id says: a delay (`jitter`) is computed from it. */
function underAnotherId(record: ScheduleRecord, { id, spec }: Wanted): ScheduleRecord {
  const { nextAt, namespace } = record;
  const time = nextAt === null ? undefined : timeUpTo(spec, nextAt);
  return { ...record, id, nextAt: time === undefined ? nextAt : dueAt(spec, jitterKeyOf({ namespace, id }), time) };
}
