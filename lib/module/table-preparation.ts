import { checkHook } from '../admin/check-hook.js';
import type { DurableSettings } from './durable-options.js';
import type { OutboxSettings } from './outbox-options.js';
import { appGrants } from '../outbox/events/outbox-roles.sql.js';
import { migrateOutbox, requireOutbox } from '../outbox/events/sql-outbox-schema.js';
import { outboxTables, type OutboxTables } from '../outbox/tables/sql-outbox-tables.js';
import { mergedNeeds, readableBy, wholeNeeds, type WholeRole } from '../admin/role-rights.js';
import { MissingRightsError } from '../errors/setup-errors.js';
import type { Identifier } from '../sql/dialects/statement.js';
import { migrate, migratedTables, requireMigrated } from '../sql/migrations/migrator.js';
import {
  allGrants,
  grantsFor,
  grantsOn,
  type GrantsTo,
  refuseTables,
  sayingRights,
} from '../sql/migrations/missing-rights.js';
import { ALL_RIGHTS, lackingRights, type NeededTable, type Right } from '../sql/migrations/table-rights.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { type Tables, tablesWithPrefix } from '../sql/tables.js';

/** The tables of a process. */
interface Own {
  settings: DurableSettings;
  /** As it signs in: `engine`, `worker`, `relay`, `effects`; none for a process that only asks and starts. */
  roles: ReadonlySet<string>;
  tables: Tables;
  /** Undefined without an outbox. */
  published?: OutboxTables | undefined;
  /** For the published tables. */
  grantsTo: GrantsTo;
}

/**
 * Migrates the tables of this process, or checks them, and that its user may use them. Returns the names of what it
 * created.
 *
 * @throws SchemaError when tables are missing; MissingRightsError when the user may not create, read or write them.
 */
export async function prepareTables(
  settings: DurableSettings,
  executor: SqlExecutor,
  roles: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { outbox, prefix, migrate: migrates } = settings;
  const published = outbox ? publishedTables(outbox, prefix) : undefined;
  const grantsTo = published ? appGrants(published) : () => [];
  const own = { settings, roles, tables: tablesWithPrefix(prefix), published, grantsTo };
  const applied = migrates ? await migrateAll(own, executor) : await requireAll(own, executor);
  // A check only reads.
  if (!checkHook()) await requireRights(own, executor);
  return applied;
}

export const publishedTables = ({ table, nodesTable, schema }: OutboxSettings, prefix: string): OutboxTables =>
  outboxTables(prefix, { table, nodesTable, schema });

async function migrateAll({ settings, tables, published, grantsTo }: Own, executor: SqlExecutor): Promise<string[]> {
  const applied = await migrate(executor, tables, { grantsTo });
  const { outbox } = settings;
  return outbox && published ? [...applied, ...(await migrateOutbox(executor, published, outbox))] : applied;
}

async function requireAll(own: Own, executor: SqlExecutor): Promise<string[]> {
  const { settings, tables, published, grantsTo } = own;
  await requireMigrated(executor, tables, { grantsTo });
  const { outbox } = settings;
  // A check replays runs without the outbox, before the deploy that creates it.
  if (outbox && published && !checkHook())
    await requireOutbox(executor, published, outbox).catch((error: unknown) => {
      if (!(error instanceof MissingRightsError) || rightsToEvents(own).length > 0) throw error;
    });
  return [];
}

/** A new version brings tables that the user may have no right to; another owner may have created all of them. */
async function requireRights(own: Own, executor: SqlExecutor): Promise<void> {
  const { tables, published, grantsTo } = own;
  const { prefix } = tables;
  const ours = migratedTables(executor.dialect, tables);
  const everything = { prefix, grantsTo: allGrants(grantsOn(ours), grantsTo) };
  const events = published ? publishedNeeds(own, published) : [];
  const look = (needed: readonly NeededTable[]) =>
    sayingRights(executor, everything, () => lackingRights(executor, needed));
  const [first = [], ...others] = processNeeds(own, ours);
  const lacking = await look([...first, ...events]);
  for (const other of others) if (lacking.length > 0 && (await look([...other, ...events])).length === 0) return;
  if (lacking.length === 0) return;
  const names = new Set(lacking.map(({ name }) => name));
  const lackingOurs = first.filter(({ name }) => names.has(name));
  const isPublished = lacking.length > lackingOurs.length;
  const missing = [...(lackingOurs.length > 0 ? [grantsFor(lackingOurs)] : []), ...(isPublished ? [grantsTo] : [])];
  await refuseTables(executor, { prefix, grantsTo: allGrants(...missing) }, [...names]);
}

/**
 * What a process needs of our tables, or as an alternative. Without a role of its own it may be a client, an operator
 * or a reader: only the first use tells.
 */
function processNeeds({ roles, tables: { prefix } }: Own, ours: readonly Identifier[]): NeededTable[][] {
  const names = ours.map(({ name }) => name);
  const of = (role: WholeRole) => wholeNeeds(role, prefix, names);
  if (roles.has('engine')) return [of('engine')];
  const parts = PARTS.filter((part) => roles.has(part));
  if (parts.length === 0) return [of('client'), of('operator'), readableBy(prefix, names)];
  return [mergedNeeds(parts.flatMap(of))];
}

const PARTS = ['worker', 'relay', 'effects'] as const;

/** What a process surely does with them: its user may have one of the roles of `outboxRolesSql`. */
function publishedNeeds(own: Own, { names }: OutboxTables): NeededTable[] {
  const { schema, table, nodesTable } = names;
  const rights = rightsToEvents(own);
  return [
    ...(rights.length > 0 ? [{ schema, name: table, rights }] : []),
    ...(relays(own) ? [{ schema, name: nodesTable, rights: ALL_RIGHTS }] : []),
  ];
}

/** Empty for a process that may never publish an event, as far as its options tell. */
function rightsToEvents(own: Own): Right[] {
  const { relay, retainMs } = own.settings.outbox as OutboxSettings;
  const relaying: Right[] = relays(own) ? ['SELECT', 'UPDATE', 'DELETE'] : [];
  const writes: Right[] = own.roles.has('engine') || !relay ? ['INSERT'] : [];
  const reads: Right[] = retainMs > 0 && !relays(own) ? ['SELECT'] : [];
  return [...writes, ...relaying, ...reads];
}

/** An engine may tell hooks of other processes, and prunes. */
const relays = ({ roles, settings }: Own): boolean => {
  const { relay, retainMs } = settings.outbox as OutboxSettings;
  return relay && (roles.has('engine') || roles.has('relay') || retainMs > 0);
};
