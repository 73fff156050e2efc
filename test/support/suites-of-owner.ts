const INTEGRATION = 'test/integration';
const OWN_DATABASE = 'makes a database of its own, or a server';
const OWN_TABLES = 'makes tables of its own';

/**
 * Suites of the foundation that have the rights of the owner of the tables, since they do what only the owner may, and
 * why. What a test asks of the database beside its ORM it may ask under roles, too: that is done as the owner.
 */
export const NEEDS_OWNER: Readonly<Record<string, string>> = {
  [`${INTEGRATION}/engine/outage.spec.ts`]: OWN_DATABASE,
  [`${INTEGRATION}/sql/pg-pool.spec.ts`]: OWN_DATABASE,
  [`${INTEGRATION}/transport/queue-pages.spec.ts`]: OWN_DATABASE,
  [`${INTEGRATION}/engine/parking.spec.ts`]:
    'waits until each process hears notifications; one per role has nothing to hear',
  [`${INTEGRATION}/engine/one-writer.spec.ts`]: 'has servers of its own, and makes tables on each',
  [`${INTEGRATION}/transport/defects.spec.ts`]: 'a DbTransport makes the tables',
  [`${INTEGRATION}/transport/late-claims.spec.ts`]: 'a DbTransport makes the tables',
  [`${INTEGRATION}/transport/operations.spec.ts`]: 'a DbTransport makes the tables',
  [`${INTEGRATION}/transport/sign-in.spec.ts`]: 'looks at a database without our tables',
  [`${INTEGRATION}/sql/backends.spec.ts`]: OWN_TABLES,
  [`${INTEGRATION}/sql/large-answers.spec.ts`]: OWN_TABLES,
  [`${INTEGRATION}/sql/migrator.spec.ts`]: 'migrates',
  [`${INTEGRATION}/sql/missing-rights.spec.ts`]: 'migrates, and takes rights away',
  [`${INTEGRATION}/sql/role-matrix.spec.ts`]: 'connects as each of the roles by itself',
  [`${INTEGRATION}/sql/schema-commands.spec.ts`]: 'changes the schema with the tools of the ORMs',
  [`${INTEGRATION}/sql/small-packets.spec.ts`]: OWN_TABLES,
  [`${INTEGRATION}/sql/sql-executor.spec.ts`]: OWN_TABLES,
  [`${INTEGRATION}/sql/time-limits.spec.ts`]: OWN_TABLES,
  [`${INTEGRATION}/sql/unsupported-servers.spec.ts`]: 'migrates on servers that are refused',
};

const BY_QUANTITY = 'checks plans or costs by the number of rows; its statements are those of other suites';

/** Suites that keep the rights of the owner because they would show nothing: a statement is permitted or not, whatever it finds. */
export const BY_ROWS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'sql/large-batches',
    'sql/large-statements',
    'engine/backlog',
    'engine/cost',
    'engine/erasure-plans',
    'engine/fence-plans',
    'engine/operator-plans',
    'engine/plans',
    'engine/question-plans',
    'engine/replay-scale',
    'engine/scale',
    'engine/signals-cost',
    'engine/signals-plans',
    'engine/story-cost',
    'engine/unserved-plans',
    'transport/backlog',
    'transport/plans',
  ].map((name) => [`${INTEGRATION}/${name}.spec.ts`, BY_QUANTITY]),
);
