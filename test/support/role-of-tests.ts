import type { Role } from './role-users.js';
import { suite } from './tiers.js';

/** What executors, the transport and the engine promise, they promise to users that may do no more than their work. */
const FOUNDATION = /^test\/\w+\/(?:sql|worker|engine|store)\//;

const owned = new Set<string>();

/** Called at the top of a suite that does what only the owner of the tables may, or would show nothing without, and why. */
export const needsOwner = (_why: string): void => void owned.add(suite());

/**
 * Whose rights an ORM has that the running suite opens: in suites of the foundation those of `durableRolesSql`, else, and
 * with `DURABLE_TEST_ROLE=owner`, those of the owner. The tables are made before, by their owner; what a test asks the
 * database itself, without an ORM, it asks as the owner.
 */
export function roleOfTests(wanted = process.env['DURABLE_TEST_ROLE']): Role | undefined {
  if (wanted !== undefined && wanted !== 'owner')
    throw new Error(`DURABLE_TEST_ROLE=${wanted}: it can be "owner" only`);
  return wanted === undefined && FOUNDATION.test(suite()) && !owned.has(suite()) ? 'engine' : undefined;
}
