import { postgres } from '../../sql/dialects/postgres.dialect.js';
import { render } from '../../sql/dialects/dialect.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { tableNumber } from './postgres-ordering.sql.js';
import { eraName, type PublishedNames } from '../tables/sql-outbox-tables.js';
import { qualified } from './published-step.sql.js';

/** By the name under which a writer's connection finds the table. */
export const lookAtEra = ({ schema, table }: { schema?: string | undefined; table: string }): Statement =>
  sql`${qualified(schema ?? '', eraName(table))}()`;

/** Greater than all bucket numbers. */
const ERA_LOCK = raw('4096');
/** The SQLSTATE that is raised to release the lock. */
const DONE = raw("'DN001'");
/** More numbers than a server assigns between two copies of it. */
const LEAP = raw('4294967296');

const read = (era: Statement): Statement => sql`SELECT e.last_value, e.is_called INTO was, known FROM ${era} AS e`;

/**
 * An era is identified by the timeline of the server, which changes with each promotion and each restore that replays
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
  return sql`
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
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
  ${read(era)};
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(${oid} AS int), ${ERA_LOCK});
    ${read(era)};
    IF known AND was <> here THEN
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

export const createEra = ({ schema, table }: Pick<PublishedNames, 'schema' | 'table'>): Statement =>
  sql`CREATE SEQUENCE IF NOT EXISTS ${qualified(schema, eraName(table))} AS bigint`;

/** Makes the next check act as if another server had assigned the last numbers. */
export const forgetEra = ({ schema, table }: { schema?: string | undefined; table: string }): Statement => {
  const era = render(qualified(schema ?? '', eraName(table)), postgres).text;
  return sql`SELECT setval(CAST(${postgres.literal(era)} AS regclass), 1)`;
};

/** For row triggers: checks once per transaction, as long as it writes to one outbox. */
export const lookOnce = ({ schema, table }: Pick<PublishedNames, 'schema' | 'table'>): Statement => sql`
  IF current_setting('durable.outbox_era', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM ${lookAtEra({ schema, table })};
    PERFORM set_config('durable.outbox_era', CAST(TG_RELID AS text), true);
  END IF;`;
