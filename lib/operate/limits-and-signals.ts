import { type ActedBy, acting, OPERATOR_OPTIONS, requiredOperator } from '../acts/acts.js';
import { InvalidArgumentError } from '../core/errors.js';
import { checkedLimit, checkedOptions, type KnownOptions } from '../core/options.js';
import { signalName, targetOf } from '../engine/client/signals.js';
import type { FleetInsight, LimiterUser, SignalsWanted, WaitCursor } from '../engine/insight.js';
import { checkName, checkRunId } from '../engine/run.js';
import { channelWanted, signalChannel } from '../engine/signals.js';
import type { EngineStorage } from '../engine/storage.js';
import { type Count, countOf, dateOf, PAGE_OPTIONS, type PageOptions } from './operator-parts.js';

/** A run, or a step of one, that holds a permit or waits for one. */
export interface InLine {
  workflowId: string;
  /** Its position in the run; null: the run itself. */
  seq: number | null;
  /** When it came. */
  since: Date;
}

/** A limit of a workflow or a step, for one key. */
export interface LimitInSight {
  /** The name of the workflow or step. */
  name: string;
  key: string;
  concurrency: number | null;
  rate: { max: number; durationMs: number } | null;
  /** How many hold a permit, counted up to 20,000 divided by the limit of the page: 200 by default, at most 1,000. */
  holding: Count;
  /** How many wait in its queue, counted up to the same number. */
  waiting: Count;
  /** Since when the first of these waits. */
  since: Date | null;
  /** When it opens, if its rate closes it now. */
  opensAt: Date | null;
  /** Up to five of those that hold a permit. */
  holders: InLine[];
  /** The first five of its queue, in their order. */
  line: InLine[];
}

export interface LimitsPage {
  /** Those that are in use; those with the longest queues first within the page. A page may be short. */
  limits: LimitInSight[];
  /** For the next page. */
  cursor?: string;
}

const COUNTED_ON_A_PAGE = 20_000;
const NAMED = 5;

const inLine = ({ holder, runId, since }: LimiterUser): InLine => ({
  workflowId: runId,
  seq: holder === runId ? null : Number(holder.slice(runId.length + 1)),
  since: new Date(since),
});

export async function limitsPage(
  fleet: FleetInsight,
  namespace: string,
  { limit = 100, cursor: after = '' }: PageOptions,
): Promise<LimitsPage> {
  checkedLimit(limit, 100);
  const { limiters, next } = await fleet.limiters({
    namespace,
    after,
    limit,
    atMost: Math.min(1_000, Math.floor(COUNTED_ON_A_PAGE / limit)),
    named: NAMED,
  });
  const limits = limiters
    .sort((a, b) => b.waiting.count - a.waiting.count || b.holding.count - a.holding.count)
    .map(
      ({ name, key, limits: { concurrency = null, rate = null }, holding, waiting, since, openAt, holders, line }) => ({
        name,
        key,
        concurrency,
        rate,
        holding: countOf(holding),
        waiting: countOf(waiting),
        since: dateOf(since),
        opensAt: dateOf(openAt),
        holders: holders.map(inLine),
        line: line.map(inLine),
      }),
    );
  return { limits, ...(next !== undefined && { cursor: next }) };
}

/** Signals of one name to one run or key that no run has taken. */
export interface SignalsInSight {
  name: string;
  to: { workflowId: string } | { key: string };
  count: number;
  /** When the oldest of them was sent. */
  since: Date;
  /** How many runs wait for them now; above 0 only for moments, or while `match` refuses them. */
  listening: number;
}

export interface SignalsPage {
  /** Those that wait longest first. */
  signals: SignalsInSight[];
  /**
   * How many signals were looked at, taken ones included: the newest 10,000 to runs and to keys; with a run, or a name and
   * a key, 10,000 of its own.
   */
  lookedAt: number;
  /** Whether these are all. */
  complete: boolean;
}

export interface SignalsOptions extends Pick<PageOptions, 'limit'> {
  name?: string;
  /** Those to this run, or to this key. */
  workflowId?: string;
  key?: string;
}

export const SIGNALS_OPTIONS = {
  limit: true,
  name: true,
  workflowId: true,
  key: true,
} satisfies KnownOptions<SignalsOptions>;

const SCANNED = 10_000;

export async function untakenSignals(
  fleet: FleetInsight,
  namespace: string,
  { limit = 100, ...wanted }: SignalsOptions,
): Promise<SignalsPage> {
  if (wanted.workflowId !== undefined && wanted.key !== undefined)
    throw new InvalidArgumentError('key', wanted.key, 'it without a run: a signal is sent to either');
  const query = { namespace, scan: SCANNED, limit: checkedLimit(limit, 1_000), ...wantedIn(wanted) };
  const { signals, lookedAt, more } = await fleet.untakenSignals(query);
  return {
    signals: signals.map(({ name, addressed, target, count, since, listening }) => ({
      name,
      to: addressed === 'run' ? { workflowId: target } : { key: target },
      count,
      since: new Date(since),
      listening,
    })),
    lookedAt,
    complete: !more,
  };
}

/** A step of a run that waits for a signal. One that waits for the first of several has a wait for each. */
export interface SignalWaitInSight {
  workflowId: string;
  workflow: string;
  /** The position of the step. */
  seq: number;
  step: string;
  /** The name of the signal; null if it was erased, or recorded by an old version. */
  name: string | null;
  /** Null: the signal must be sent to the run itself. */
  key: string | null;
  since: Date;
  deadline: Date | null;
}

export interface SignalWaitsPage {
  /** In no order that says anything. A page may be short. */
  waits: SignalWaitInSight[];
  /** For the next page. */
  cursor?: string;
}

export interface SignalWaitsOptions extends PageOptions {
  /** Of the signal; with `key` or `workflowId`. */
  name?: string;
  /** To which it is sent; with `name` or `workflowId`. */
  key?: string;
  /** The run that waits. */
  workflowId?: string;
}

export const SIGNAL_WAITS_OPTIONS = {
  ...PAGE_OPTIONS,
  name: true,
  key: true,
  workflowId: true,
} satisfies KnownOptions<SignalWaitsOptions>;

/** By its run, or by name and key: no index has one of these alone. */
export async function signalWaitsPage(
  fleet: Pick<FleetInsight, 'signalWaits'>,
  namespace: string,
  options: SignalWaitsOptions,
): Promise<SignalWaitsPage> {
  const { limit = 100, cursor } = options;
  const { name, key, run } = wantedIn(options);
  if (run === undefined && (name === undefined) !== (key === undefined))
    throw new InvalidArgumentError('name and key', name ?? key, 'both, or a run: no index has waits by one alone');
  const query = { namespace, run, channel: channelWanted(namespace, { name, key }), limit: checkedLimit(limit, 100) };
  const { waits, next } = await fleet.signalWaits({ ...query, after: cursorIn(cursor) });
  const isMeant = (wait: { name: string | null; key: string | null }) =>
    (name === undefined || wait.name === name) && (key === undefined || wait.key === key);
  return {
    waits: waits.filter(isMeant).map(({ runId: workflowId, since, deadline, ...wait }) => {
      const times = { since: new Date(since), deadline: dateOf(deadline) };
      return { workflowId, ...wait, ...times };
    }),
    ...(next && { cursor: `${next.channel} ${next.stepId}` }),
  };
}

/** Which signals somebody means. @throws InvalidArgumentError */
function wantedIn({ name, key, workflowId }: Omit<SignalWaitsOptions, keyof PageOptions>): SignalsWanted {
  return {
    name: name === undefined ? undefined : checkName(name, 'The name of a signal'),
    key: key === undefined ? undefined : checkName(key, 'The key of a signal'),
    run: workflowId === undefined ? undefined : checkRunId(workflowId),
  };
}

/** @throws InvalidArgumentError */
function cursorIn(cursor: string | undefined): WaitCursor | undefined {
  if (cursor === undefined) return undefined;
  const [, channel, stepId] = /^([\w-]+) ([^\0]+)$/.exec(cursor) ?? [];
  if (channel === undefined || stepId === undefined)
    throw new InvalidArgumentError('cursor', cursor, 'the cursor of an answer');
  return { channel, stepId };
}

/** Whose signals: of either a run or a key. */
export interface DeleteSignalsOptions extends ActedBy {
  workflowId?: string;
  key?: string;
  /** How many at most, those that were sent first. From 1 to 1,000. Default 1,000. */
  limit?: number;
}

const OPTIONS = {
  ...OPERATOR_OPTIONS,
  workflowId: true,
  key: true,
  limit: true,
} satisfies KnownOptions<DeleteSignalsOptions>;

interface Ports {
  storage: Pick<EngineStorage, 'signalRemoval' | 'acts'>;
  namespace: string;
}

/** Deletes signals that no run has taken, in one transaction with the act. Returns how many. */
export async function deleteSignals(
  { storage, namespace }: Ports,
  signal: string,
  options: DeleteSignalsOptions,
): Promise<number> {
  const given = checkedOptions(options, OPTIONS, 'Operator.deleteSignals') ?? {};
  const by = requiredOperator(given);
  const limit = checkedLimit(given.limit ?? 1_000, 1_000);
  const name = signalName(signal);
  const { addressed, target } = targetOf(given);
  const channel = signalChannel({ namespace, name, addressed, target });
  const deed = {
    action: 'delete signals',
    kind: addressed === 'run' ? ('run' as const) : ('signal' as const),
    target,
    namespace,
    outcome: (count: number) => ({ outcome: count > 0 ? 'deleted' : 'missing', details: { signal: name, count } }),
  };
  return acting(storage.acts, by, undefined, deed, (tx) => storage.signalRemoval.deleteUntaken(channel, limit, tx!));
}
