import { type AttributeValue, BLOCK_REASONS, type RunReason, type RunRecord, type RunStatus } from './run.js';

/** Where a run stands in the order of creation. */
export interface ListPosition {
  createdAt: number;
  id: string;
}

export type Comparison = '=' | '>' | '>=' | '<' | '<=';

/** All of them have to hold. The values are of one type, and so is what they are compared with. */
export interface AttributeFilter {
  name: string;
  compare: readonly { how: Comparison; value: AttributeValue }[];
}

export interface ListRuns {
  namespace: string;
  status?: readonly RunStatus[];
  reason?: readonly RunReason[];
  /** Only runs that stand still until code comes that fits, or somebody helps. */
  blocked?: boolean;
  workflow?: string;
  version?: number;
  attributes?: readonly AttributeFilter[];
  /** Created at this time or later, epoch ms. */
  createdFrom?: number;
  /** Created before this time, epoch ms. */
  createdBefore?: number;
  parentId?: string;
  scheduleId?: string;
  /** Default `newest`. */
  order?: 'newest' | 'oldest';
  limit: number;
  /** Where the last page ended. */
  past?: ListPosition;
}

export interface ListedRuns {
  runs: RunRecord[];
  /** Where the next page begins; undefined when there is none. The page may be short all the same. */
  next: ListPosition | undefined;
}

/**
 * The most runs that are looked at for one page: when so many hold too few that fit, the page is short, or empty, and
 * says where to go on.
 */
export const MOST_SCANNED = 10_000;

/** Whether a run is what is asked for, apart from its attributes. */
export function isListed(run: RunRecord, query: ListRuns): boolean {
  const { namespace, status, reason, blocked, workflow, version, createdFrom, createdBefore } = query;
  const { parentId, scheduleId } = query;
  const reasons = [...(reason ? [reason] : []), ...(blocked ? [BLOCK_REASONS] : [])];
  return (
    run.namespace === namespace &&
    (!status || status.includes(run.status)) &&
    reasons.every((among) => among.some((known) => known === run.reason)) &&
    (workflow === undefined || run.workflow === workflow) &&
    (version === undefined || run.version === version) &&
    (createdFrom === undefined || run.createdAt >= createdFrom) &&
    (createdBefore === undefined || run.createdAt < createdBefore) &&
    (parentId === undefined || run.parentId === parentId) &&
    (scheduleId === undefined || run.scheduleId === scheduleId)
  );
}
