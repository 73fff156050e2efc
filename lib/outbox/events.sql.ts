import { randomUUID } from 'node:crypto';
import { SchemaError } from '../core/errors.js';
import type { Transaction } from '../core/transaction.js';
import { isDenied } from '../sql/database-errors.js';
import {
  amongKeys,
  amongNumbers,
  byFamily,
  deleteByNumbers,
  type Dialect,
  type JsonColumn,
  numberList,
  postgres,
  wholeNumber,
} from '../sql/dialects.js';
import { type JoinedTransaction, type SqlConnection, type SqlExecutor, sqlTransaction } from '../sql/executor.js';
import { LOCK_BUCKETS } from '../sql/migrations/001.js';
import type { Notifier } from '../sql/notifier.js';
import { int, raw, render, sql, type SqlPart, type Statement } from '../sql/statement.js';
import { inPackets, TablesAdapter } from '../sql/tables.js';
import {
  crcOf,
  type EraseDeadLetters,
  type ErasedEvents,
  type EraseEvents,
  type EventErasure,
  OUTBOX_TOPIC,
  type OutboxOrdering,
  type OutboxWriter,
  PENDING,
  type WrittenEvent,
} from './events.js';
import { eraName, type OutboxTables, type PublishedNames, qualified } from './tables.sql.js';

/**
 * Stores events in the app's own database. With ordering `commit`, events are collected and written right before the
 * transaction commits, in one statement if they fit: so locks are held briefly, and acquired after all other locks.
 */
export class SqlOutboxWriter implements OutboxWriter {
  /** For transactions that are committing: the events that their works have added so far. */
  private readonly flushing = new WeakMap<SqlConnection, WrittenEvent[]>();

  constructor(
    private readonly db: SqlExecutor,
    private readonly tables: OutboxTables,
    private readonly notifier: Pick<Notifier, 'local' | 'publish'>,
    private readonly ordering: OutboxOrdering,
  ) {}

  async write(events: readonly WrittenEvent[], transaction?: unknown): Promise<void> {
    const joined = transaction === undefined ? this.db.ambient?.() : this.db.join(transaction);
    if (!joined) return this.writeAlone(events);
    if (events.length > 0) await this.writeWith(joined, events);
  }

  async writeWith(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    const joined: JoinedTransaction = sqlTransaction(tx);
    joined.afterCommit(() => this.tell(events));
    if (this.ordering === 'commit' && joined.beforeCommit?.((last) => this.flush(last, events))) return;
    await this.writeNow(joined, events);
  }

  async writeAlone(events: readonly WrittenEvent[]): Promise<void> {
    if (events.length === 0) return;
    const statements = this.statements(events);
    // A single statement is a transaction too.
    if (statements.length === 1) await runAll(this.db, statements);
    else await this.db.transaction((tx) => runAll(tx, statements));
    this.tell(events);
  }

  async writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    if (events.length === 0) return;
    tx.afterCommit(() => this.tell(events));
    await runAll(sqlTransaction(tx), this.statements(events));
  }

  private tell(events: readonly WrittenEvent[]): void {
    this.wake([...new Set(events.map(({ channel }) => channel))]);
  }

  wake(channels: readonly string[]): void {
    const payload = JSON.stringify(channels);
    this.notifier.local(OUTBOX_TOPIC, payload);
    this.notifier.publish(OUTBOX_TOPIC, payload);
  }

  /** The first call writes for all: the works of a transaction are called together. */
  private async flush(tx: SqlConnection, events: readonly WrittenEvent[]): Promise<void> {
    const open = this.flushing.get(tx);
    if (open) {
      // One by one: spread arguments go on the stack, which overflows with a hundred thousand.
      for (const event of events) open.push(event);
      return;
    }
    const all = [...events];
    this.flushing.set(tx, all);
    await Promise.resolve();
    this.flushing.delete(tx);
    await runAll(tx, this.statements(all));
  }

  private async writeNow(connection: SqlConnection, events: readonly WrittenEvent[]): Promise<void> {
    const atOnce = () => this.statements(events);
    const statements = byFamily(connection.dialect, {
      // The triggers lock at commit, which is later than now and therefore better.
      postgres: () => (this.ordering === 'commit' ? [insertEventsOnPostgres(this.tables, events)] : atOnce()),
      mysql: atOnce,
    });
    await runAll(connection, statements);
  }

  /** The statements to run in this order in one transaction. */
  private statements(events: readonly WrittenEvent[]): Statement[] {
    const { dialect } = this.db;
    const locks = this.ordering !== 'none';
    return byFamily(dialect, {
      // PostgreSQL accepts 1 GB per value; a JavaScript string ends at half of that.
      postgres: () => [writeEvents(this.tables, events, locks)],
      mysql: () =>
        packetsOf(events).map((packet, ordinal) =>
          // The first packet locks for all packets: otherwise two writers could deadlock.
          locks && ordinal === 0
            ? insertUnderLocks(dialect, this.tables, packet, events)
            : insertEventsOnMysql(dialect, this.tables, packet),
        ),
    });
  }
}

async function runAll(connection: SqlConnection, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await connection.run(statement);
}

const packetsOf = (events: readonly WrittenEvent[]): WrittenEvent[][] =>
  inPackets(events, ({ mutationId, channel, name, data, headers }) => [mutationId, channel, name, data, headers]);

const COLUMNS: Record<string, JsonColumn> = {
  ordinal: 'int',
  mutation_id: 'key',
  channel: 'text',
  name: 'key',
  rejected: 'bool',
  data: 'text',
  headers: 'text',
};

/** The events as a table expression, with their `ordinal` in the order given. */
export const eventRows = (dialect: Dialect, events: readonly WrittenEvent[]): Statement =>
  dialect.rows(
    events.map(({ mutationId, channel, name, rejected, data, headers }, ordinal) => ({
      ordinal,
      mutation_id: mutationId,
      channel,
      name,
      rejected,
      data,
      headers,
    })),
    COLUMNS,
  );

const insertGiven = ({ outbox }: OutboxTables, condition: Statement): Statement => sql`
  INSERT INTO ${outbox} (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, CAST(g.data AS jsonb), CAST(g.headers AS jsonb)
  FROM given AS g${condition} ORDER BY g.ordinal`;

/** PostgreSQL. A plain INSERT: the triggers keep the order. */
export const insertEventsOnPostgres = (tables: OutboxTables, events: readonly WrittenEvent[]): Statement => sql`
  WITH given AS (SELECT * FROM ${eventRows(postgres, events)} AS r) ${insertGiven(tables, raw(''))}`;

/**
 * PostgreSQL. Skips the triggers, which would do the same row by row. With `locks`, first locks all buckets of the transaction in
 * order, including those of its plain INSERTs, and only then draws numbers. If there were plain INSERTs, the rows are
 * inserted like those, so that they follow them.
 */
export function writeEvents(tables: OutboxTables, events: readonly WrittenEvent[], locks: boolean): Statement {
  const table = tableNumber(tables.outbox);
  const noted = sql`current_setting('${raw(NOTED)}' || ${table}, true)`;
  const buckets = sql`SELECT ${bucketOfChannel(raw('channel'))} AS bucket FROM given
      UNION ALL SELECT bucket FROM ${bucketsNoted(noted)}`;
  const locked = locks ? sql`SELECT ${lockBucketsOnPostgres(table, buckets)}` : sql`SELECT 1`;
  return sql`
  WITH given AS MATERIALIZED (SELECT * FROM ${eventRows(postgres, events)} AS r),
  locked AS MATERIALIZED (${locked}),
  hushed AS MATERIALIZED (
    SELECT set_config(${quiet}, CASE WHEN coalesce(${noted}, '') = '' THEN CAST(${table} AS text) ELSE '' END, true), ${lookAtEraOnPostgres(tables.names)} AS era
  ),
  written AS (${insertGiven(tables, raw('\n  WHERE (SELECT count(*) FROM locked) >= 0 AND (SELECT count(*) FROM hushed) = 1'))}
    RETURNING 1
  )
  SELECT count(*) AS written, set_config(${quiet}, '', true) AS loud FROM written`;
}

const bucketList = (events: readonly WrittenEvent[]): Statement =>
  numberList(events.map(({ channel }) => crcOf(channel) % LOCK_BUCKETS));

/** MySQL. Every writer locks in key order, so writers never deadlock. */
export const lockBucketsOnMysql = ({ locks }: OutboxTables, events: readonly WrittenEvent[]): Statement =>
  sql`SELECT bucket FROM ${locks} FORCE INDEX (PRIMARY) WHERE bucket IN ${bucketList(events)} ORDER BY bucket FOR UPDATE`;

const insert = (dialect: Dialect, { outbox }: OutboxTables, events: readonly WrittenEvent[], held: Statement) => sql`
  INSERT INTO ${outbox} (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM ${held}${eventRows(dialect, events)} AS g ORDER BY g.ordinal`;

/** MySQL. */
export const insertEventsOnMysql = (
  dialect: Dialect,
  tables: OutboxTables,
  events: readonly WrittenEvent[],
): Statement => insert(dialect, tables, events, sql``);

/**
 * MySQL. Counting the locked rows first ensures that all locks for `all` are held before the first of `events` is numbered.
 * `insertEventsOnMysql` writes the rest afterwards in the same transaction.
 */
export const insertUnderLocks = (
  dialect: Dialect,
  tables: OutboxTables,
  events: readonly WrittenEvent[],
  all: readonly WrittenEvent[],
): Statement =>
  insert(
    dialect,
    tables,
    events,
    sql`(SELECT COUNT(*) AS buckets FROM (${lockBucketsOnMysql(tables, all)}) AS taken) AS held CROSS JOIN `,
  );

/**
 * PostgreSQL. Locks of its bucket keep a channel in order: a number is drawn while the lock is held, and the lock is held until the
 * commit is visible. So of two numbers of one channel, the smaller one is visible first.
 */
export const bucketOfChannel = (channel: SqlPart): Statement =>
  sql`(('x' || substr(md5(${channel}), 1, 3))::bit(12)::int)`;

/** PostgreSQL. Set while our own statement writes the rows of an outbox, so that its triggers skip them. */
export const QUIET = 'durable.outbox_quiet';
/** PostgreSQL. Followed by the table's OID: the buckets that the transaction's plain INSERTs must lock, for example `1,2,`. */
export const NOTED = 'durable.outbox_noted_';

/** PostgreSQL. `'"app"."outbox"'::regclass`: the OID of the table, resolved by the search path. */
export const tableNumber = (table: Statement): Statement =>
  sql`CAST(CAST(${postgres.literal(render(table, postgres).text)} AS regclass) AS oid)`;

/** PostgreSQL. Buckets as a table of one column, `bucket`. */
export const bucketsNoted = (noted: Statement): Statement =>
  sql`(SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(${noted}, ','), ',')) AS listed) AS noted`;

/** PostgreSQL. One lock for each of `buckets`, a SELECT of one column, in their order: so two statements never deadlock. */
export const lockBucketsOnPostgres = (tableOid: Statement, buckets: Statement): Statement =>
  sql`pg_advisory_xact_lock(CAST(${tableOid} AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (${buckets}) AS listed ORDER BY 1) AS wanted`;

/** PostgreSQL. */
export const quiet = raw(`'${QUIET}'`);

/** Why numbers cannot jump in a new era: the role may not insert events, or the column type is too narrow. */
export type NumbersStay = 'denied' | 'narrow';

/**
 * Checks whether this server assigned the last numbers. A server that was promoted or restored may lack the last
 * commits and would assign their numbers again: then the numbers jump once, far beyond all that were ever assigned.
 * PostgreSQL checks this itself before it assigns numbers. On MySQL and MariaDB relays check it; a relay whose role may
 * not insert events leaves the jump to others and to `nest-durable outbox-jump`.
 */
export async function lookAtEra(db: SqlExecutor, tables: OutboxTables): Promise<NumbersStay | undefined> {
  try {
    return await byFamily(db.dialect, {
      postgres: async () => {
        await db.run(sql`SELECT ${lookAtEraOnPostgres(tables.names)}`);
        return undefined;
      },
      mysql: () => lookOnMysql(db, tables),
    });
  } catch (error) {
    if (!isDenied(error)) throw error;
    return 'denied';
  }
}

/** Jumps unconditionally, for a restore that leaves no trace. */
export async function jumpNumbers(db: SqlExecutor, tables: OutboxTables): Promise<void> {
  await byFamily(db.dialect, {
    postgres: async () => {
      await db.run(forgetEraOnPostgres(tables.names));
      await db.run(sql`SELECT ${lookAtEraOnPostgres(tables.names)}`);
    },
    mysql: async () => {
      await db.run(forgetEraOnMysql(tables));
      if (await lookOnMysql(db, tables))
        throw new SchemaError(
          'Event numbers cannot be advanced while sequence_id is narrower than bigint: make it bigint',
        );
    },
  });
}

async function lookOnMysql(db: SqlExecutor, tables: OutboxTables): Promise<NumbersStay | undefined> {
  const { rows } = await db.run<{ same: number | string }>(selectEra(db.dialect, tables));
  if (Number(rows[0]?.same) === 1) return undefined;
  if (!rows[0]) {
    await db.run(insertEra(db.dialect, tables));
    return undefined;
  }
  return db.transaction(async (tx) => {
    const locked = await tx.run<{ same: number | string }>(lockEra(tx.dialect, tables));
    if (Number(locked.rows[0]?.same) === 1) return undefined;
    const numbers = await tx.run<{ type: string }>(selectNumberType(tx.dialect, tables));
    if (String(numbers.rows[0]?.type).toLowerCase() !== 'bigint') {
      await tx.run(updateEra(tx.dialect, tables));
      return 'narrow';
    }
    const mark = randomUUID();
    await tx.run(leap(tables, mark));
    await tx.run(updateEra(tx.dialect, tables, mark));
    await tx.run(removeLeap(tables, mark));
    return undefined;
  });
}

/** PostgreSQL. By the name under which a writer's connection finds the table. */
export const lookAtEraOnPostgres = ({ schema, table }: { schema?: string | undefined; table: string }): Statement =>
  sql`${qualified(schema ?? '', eraName(table))}()`;

/** Greater than all bucket numbers. */
const ERA_LOCK = raw('4096');
/** The SQLSTATE that is raised to release the lock. */
const DONE = raw("'DN001'");
/** More numbers than a server assigns between two copies of it. */
const LEAP = raw('4294967296');

/**
 * PostgreSQL. An era is identified by the timeline of the server, which changes with each promotion and each restore that replays
 * WAL, and by the OID of the table, which changes with a restore from a dump. A new primary may lack the last commits
 * of the old one and would assign their numbers again. So in a new era numbers continue after the microseconds since
 * 1970. That is more than all numbers ever assigned, because events are slower than one per microsecond.
 *
 * Both sequences keep their values on rollback, and all sessions see them at once. The lock is released before any
 * other wait, by rolling back the block that acquired it, which also happens when the statement is cancelled.
 */
export function eraBody({ schema, table }: Pick<PublishedNames, 'schema' | 'table'>): Statement {
  const era = qualified(schema, eraName(table));
  const outbox = qualified(schema, table);
  const text = (statement: Statement) => postgres.literal(render(statement, postgres).text);
  const oid = tableNumber(outbox);
  // Null in an era that is not known yet. No scan of the sequence, see the trigger that numbers at commit.
  const known = sql`was := pg_sequence_last_value(CAST(${text(era)} AS regclass))`;
  return sql`
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(${oid} AS bigint);
  ${known};
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(${oid} AS int), ${ERA_LOCK});
    ${known};
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence(${text(outbox)}, 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + ${LEAP},
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(${oid} AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST(${text(era)} AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ${DONE};
  EXCEPTION WHEN SQLSTATE ${DONE} THEN
    NULL;
  END;
END`;
}

/** PostgreSQL. */
export const createEra = ({ schema, table }: Pick<PublishedNames, 'schema' | 'table'>): Statement =>
  sql`CREATE SEQUENCE IF NOT EXISTS ${qualified(schema, eraName(table))} AS bigint`;

/** PostgreSQL. Makes the next check act as if another server had assigned the last numbers. */
export const forgetEraOnPostgres = ({ schema, table }: { schema?: string | undefined; table: string }): Statement => {
  const era = render(qualified(schema ?? '', eraName(table)), postgres).text;
  return sql`SELECT setval(CAST(${postgres.literal(era)} AS regclass), 1)`;
};

/** PostgreSQL. For row triggers: checks once per transaction, as long as it writes to one outbox. */
export const lookOnce = ({ schema, table }: Pick<PublishedNames, 'schema' | 'table'>): Statement => sql`
  IF current_setting('durable.outbox_era', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM ${lookAtEraOnPostgres({ schema, table })};
    PERFORM set_config('durable.outbox_era', CAST(TG_RELID AS text), true);
  END IF;`;

const eraTable = ({ names: { schema, table } }: OutboxTables): Statement => qualified(schema ?? '', eraName(table));

/** MariaDB has no server UUID: two servers with the same name, port and id count as one. PostgreSQL is not asked. */
const SERVER: Record<Dialect['name'], Statement> = {
  postgres: raw('NULL'),
  mysql: raw('@@server_uuid'),
  mariadb: raw("CONCAT_WS('/', @@server_id, @@hostname, @@port)"),
};

const here = ({ name }: Dialect): Statement => SERVER[name];

/** MySQL. */
export const selectEra = (dialect: Dialect, tables: OutboxTables): Statement =>
  sql`SELECT CASE WHEN server = ${here(dialect)} THEN 1 ELSE 0 END AS same FROM ${eraTable(tables)} WHERE id = 0`;

/** MySQL. */
export const insertEra = (dialect: Dialect, tables: OutboxTables): Statement =>
  sql`INSERT INTO ${eraTable(tables)} (id, server) SELECT 0, ${here(dialect)} ON DUPLICATE KEY UPDATE id = 0`;

/** MySQL. */
export const lockEra = (dialect: Dialect, tables: OutboxTables): Statement =>
  sql`${selectEra(dialect, tables)} FOR UPDATE`;

/** MySQL. Also stores the number of the jump, if there was one. */
export const updateEra = (dialect: Dialect, tables: OutboxTables, mark = ''): Statement => sql`
  UPDATE ${eraTable(tables)} SET server = ${here(dialect)}, reached = GREATEST(reached, COALESCE(
    (SELECT sequence_id FROM ${tables.outbox} WHERE channel = '' AND mutation_id = ${mark}), 0)) WHERE id = 0`;

/** MySQL. The type of the numbers. */
export const selectNumberType = (dialect: Dialect, { names: { schema, table } }: OutboxTables): Statement => sql`
  SELECT data_type AS type FROM information_schema.columns
  WHERE table_schema = ${schema === undefined ? raw('DATABASE()') : dialect.literal(schema)}
    AND table_name = ${dialect.literal(table)} AND column_name = 'sequence_id'`;

/** MySQL. Makes the next check act as if another server had assigned the last numbers. */
export const forgetEraOnMysql = (tables: OutboxTables): Statement =>
  sql`INSERT INTO ${eraTable(tables)} (id, server) VALUES (0, '') ON DUPLICATE KEY UPDATE server = ''`;

/**
 * MySQL. An explicit number advances the counter, which keeps its value when the row is deleted. The microseconds since 1970
 * exceed all numbers ever assigned, even by unknown servers. The last jump may have gone further, and its events may be
 * pruned.
 */
export const leap = (tables: OutboxTables, mark: string): Statement => sql`
  INSERT INTO ${tables.outbox} (sequence_id, mutation_id, channel, name)
  SELECT GREATEST(CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED), GREATEST(o.last, e.reached) + 4294967296), ${mark}, '', 'era'
  FROM (SELECT COALESCE(MAX(sequence_id), 0) AS last FROM ${tables.outbox}) AS o, ${eraTable(tables)} AS e WHERE e.id = 0`;

/** MySQL. */
export const removeLeap = ({ outbox }: OutboxTables, mark: string): Statement =>
  sql`DELETE FROM ${outbox} WHERE channel = '' AND mutation_id = ${mark}`;

export class SqlEventErasure extends TablesAdapter<OutboxTables> implements EventErasure {
  async erase(request: EraseEvents): Promise<ErasedEvents> {
    const { rows } = await this.db.run<EventRow>(selectEvents(this.scope, request));
    const ours = rows.filter(wantedBy(request));
    const done = ours.filter((row) => Number(row.done) === 1).map(numberOf);
    const erased = done.length === 0 ? 0 : (await this.db.run(blankEvents(this.scope, done))).affected;
    const kept = ours.filter((row) => Number(row.done) === 0);
    return { erased, kept: keptOf(request, kept), next: nextOf(request, rows) };
  }

  async eraseDead(request: EraseDeadLetters): Promise<ErasedEvents> {
    const { rows } = await this.db.run<DeadRow>(selectDeadOf(this.scope, request));
    const ours = rows.filter(wantedBy(request));
    const isGoing = ({ reason }: DeadRow) => request.discards && reason !== PENDING;
    const going = ours.filter(isGoing).map(numberOf);
    const erased =
      going.length === 0 ? 0 : (await this.db.run(discardDead(this.scope, request.destination, going))).affected;
    return {
      erased,
      kept: keptOf(
        request,
        ours.filter((row) => !isGoing(row)),
      ),
      next: nextOf(request, rows),
    };
  }

  async forgetErrors(destinations: readonly string[], channels: readonly string[]): Promise<void> {
    if (destinations.length === 0 || channels.length === 0) return;
    await this.db.run(forgetErrors(this.scope, destinations, channels));
  }
}

interface Row {
  sequence_id: string;
  mutation_id: string;
}

const numberOf = ({ sequence_id }: Row): string => String(sequence_id);

const nextOf = ({ limit }: EraseEvents, rows: readonly Row[]): string | undefined =>
  rows.length < limit ? undefined : numberOf(rows.at(-1)!);

function wantedBy({ mutationIds }: EraseEvents): (row: Row) => boolean {
  const wanted = mutationIds && new Set(mutationIds);
  return ({ mutation_id }) => !wanted || wanted.has(mutation_id);
}

const keptOf = ({ channel }: EraseEvents, rows: readonly Row[]): ErasedEvents['kept'] =>
  rows.map((row) => ({ channel, mutationId: row.mutation_id, sequenceId: numberOf(row) }));

export interface ErasureScope {
  readonly tables: OutboxTables;
  readonly dialect: Dialect;
}

const numberText = ({ dialect }: ErasureScope, alias: string): Statement =>
  sql`${dialect.cast(raw(`${alias}.sequence_id`), 'text')} AS sequence_id`;

const isProcessed = ({ dialect }: ErasureScope, column: string): Statement => sql`NOT (${dialect.isFalse(column)})`;

export interface EventRow {
  sequence_id: string;
  mutation_id: string;
  /** 1: every destination has received it. */
  done: number | string;
}

/** A page of a channel, without data. */
export const selectEvents = (scope: ErasureScope, { channel, after, limit }: EraseEvents): Statement => sql`
  SELECT ${numberText(scope, 'o')}, o.mutation_id, CASE WHEN ${isProcessed(scope, 'o.processed')} THEN 1 ELSE 0 END AS done
  FROM ${scope.tables.outbox} AS o
  WHERE o.channel = ${channel} AND o.sequence_id > ${wholeNumber(after)} ORDER BY o.sequence_id LIMIT ${int(limit)}`;

/** Affects only events of which something was left. */
export const blankEvents = (scope: ErasureScope, numbers: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.outbox} ${scope.dialect.forceIndex()} SET data = NULL, headers = NULL
  WHERE sequence_id ${amongNumbers(scope.dialect, numbers)} AND ${isProcessed(scope, 'processed')}
    AND (data IS NOT NULL OR headers IS NOT NULL)`;

export interface DeadRow {
  sequence_id: string;
  mutation_id: string;
  reason: string;
}

export const selectDeadOf = (
  scope: ErasureScope,
  { destination, channel, after, limit }: EraseDeadLetters,
): Statement => sql`
  SELECT ${numberText(scope, 'd')}, d.mutation_id, d.reason FROM ${scope.tables.dead} AS d
  WHERE d.destination = ${destination} AND d.channel = ${channel} AND d.sequence_id > ${wholeNumber(after)}
  ORDER BY d.sequence_id LIMIT ${int(limit)}`;

/** Not if one was requeued since it was read. */
export const discardDead = (scope: ErasureScope, destination: string, numbers: readonly string[]): Statement => sql`
  ${deleteByNumbers(scope.dialect, scope.tables.dead, 'sequence_id', numbers)} AND destination = ${destination}
    AND reason <> ${PENDING}`;

/** Errors of blocked and failing channels stay: people need them. */
export const forgetErrors = (
  { tables, dialect }: ErasureScope,
  destinations: readonly string[],
  channels: readonly string[],
): Statement => sql`
  UPDATE ${tables.channels} ${dialect.forceIndex()} SET last_error = NULL
  WHERE destination ${amongKeys(dialect, destinations)} AND channel ${amongKeys(dialect, channels)}
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL`;
