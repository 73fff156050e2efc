import { createTable } from '../../sql/migrations/schema-steps.js';
import { postgres } from '../../sql/dialects/postgres.dialect.js';
import { id, int, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { type PublishedNames, shardExpression, shortName } from '../tables/sql-outbox-tables.js';
import { type PublishedStep, qualified } from './published-step.sql.js';

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
