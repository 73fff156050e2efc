import { InvalidArgumentError } from '../errors/argument-errors.js';
import { type Act, ACT_KINDS, type ActKind } from './act.js';
import type { ActLog, ListActs } from './act-log.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';

export interface ListActsOptions {
  kind?: ActKind;
  /** The id or name of what was changed: of a run, a schedule, a channel, an effect. */
  target?: string;
  actor?: string;
  /** The verb, such as `cancel`. */
  action?: string;
  /** Not before this time. */
  since?: Date;
  /** Before this time. */
  until?: Date;
  /** The maximum number of acts of a page, from 1 to 1,000. Default 100. */
  limit?: number;
  /** The cursor of the previous page. */
  cursor?: string;
}

const LIST_OPTIONS = {
  kind: true,
  target: true,
  actor: true,
  action: true,
  since: true,
  until: true,
  limit: true,
  cursor: true,
} satisfies KnownOptions<ListActsOptions>;

export interface ActPage {
  /** Newest first. */
  acts: Act[];
  /** For the next page; undefined on the last one. */
  cursor?: string;
}

/**
 * Shows what operators did: who, when, why, and what was there before.
 *
 * @example
 * const { acts } = await operatorActs.list({ kind: 'run', target: 'order-7' });
 */
export class OperatorActs {
  constructor(
    private readonly log: Pick<ActLog, 'list'>,
    private readonly namespace: string,
  ) {}

  /**
   * Lists acts, newest first, page by page. A page looks at 10,000 acts, so that one with several filters may have none,
   * and a cursor.
   *
   * @throws InvalidArgumentError
   */
  async list(options: ListActsOptions = {}): Promise<ActPage> {
    const query = queryOf(checkedOptions(options, LIST_OPTIONS, 'OperatorActs.list'), this.namespace);
    const { acts, next } = await this.log.list(query);
    return { acts, ...(next !== undefined && { cursor: next }) };
  }
}

function queryOf(options: ListActsOptions, namespace: string): ListActs {
  const { kind, target, actor, action, since, until, limit = 100, cursor } = options;
  if (kind !== undefined && !ACT_KINDS.includes(kind))
    throw new InvalidArgumentError('kind', kind, `one of ${ACT_KINDS.join(', ')}`);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
    throw new InvalidArgumentError('limit', limit, 'a whole number from 1 to 1000');
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
    throw new InvalidArgumentError('cursor', cursor, 'the cursor of the previous page');
  return {
    namespace,
    limit,
    ...(kind !== undefined && { kind }),
    ...(target !== undefined && { target: textOf('target', target) }),
    ...(actor !== undefined && { actor: textOf('actor', actor) }),
    ...(action !== undefined && { action: textOf('action', action) }),
    ...(since !== undefined && { since: timeOf('since', since) }),
    ...(until !== undefined && { until: timeOf('until', until) }),
    ...(cursor !== undefined && { before: cursor }),
  };
}

function textOf(argument: string, text: unknown): string {
  if (typeof text === 'string' && !/[\0\p{Cs}]/u.test(text)) return text;
  throw new InvalidArgumentError(argument, text, 'a text');
}

function timeOf(argument: string, time: unknown): number {
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.getTime();
  throw new InvalidArgumentError(argument, time, 'a valid Date');
}
