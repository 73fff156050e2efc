import type { FleetInsight } from '../engine/model/fleet-insight.js';
import { type Count, checkedLimit, countOf, dateOf } from './questions.js';
import type { PageOptions } from './queues.js';

/** A limit of a workflow or a step, for one key. */
export interface LimitInSight {
  /** The name of the workflow or step. */
  name: string;
  key: string;
  concurrency: number | null;
  rate: { max: number; durationMs: number } | null;
  /** How many hold a permit, counted up to 1,000. */
  holding: Count;
  /** How many wait in its queue, counted up to 1,000. */
  waiting: Count;
  /** Since when the first of these waits. */
  since: Date | null;
  /** When it opens, if its rate closes it now. */
  opensAt: Date | null;
}

export interface LimitsPage {
  /** Those that are in use; those with the longest queues first within the page. A page may be short. */
  limits: LimitInSight[];
  /** For the next page. */
  cursor?: string;
}

const COUNTED = 1_000;

export async function limitsPage(
  fleet: FleetInsight,
  namespace: string,
  { limit = 100, cursor: after = '' }: PageOptions,
): Promise<LimitsPage> {
  checkedLimit(limit, 100);
  const { limiters, next } = await fleet.limiters({ namespace, after, limit, atMost: COUNTED });
  const limits = limiters
    .sort((a, b) => b.waiting.count - a.waiting.count || b.holding.count - a.holding.count)
    .map(({ name, key, limits: { concurrency = null, rate = null }, holding, waiting, since, openAt }) => ({
      name,
      key,
      concurrency,
      rate,
      holding: countOf(holding),
      waiting: countOf(waiting),
      since: dateOf(since),
      opensAt: dateOf(openAt),
    }));
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
  /** How many signals were looked at, taken ones included: the newest 10,000 to runs and to keys. */
  lookedAt: number;
  /** Whether these are all. */
  complete: boolean;
}

const SCANNED = 10_000;

export async function untakenSignals(
  fleet: FleetInsight,
  namespace: string,
  { limit = 100 }: Pick<PageOptions, 'limit'>,
): Promise<SignalsPage> {
  const query = { namespace, scan: SCANNED, limit: checkedLimit(limit, 1_000) };
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
