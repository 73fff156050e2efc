import { type Answer, type Check, error, type Finding, type Patient, warning } from './check.js';
import { expectedSchema } from './expected-schema.js';
import { postgresSettings, setForServer, textOf } from './settings.js';
import { id, join, sql, type Statement } from '../sql/dialects/statement.js';

const namesOf = ({ executor, tables, outbox }: Patient): string[] => [
  ...expectedSchema(executor.dialect, tables).tables.map(({ name }) => name),
  ...(outbox ? [outbox.tables.names.table] : []),
];

interface Condition {
  name: string;
  live: number | string;
  dead: number | string;
  turned_off: boolean;
  recent: boolean;
}

/** `recent`: within the last hour. */
const selectConditions = (names: readonly string[]): Statement => sql`
  SELECT c.relname AS name, coalesce(s.n_live_tup, 0) AS live, coalesce(s.n_dead_tup, 0) AS dead,
    coalesce('autovacuum_enabled=false' = ANY (c.reloptions) OR 'autovacuum_enabled=off' = ANY (c.reloptions), false) AS turned_off,
    coalesce(greatest(s.last_autovacuum, s.last_vacuum) > now() - interval '1 hour', false) AS recent
  FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_stat_user_tables AS s ON s.relid = c.oid
  WHERE c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relkind = 'r' AND c.relname IN (${join(names)})`;

async function lookAtAutovacuum(patient: Patient): Promise<Answer> {
  const settings = await postgresSettings(patient, 'autovacuum', 'track_counts');
  const off = [...settings].filter(([, value]) => value === 'off');
  const ofServer = off.map(([name]) =>
    error(`${name} is off: dead rows are never removed, and every look becomes slower`, ...setForServer(name, 'on')),
  );
  const rows = await patient.ask<Condition>(selectConditions(namesOf(patient)));
  return [...ofServer, ...rows.flatMap((row) => conditionFindings(patient, row))];
}

/** A vacuum within the last hour that left them was held up by something else: see the check `horizon`. */
function conditionFindings(
  { executor, limits }: Patient,
  { name, live, dead, turned_off, recent }: Condition,
): Finding[] {
  const say = (statement: Statement) => textOf(statement, executor.dialect);
  const findings: Finding[] = [];
  if (turned_off)
    findings.push(
      error(`Autovacuum is turned off for "${name}"`, say(sql`ALTER TABLE ${id(name)} RESET (autovacuum_enabled)`)),
    );
  if (!recent && Number(dead) > limits.deadRows && Number(dead) > Number(live) / 5)
    findings.push(
      warning(
        `"${name}" has ${dead} dead rows beside ${live}, and no vacuum within an hour`,
        say(sql`VACUUM (ANALYZE) ${id(name)}`),
      ),
    );
  return findings;
}

const selectAges = (names: readonly string[]): Statement => sql`
  SELECT c.relname AS name, age(c.relfrozenxid) AS age FROM pg_catalog.pg_class AS c
  WHERE c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relkind = 'r' AND c.relname IN (${join(names)})`;

async function lookAtWraparound(patient: Patient): Promise<Answer> {
  const { ask, limits, executor } = patient;
  const rows = await ask<{ name: string; age: number | string }>(selectAges(namesOf(patient)));
  return rows
    .filter(({ age }) => Number(age) > limits.wraparound)
    .map(({ name, age }) =>
      error(
        `"${name}" was not frozen for ${age} transactions: at 2 billion the server takes no more writes`,
        textOf(sql`VACUUM (FREEZE) ${id(name)}`, executor.dialect),
      ),
    );
}

/** What PostgreSQL does beside, so that tables stay fast. */
export const upkeepChecks: readonly Check[] = [
  {
    id: 'autovacuum',
    group: 'upkeep',
    meaning: 'Dead rows of our tables are removed',
    looks: { postgres: lookAtAutovacuum, mysql: undefined, mariadb: undefined },
  },
  {
    id: 'wraparound',
    group: 'upkeep',
    meaning: 'Our tables are frozen long before the numbers of transactions repeat',
    looks: { postgres: lookAtWraparound, mysql: undefined, mariadb: undefined },
  },
];
