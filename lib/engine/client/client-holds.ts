import { type ActedBy, OPERATOR_OPTIONS, requiredOperator } from '../../acts/act.js';
import { acting } from '../../acts/act-log.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { ScheduleNotFoundError } from '../../errors/run-errors.js';
import { type HeldThing, type Hold, type HoldKind, HOLD_KINDS, isInNamespace } from '../../holds/hold.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import { paused, resumed } from '../schedules/schedule-pauses.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { checkName } from '../model/names.js';
import type { ScheduleRecord } from '../model/schedule-store.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { ClassOf } from '../model/workflow-context.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

/** What to hold: exactly one of these. */
export interface HoldTarget {
  /** A workflow in all its versions. */
  workflow?: string | ClassOf<unknown>;
  /** The queue token of remote steps, in all namespaces. */
  group?: string;
  /** The name of an effect, in all namespaces. */
  effect?: string;
  /** The id of a schedule: the same as `WorkflowSchedules.pause`, and it says why. */
  schedule?: string;
}

const HOLD_TARGET = { workflow: true, group: true, effect: true, schedule: true } satisfies KnownOptions<HoldTarget>;

export interface HoldOptions extends ActedBy {
  /** When it ends by itself. Default: when somebody lifts it. */
  until?: Date;
}

const HOLD_OPTIONS = { ...OPERATOR_OPTIONS, until: true } satisfies KnownOptions<HoldOptions>;

interface Ports {
  storage: Pick<EngineStorage, 'holds' | 'acts' | 'schedules'>;
  resolve: WorkflowLookup;
  namespace: string;
  clock: Clock;
  telemetry?: Telemetry | undefined;
}

/** Holds and lifts: each is one transaction with its act. */
export class ClientHolds {
  constructor(private readonly ports: Ports) {}

  async hold(target: HoldTarget, options: HoldOptions): Promise<void> {
    const { until, ...by } = checkedOptions(options, HOLD_OPTIONS, 'hold');
    const thing = this.thingOf(target);
    const operator = requiredOperator(by);
    this.checkUntil(until);
    const { storage, namespace } = this.ports;
    const deed = {
      ...this.deedOn('hold', thing),
      outcome: (before: Hold | undefined) => ({
        outcome: before ? 'changed' : 'held',
        details: { until: until?.toISOString() ?? null, ...(before && { before }) },
      }),
    };
    await acting(storage.acts, operator, undefined, deed, async (tx) => {
      if (thing.kind === 'schedule') await this.rewrite(thing.name, tx!, (schedule) => paused(schedule, until));
      return storage.holds.put(namespace, { ...thing, ...operator, until }, tx!);
    });
    const ends = until && { until: until.toISOString() };
    this.ports.telemetry?.emit('hold.begun', { ...thing, ...operator, ...ends });
  }

  /** Returns whether it was held. */
  async lift(target: HoldTarget, by: ActedBy): Promise<boolean> {
    const thing = this.thingOf(target);
    const operator = requiredOperator(by);
    const { storage, namespace } = this.ports;
    const deed = {
      ...this.deedOn('lift', thing),
      outcome: ({ was, before }: Lifted) => ({
        outcome: was ? 'lifted' : 'missing',
        ...(before && { details: { before } }),
      }),
    };
    const { was } = await acting(storage.acts, operator, undefined, deed, async (tx): Promise<Lifted> => {
      const wasPaused = thing.kind === 'schedule' && (await this.resume(thing.name, tx!));
      const before = await storage.holds.lift(namespace, thing, tx!);
      return { was: wasPaused || before !== undefined, before };
    });
    if (was) this.ports.telemetry?.emit('hold.lifted', { ...thing, ...operator });
    return was;
  }

  list(): Promise<Hold[]> {
    return this.ports.storage.holds.list(this.ports.namespace);
  }

  private deedOn(action: string, { kind, name }: HeldThing) {
    const namespace = isInNamespace(kind) ? this.ports.namespace : null;
    return { action, kind: 'hold', target: `${kind}:${name}`, namespace } as const;
  }

  private async resume(id: string, tx: Transaction): Promise<boolean> {
    let was = false;
    await this.rewrite(id, tx, (schedule, now) => {
      was = schedule.paused;
      return resumed(schedule, now);
    });
    return was;
  }

  private async rewrite(
    id: string,
    tx: Transaction,
    change: (schedule: ScheduleRecord, now: number) => ScheduleRecord,
  ): Promise<void> {
    const { storage, namespace } = this.ports;
    const found = await storage.schedules.change(
      { namespace, ids: [id] },
      async (locked, now) => locked.map(({ lastStatus: _, ...schedule }) => change(schedule, now)),
      tx,
    );
    if (found === 0) throw new ScheduleNotFoundError(id);
  }

  private thingOf(target: HoldTarget): HeldThing {
    const named: HoldTarget = checkedOptions(target, HOLD_TARGET, 'hold and lift') ?? {};
    const given = HOLD_KINDS.filter((kind) => named[kind] !== undefined);
    const [kind] = given;
    if (kind === undefined || given.length > 1)
      throw new InvalidArgumentError('target', target, `exactly one of ${HOLD_KINDS.join(', ')}`);
    return { kind, name: this.nameOf(kind, named[kind]) };
  }

  private nameOf(kind: HoldKind, given: HoldTarget[HoldKind]): string {
    if (kind === 'workflow' && typeof given === 'function') return this.ports.resolve(given).name;
    return checkName(given, kind);
  }

  private checkUntil(until: Date | undefined): void {
    if (until === undefined) return;
    const ms = until instanceof Date ? until.getTime() : Number.NaN;
    if (!(ms > this.ports.clock.now())) throw new InvalidArgumentError('until', until, 'a Date in the future');
  }
}

interface Lifted {
  was: boolean;
  before: Hold | undefined;
}
