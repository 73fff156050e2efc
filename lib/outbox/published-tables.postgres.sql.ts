import { postgres } from '../sql/dialects.js';
import { createTable } from '../sql/migrations/schema-steps.js';
import { id, int, raw, render, sql, type Statement } from '../sql/statement.js';
import type { OutboxOrdering } from './events.js';
import {
  bucketOfChannel,
  bucketsNoted,
  createEra,
  eraBody,
  lockBucketsOnPostgres,
  lookAtEraOnPostgres,
  lookOnce,
  NOTED,
  quiet,
  tableNumber,
} from './events.sql.js';
import {
  eraName,
  type PublishedNames,
  type PublishedStep,
  qualified,
  shardExpression,
  shortName,
} from './tables.sql.js';

/** Columns that an adopted table may lack. */
const ADDED = {
  rejected: 'boolean NOT NULL DEFAULT false',
  data: 'jsonb',
  headers: 'jsonb',
  locked_by: 'text',
  lock_expiry: 'timestamp without time zone',
  processed: 'boolean NOT NULL DEFAULT false',
  created_at: 'timestamp with time zone NOT NULL DEFAULT now()',
};

const OUTBOX = [
  'sequence_id bigserial PRIMARY KEY',
  'mutation_id text NOT NULL',
  'channel text NOT NULL',
  'name text NOT NULL',
  ...Object.entries(ADDED).map(([name, type]) => `${name} ${type}`),
];

const NODES = ['id text PRIMARY KEY', 'expiry timestamp without time zone NOT NULL'];

/** `pg_class AS c`, filtered by name and our schema. */
export const relationNamed = ({ schema }: PublishedNames, name: string): Statement =>
  sql`pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = ${postgres.literal(schema)} AND c.relname = ${postgres.literal(name)}`;

const tableStep = (names: PublishedNames, name: string, columns: readonly string[]): PublishedStep => ({
  ...createTable(postgres, qualified(names.schema, name), columns),
  what: `table "${name}"`,
  done: sql`SELECT 1 FROM ${relationNamed(names, name)} WHERE c.relkind IN ('r', 'p')`,
});

function columnStep(names: PublishedNames): PublishedStep {
  const wanted = Object.keys(ADDED);
  const added = Object.entries(ADDED).map(([name, type]) => `\n  ADD COLUMN IF NOT EXISTS ${name} ${type}`);
  return {
    onAdoption: true,
    what: `columns ${wanted.join(', ')} of "${names.table}"`,
    statement: sql`ALTER TABLE ${qualified(names.schema, names.table)} ${raw(added.join(','))}`,
    done: sql`SELECT 1 FROM ${relationNamed(names, names.table)} JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN (${raw(wanted.map((name) => `'${name}'`).join(', '))})
      HAVING count(*) = ${int(wanted.length)}`,
  };
}

function indexStep(names: PublishedNames, suffix: string, columns: Statement, where = raw('')): PublishedStep {
  const index = shortName(`${names.table}_${suffix}`);
  return {
    what: `index "${index}"`,
    statement: sql`CREATE INDEX IF NOT EXISTS ${id(index)} ON ${qualified(names.schema, names.table)} (${columns})${where}`,
    done: sql`SELECT 1 FROM ${relationNamed(names, index)} WHERE c.relkind IN ('i', 'I')`,
  };
}

/** The published tables and the indexes for relays and for readers of one channel. */
export const postgresTables = (names: PublishedNames): PublishedStep[] => [
  tableStep(names, names.table, OUTBOX),
  columnStep(names),
  tableStep(names, names.nodesTable, NODES),
  indexStep(
    names,
    'pending',
    sql`(${shardExpression(postgres, id('channel'))}), channel, sequence_id`,
    raw(' WHERE NOT processed'),
  ),
  indexStep(names, 'channel', raw('channel, sequence_id')),
];

/** The notification channel of the database connector. */
export const CONNECTOR_CHANNEL = 'ably_adbc';

const text = (value: string): Statement => postgres.literal(value);
const functionName = (names: PublishedNames, suffix: string): string => shortName(`${names.table}_${suffix}`);
const triggerName = ({ schema, table }: PublishedNames, suffix: string): string =>
  shortName(`${schema}_${table}_${suffix}`);
const tableOf = ({ schema, table }: PublishedNames): Statement => qualified(schema, table);

/** Of all orderings. */
const FUNCTIONS = ['notify', 'note', 'order', 'lock', 'era'];

/** Drops the functions that the triggers call, once the table is gone. */
export const dropFunctions = (names: PublishedNames): Statement[] =>
  FUNCTIONS.map((suffix) => sql`DROP FUNCTION IF EXISTS ${qualified(names.schema, functionName(names, suffix))}()`);

/** For functions that write: they run with the rights of the table's owner, with names that others cannot shadow. */
const AS_OWNER = ['SET search_path = pg_catalog, pg_temp'];

/** A trigger's function, replaced when its body or settings have changed. */
function functionStep(
  names: PublishedNames,
  suffix: string,
  body: Statement,
  { asOwner = [] as string[], returns = 'trigger' } = {},
): PublishedStep {
  const name = functionName(names, suffix);
  const rights = raw(asOwner.length > 0 ? `SECURITY DEFINER ${asOwner.join(' ')} ` : '');
  return {
    what: `function "${name}"`,
    statement: sql`CREATE OR REPLACE FUNCTION ${qualified(names.schema, name)}() RETURNS ${raw(returns)} LANGUAGE plpgsql ${rights}AS $durable$${body}$durable$`,
    done: sql`SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = ${text(names.schema)} AND p.proname = ${text(name)} AND p.pronargs = 0
        AND p.prosecdef = ${raw(String(asOwner.length > 0))} AND coalesce(cardinality(p.proconfig), 0) = ${int(asOwner.length)}
        AND p.prosrc = ${text(render(body, postgres).text)}`,
  };
}

interface TriggerShape {
  /** The suffix of the function, and of the trigger unless `trigger` is set. */
  readonly suffix: string;
  readonly trigger?: string;
  readonly timing: 'BEFORE' | 'AFTER';
  readonly each: 'ROW' | 'STATEMENT';
  readonly deferred?: boolean;
}

/** A trigger that skips our own statements. Another trigger with its name is dropped. */
function triggerSteps(names: PublishedNames, shape: TriggerShape): PublishedStep[] {
  const { suffix, trigger = suffix, timing, each, deferred = false } = shape;
  const name = triggerName(names, trigger);
  const called = functionName(names, suffix);
  const what = `enabled trigger "${name}"`;
  const done = sql`SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN ${relationNamed(names, names.table)} ON c.oid = t.tgrelid
    WHERE t.tgname = ${text(name)} AND p.proname = ${text(called)} AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = ${raw(String(deferred))}`;
  const [kind, late] = deferred ? ['CONSTRAINT TRIGGER', ' DEFERRABLE INITIALLY DEFERRED'] : ['TRIGGER', ''];
  return [
    { onAdoption: true, what, statement: sql`DROP TRIGGER IF EXISTS ${id(name)} ON ${tableOf(names)}`, done },
    {
      what,
      statement: sql`CREATE ${raw(kind)} ${id(name)} ${raw(timing)} INSERT ON ${tableOf(names)}${raw(late)} FOR EACH ${raw(each)}
  WHEN (current_setting(${quiet}, true) IS DISTINCT FROM CAST(${tableNumber(tableOf(names))} AS text))
  EXECUTE FUNCTION ${qualified(names.schema, called)}()`,
      done,
    },
  ];
}

function withoutTrigger(names: PublishedNames, name: string): PublishedStep {
  return {
    onAdoption: true,
    what: `no trigger "${name}"`,
    statement: sql`DROP TRIGGER IF EXISTS ${id(name)} ON ${tableOf(names)}`,
    done: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN ${relationNamed(names, names.table)} ON c.oid = t.tgrelid WHERE t.tgname = ${text(name)})`,
  };
}

/**
 * A full notification queue would fail the commit, and this error cannot be caught; listeners also poll. The last tenth
 * of the queue is left to other users.
 */
const notifyBody = ({ topicChannel }: PublishedNames): Statement => sql`
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('${raw(CONNECTOR_CHANNEL)}', '');
  PERFORM pg_notify(${text(topicChannel)}, '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END`;

const notedSetting = raw(`'${NOTED}' || TG_RELID`);

const noteBody = sql`
DECLARE
  bucket text := ${bucketOfChannel(raw('NEW.channel'))}::text || ',';
  noted text := coalesce(current_setting(${notedSetting}, true), '');
BEGIN
  IF position(',' || bucket IN ',' || noted) = 0 THEN
    PERFORM set_config(${notedSetting}, noted || bucket, true);
  END IF;
  RETURN NEW;
END`;

/**
 * Runs at commit. Finds the row by its ctid: an index scan would be a read that conflicts with SERIALIZABLE
 * transactions. So would a sequential scan, which the planner prefers for few pages; that is why it is disabled, here
 * and in what is called from here. Before PostgreSQL 18 a scan that nothing can replace then costs so much that it is
 * compiled, which takes longer than the commit: no statement in it may need one.
 */
const orderBody = (names: PublishedNames): Statement => sql`
DECLARE
  noted text := current_setting(${notedSetting}, true);
BEGIN
  IF noted <> '' THEN
    PERFORM ${lockBucketsOnPostgres(raw('TG_RELID'), sql`SELECT bucket FROM ${bucketsNoted(raw('noted'))}`)};
    PERFORM ${lookAtEraOnPostgres(names)};
    PERFORM set_config(${notedSetting}, '', true);
  END IF;
  UPDATE ${tableOf(names)} SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE ${tableOf(names)} SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END`;

/** A number drawn before the lock was acquired may be smaller than one that is already visible. */
const lockBody = (names: PublishedNames): Statement => sql`
BEGIN${lookOnce(names)}
  PERFORM pg_advisory_xact_lock(TG_RELID::int, ${bucketOfChannel(raw('NEW.channel'))});
  NEW.sequence_id := nextval(pg_get_serial_sequence(${text(render(tableOf(names), postgres).text)}, 'sequence_id')::regclass);
  RETURN NEW;
END`;

function orderingSteps(names: PublishedNames, ordering: OutboxOrdering): PublishedStep[] {
  const without = (suffix: string) => withoutTrigger(names, triggerName(names, suffix));
  switch (ordering) {
    case 'commit':
      return [
        functionStep(names, 'note', noteBody),
        functionStep(names, 'order', orderBody(names), { asOwner: [...AS_OWNER, 'SET enable_seqscan = off'] }),
        ...triggerSteps(names, { suffix: 'note', timing: 'BEFORE', each: 'ROW' }),
        ...triggerSteps(names, { suffix: 'order', timing: 'AFTER', each: 'ROW', deferred: true }),
        without('lock'),
      ];
    case 'insert':
      return [
        functionStep(names, 'lock', lockBody(names)),
        ...triggerSteps(names, { suffix: 'lock', timing: 'BEFORE', each: 'ROW' }),
        ...[without('note'), without('order')],
      ];
    case 'none':
      return [without('note'), without('order'), without('lock')];
  }
}

/** Numbers jump far ahead on a server that may lack numbers that another one assigned. */
const eraSteps = (names: PublishedNames): PublishedStep[] => [
  {
    what: `sequence "${eraName(names.table)}"`,
    statement: createEra(names),
    done: sql`SELECT 1 FROM ${relationNamed(names, eraName(names.table))} WHERE c.relkind = 'S'`,
  },
  functionStep(names, 'era', eraBody(names), { asOwner: AS_OWNER, returns: 'void' }),
];

/** For plain INSERTs of the app: notifications and ordered numbers. */
export const postgresTriggers = (names: PublishedNames, ordering: OutboxOrdering): PublishedStep[] => [
  functionStep(names, 'notify', notifyBody(names)),
  ...eraSteps(names),
  // The name in the connector's documentation.
  withoutTrigger(names, shortName(`${names.table}_trigger`)),
  ...triggerSteps(names, { suffix: 'notify', trigger: 'trigger', timing: 'AFTER', each: 'STATEMENT' }),
  ...orderingSteps(names, ordering),
];
