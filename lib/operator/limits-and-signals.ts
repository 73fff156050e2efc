import type { FleetInsight, LimiterUser } from '../engine/model/fleet-insight.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { KnownOptions } from '../options/known-options.js';
import { type Count, checkedLimit, countOf, dateOf } from './questions.js';
import type { PageOptions } from './queues.js';
import { wantedIn } from './signal-waits.js';

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
