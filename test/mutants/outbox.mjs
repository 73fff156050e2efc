// @ts-check
/** Events: the order of numbers, slots and their epochs, what fails, the inbox. */

const ORDER = 'test/integration/outbox-w-order.spec.ts';
const RELAY = 'test/integration/outbox-r-ports.spec.ts';
const INBOX = 'test/integration/outbox-inbox.spec.ts';
const POSTGRES = 'typeorm on postgres';

/** @type {import('./mutant.mjs').Mutant[]} */
export const outboxMutants = [
  {
    id: 'publish-without-the-buckets-lock',
    promise: 'P6',
    file: 'lib/outbox/events/write-events.postgres.sql.ts',
    from: 'locks ? sql`SELECT ${lockBuckets(table, buckets)}` : sql`SELECT 1`',
    to: '!locks ? sql`SELECT ${lockBuckets(table, buckets)}` : sql`SELECT 1`',
    spec: ORDER,
    test: '1: a number is drawn while nobody else of the channel is between number and commit',
    on: POSTGRES,
  },
  {
    id: 'publish-of-mysql-without-the-lock',
    promise: 'P6',
    file: 'lib/outbox/events/write-events.mysql.sql.ts',
    from: 'ORDER BY bucket FOR UPDATE`',
    to: 'ORDER BY bucket`',
    spec: ORDER,
    test: '1: a number is drawn while nobody else of the channel is between number and commit',
    on: 'mikro-orm on mariadb',
  },
  {
    id: 'published-before-the-commit',
    promise: 'P6',
    file: 'lib/outbox/events/sql-outbox-writer.ts',
    from: "this.ordering === 'commit' && joined.beforeCommit",
    to: "this.ordering !== 'commit' && joined.beforeCommit",
    spec: 'test/integration/outbox-w-outbox.spec.ts',
    test: 'costs one statement, however often it is called',
    on: 'typeorm on mysql',
  },
  {
    id: 'acknowledged-without-the-slots-epoch',
    promise: 'P6',
    file: 'lib/outbox/relay/ack.postgres.sql.ts',
    from: 's.owner = ${owner} AND s.epoch = g.epoch',
    to: 's.owner = ${owner}',
    spec: RELAY,
    test: 'who has lost the slot can acknowledge, fail and bury nothing; its neighbours can',
    on: POSTGRES,
  },
  {
    id: 'slot-taken-with-the-old-epoch',
    promise: 'P6',
    file: 'lib/outbox/relay/slot-lease.sql.ts',
    from: 'epoch = s.epoch + 1',
    to: 'epoch = s.epoch',
    spec: RELAY,
    test: 'each owner has a greater epoch, and hears whether the last one gave the slot back',
    on: POSTGRES,
  },
  {
    id: 'publishes-beyond-its-lease',
    promise: 'P6',
    file: 'lib/outbox/relay/courier.ts',
    from: 'endsAt - this.elapsed.now() >= this.options.publishTimeoutMs',
    to: 'endsAt - this.elapsed.now() >= 0',
    spec: 'test/integration/outbox-r-throttling.spec.ts',
    test: 'has no more channels at once than it may, and nothing is begun that could outlast the lease',
    on: POSTGRES,
  },
  {
    id: 'goes-on-behind-a-failed-event',
    promise: 'P6',
    file: 'lib/outbox/relay/courier.ts',
    from: 'const failed = { lease: held.lease, channel, counts, delayMs, error: note, blocks: false };',
    to: 'const failed = { lease: held.lease, channel, counts: 0, delayMs: 0, error: note, blocks: false };',
    spec: 'test/integration/outbox-r-poison.spec.ts',
    test: 'blocks its own channel alone, until somebody lets it try again',
    on: POSTGRES,
  },
  {
    id: 'inbox-position-outside-of-the-transaction',
    promise: 'P6',
    file: 'lib/outbox/inbox/sql-inbox.ts',
    from: 'this.isNew(tx, incoming)',
    to: 'this.isNew(this.db, incoming)',
    spec: INBOX,
    test: 'what failed may come again, and its error is thrown on',
    on: POSTGRES,
  },
  {
    id: 'inbox-trusts-the-commit',
    promise: 'P6',
    file: 'lib/outbox/inbox/sql-inbox.ts',
    from: 'await checkStillStands(tx, selectTaken(this.scope, incoming));',
    to: 'void checkStillStands, selectTaken;',
    spec: INBOX,
    test: 'takes an event only if what it wrote of it stays, though it has caught the error of its last statement',
    on: POSTGRES,
  },
];
