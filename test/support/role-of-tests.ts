import { BY_ROWS, NEEDS_OWNER } from './suites-of-owner.js';
import type { Role } from './role-users.js';

/** What executors, the transport and the engine promise, they promise to users that may do no more than their work. */
const FOUNDATION = /test\/integration\/(?:sql|transport|engine)\//;

/** Whether the ORMs of a suite, by its path, have the rights of `durableRolesSql`. */
export const isUnderRoles = (suite: string): boolean =>
  FOUNDATION.test(suite) && !Object.keys({ ...NEEDS_OWNER, ...BY_ROWS }).some((owned) => suite.endsWith(owned));

function roleOf(suite: string, wanted = process.env['DURABLE_TEST_ROLE']): Role | undefined {
  if (wanted !== undefined && wanted !== 'owner')
    throw new Error(`DURABLE_TEST_ROLE=${wanted}: it can be "owner" only`);
  return wanted === undefined && isUnderRoles(suite) ? 'engine' : undefined;
}

/**
 * Whose rights an ORM has that this suite opens: in suites of the foundation those of `durableRolesSql`, else, and with
 * `DURABLE_TEST_ROLE=owner`, those of the owner. The tables are made before, by their owner; what a test asks the
 * database itself, without an ORM, it asks as the owner.
 */
export const ROLE_OF_TESTS: Role | undefined = roleOf(expect.getState().testPath ?? '');
