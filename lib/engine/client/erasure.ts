import { randomUUID } from 'node:crypto';
import { type ActedBy, OPERATOR_OPTIONS, requiredOperator } from '../../acts/acts.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { checkedOptions, type KnownOptions } from '../../core/options.js';
import type { Erasure, OutgoingErasure } from '../erasure.js';
import { type Attributes, checkAttributes, checkRunId } from '../run.js';
import { signalChannel, type WorkflowSignal } from '../signals.js';
import type { EngineStorage } from '../storage.js';
import { Eraser, type ErasureReport, ErasureTally } from '../upkeep.js';

/** The runs of a business key. */
export interface RunsTarget {
  /** These runs. */
  id?: string | readonly string[];
  /** All runs that have all of these attributes. */
  attribute?: Attributes;
}

export const RUNS_TARGET = { id: true, attribute: true } satisfies KnownOptions<RunsTarget>;

/** Whose data is erased. Everything that is named belongs to it; at least one thing must be. */
export interface ErasureTarget extends RunsTarget {
  /** Calls that the app has enqueued itself, by operation and subject. Those of the runs are found without. */
  effects?: readonly { operation: string; subject: string }[];
  /** Signals sent to keys, also those that no run has taken. Those that the runs have taken are found without. */
  signals?: readonly { signal: WorkflowSignal<never> | WorkflowSignal<unknown> | string; key: string }[];
  /** All events of these channels of the outbox. Those that the runs have published are found without. */
  channels?: readonly string[];
}

const ERASURE_TARGET = {
  ...RUNS_TARGET,
  effects: true,
  signals: true,
  channels: true,
} satisfies KnownOptions<ErasureTarget>;

/** Actor and reason are stored: do not repeat there what is to be erased. */
export interface EraseOptions extends ActedBy {
  /**
   * Erases abandoned calls and dead letters too. They were never delivered, and nobody can requeue them then. Default
   * false: they are kept and reported.
   */
  discard?: boolean;
}

const ERASE_OPTIONS = { ...OPERATOR_OPTIONS, discard: true } satisfies KnownOptions<EraseOptions>;

interface Ports {
  storage: EngineStorage;
  outgoing: OutgoingErasure;
  namespace: string;
}

/** Runs per transaction of marks, and signals per transaction. */
const BATCH = 500;

export class ClientErasure {
  private readonly eraser: Eraser;

  constructor(private readonly ports: Ports) {
    this.eraser = new Eraser(ports);
  }

  /** @throws InvalidArgumentError */
  async erase(target: ErasureTarget, options: EraseOptions): Promise<ErasureReport> {
    const checked = checkedTarget(target);
    const by = requiredOperator(checkedOptions(options, ERASE_OPTIONS, 'erase'));
    const { discard = false } = options;
    const { namespace, storage, outgoing } = this.ports;
    const erasure: Erasure = { id: randomUUID(), namespace, discards: discard };
    await this.begin(erasure, checked, by);
    const tally = new ErasureTally();
    await this.eraser.work({ namespace, erasureId: erasure.id }, tally);
    tally.add(await outgoing.effectsFor(checked.effects, discard));
    tally.add(await outgoing.eventsIn(checked.channels, discard));
    tally.add({ signals: await this.forgetSignals(checked.signals) });
    const schedules =
      tally.schedules.size === 0 ? [] : await storage.schedules.list({ namespace, ids: [...tally.schedules] });
    const why = 'Its runs were erased, and it begins further ones with the same input: delete or change it';
    for (const { id, input } of schedules) if (input !== null) tally.keep({ kind: 'schedule', id, why });
    return tally.report(erasure.id);
  }

  /** The act is recorded with the first marks. It holds no values: they are what is to be erased. */
  private async begin(erasure: Erasure, target: CheckedTarget, by: ActedBy): Promise<void> {
    const { acts, erasure: marks } = this.ports.storage;
    const pages = this.runsOf(target);
    const { id, namespace, discards } = erasure;
    const first = (await pages.next()).value ?? [];
    const details = { ...shapeOf(target), discards };
    await acts.within(undefined, async (tx) => {
      if (first.length > 0) await marks.mark(erasure, first, tx);
      await acts.record(
        [{ ...by, action: 'erase', kind: 'bulk', target: id, namespace, details, outcome: 'begun' }],
        tx,
      );
    });
    for await (const ids of pages) await marks.mark(erasure, ids);
  }

  private async *runsOf({ ids, attributes }: CheckedTarget): AsyncGenerator<readonly string[], undefined> {
    const { namespace, storage } = this.ports;
    for (let at = 0; at < ids.length; at += BATCH) yield ids.slice(at, at + BATCH);
    if (attributes.length === 0) return undefined;
    for (let after = ''; ;) {
      const page = await storage.erasureReads.having({ namespace, attributes, after, limit: BATCH });
      if (page.length > 0) yield page;
      if (page.length < BATCH) return undefined;
      after = page.at(-1)!;
    }
  }

  private async forgetSignals(signals: CheckedTarget['signals']): Promise<number> {
    const { namespace, storage } = this.ports;
    const channels = signals.map(({ name, key }) => signalChannel({ namespace, addressed: 'key', name, target: key }));
    for (let forgotten = 0; ;) {
      const some = channels.length === 0 ? 0 : await storage.signalRemoval.forget(channels, BATCH);
      if (some === 0) return forgotten;
      forgotten += some;
    }
  }
}

interface CheckedTarget {
  ids: readonly string[];
  attributes: readonly (readonly [string, Attributes[string]])[];
  effects: readonly { operation: string; subject: string }[];
  signals: readonly { name: string; key: string }[];
  channels: readonly string[];
}

/** What was named, without values. */
const shapeOf = ({ attributes, ...lists }: CheckedTarget) => ({
  attributes: attributes.map(([name]) => name),
  ...Object.fromEntries(Object.entries(lists).map(([what, list]) => [what, list.length])),
});

/** The runs that are named, by id or by attribute. @throws InvalidArgumentError */
export function checkedRuns(target: RunsTarget): Pick<CheckedTarget, 'ids' | 'attributes'> {
  if (typeof target !== 'object' || target === null)
    throw new InvalidArgumentError('target', target, 'an object with id or attribute');
  const { id = [], attribute } = target;
  const attributes = attribute === undefined ? [] : Object.entries(checkAttributes(attribute));
  if (attribute !== undefined && attributes.length === 0)
    throw new InvalidArgumentError('attribute', attribute, 'at least one attribute');
  return { ids: [id].flat().map(checkRunId), attributes };
}

function checkedTarget(target: ErasureTarget): CheckedTarget {
  const runs = checkedRuns(target);
  const { effects = [], signals = [], channels = [] } = checkedOptions(target, ERASURE_TARGET, 'The target of erase');
  const checked = {
    ...runs,
    effects: listed('effects', effects).map((group, n) => ({
      operation: text(`effects[${n}].operation`, group?.operation),
      subject: text(`effects[${n}].subject`, group?.subject),
    })),
    signals: listed('signals', signals).map((one, n) => ({
      name: text(`signals[${n}].signal`, typeof one?.signal === 'string' ? one.signal : one?.signal?.name),
      key: text(`signals[${n}].key`, one?.key),
    })),
    channels: listed('channels', channels).map((channel, n) => text(`channels[${n}]`, channel)),
  };
  if (Object.values(checked).every(({ length }) => length === 0))
    throw new InvalidArgumentError('target', 'nothing', 'id, attribute, effects, signals or channels');
  return checked;
}

function listed<T>(what: string, list: readonly T[]): readonly T[] {
  if (!Array.isArray(list)) throw new InvalidArgumentError(what, list, 'a list');
  return list as readonly T[];
}

function text(what: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= 255) return value;
  throw new InvalidArgumentError(what, value, 'a string of 1 to 255 characters');
}
