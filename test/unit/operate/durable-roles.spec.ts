import { durableRolesSql, InvalidArgumentError, UnknownOptionError } from '../../../lib/index.js';
import { runCli } from '../../../lib/cli/cli.js';
import { neededBy, PAYLOAD_COLUMNS } from '../../../lib/operate/roles.js';
import { migratedNames } from '../../../lib/sql/migrations/migrator.js';
import { PERSONAL_COLUMNS } from '../../support/personal-columns.js';

describe('durableRolesSql', () => {
  it('grants a worker in another language the two tables of the contract, and nothing else', () => {
    const of = (dialect: 'postgres' | 'mariadb') =>
      durableRolesSql({ dialect, roles: { foreignWorker: 'py' }, schema: 'shop', prefix: 'd', host: '10.0.0.%' });
    expect(of('postgres')).toEqual([
      'GRANT USAGE ON SCHEMA "shop" TO "py"',
      'GRANT SELECT, UPDATE, DELETE ON "shop"."d_transport_tasks" TO "py"',
      'GRANT SELECT, INSERT, UPDATE ON "shop"."d_transport_results" TO "py"',
    ]);
    expect(of('mariadb')).toEqual([
      "GRANT SELECT, UPDATE, DELETE ON `shop`.`d_transport_tasks` TO 'py'@'10.0.0.%'",
      "GRANT SELECT, INSERT, UPDATE ON `shop`.`d_transport_results` TO 'py'@'10.0.0.%'",
    ]);
  });

  it('names the tables of events that the app has chosen', () => {
    const outbox = { table: 'mails', nodesTable: 'relays', schema: 'ev' };
    const grants = durableRolesSql({ dialect: 'postgres', roles: { engine: 'e' }, outbox });
    expect(grants.join('\n')).toContain('ON "ev"."mails" TO "e"');
    const without = durableRolesSql({ dialect: 'postgres', roles: { engine: 'e' }, outbox: false });
    expect(without.join('\n')).not.toContain('SEQUENCE');
  });

  it('quotes what is a name, and refuses what is none', () => {
    const roles = { client: 'a "b"' };
    expect(durableRolesSql({ dialect: 'postgres', roles, schema: 's"x' })[0]).toBe(
      'GRANT USAGE ON SCHEMA "s""x" TO "a ""b"""',
    );
    for (const client of ['', "a'b", 'x'.repeat(64), 7 as unknown as string])
      expect(() => durableRolesSql({ dialect: 'mysql', roles: { client } })).toThrow(InvalidArgumentError);
    expect(() => durableRolesSql({ dialect: 'mysql', roles: {} })).toThrow(/at least one of client/);
    expect(() => durableRolesSql({ dialect: 'oracle' as 'mysql', roles })).toThrow(InvalidArgumentError);
    expect(() => durableRolesSql({ dialect: 'mysql', roles, prefix: 'a b' })).toThrow(InvalidArgumentError);
    expect(() => durableRolesSql({ dialect: 'mysql', roles: { workers: 'x' } as object })).toThrow(UnknownOptionError);
  });

  it('is printed by the command', async () => {
    const printed: string[] = [];
    const environment = {
      env: {},
      out: (line: string) => printed.push(line),
      err: (line: string) => printed.push(line),
    };
    expect(await runCli(['roles', '--dialect', 'mysql', '--foreign-worker', 'py'], environment)).toBe(0);
    expect(printed.join()).toContain("GRANT SELECT, UPDATE, DELETE ON `durable_transport_tasks` TO 'py'@'%';");
    expect(await runCli(['roles', '--dialect', 'mysql'], environment)).toBe(2);
  });
});

describe('the rights of roles', () => {
  const tables = migratedNames('p').map((name) => name.slice(2));

  it('name tables that exist, and only the owner migrates', () => {
    for (const role of ['client', 'engine', 'worker', 'operator'] as const) {
      const needed = neededBy(role, 'p', ['p_migrations', ...migratedNames('p')]);
      expect(needed.find(({ name }) => name === 'p_migrations')?.rights).toEqual(['SELECT']);
    }
    expect(Object.keys(PAYLOAD_COLUMNS).filter((table) => !tables.includes(table))).toEqual([]);
  });

  it('hide from readers what an erasure removes, apart from names, ids and attributes that lists search', () => {
    const shown: string[] = [];
    for (const [table, columns] of Object.entries(PERSONAL_COLUMNS))
      for (const [column, fate] of Object.entries(columns))
        if (table !== 'outbox' && fate === 'erased' && !PAYLOAD_COLUMNS[table]?.includes(column))
          shown.push(`${table}.${column}`);
    expect(shown.sort()).toMatchInlineSnapshot(`
     [
       "effect_audit.subject",
       "effects.subject",
       "limiter_entries.holder",
       "limiter_entries.limiter",
       "limiter_entries.run_id",
       "outbox_dead.channel",
       "outbox_dead.destination",
       "outbox_dead.mutation_id",
       "outbox_dead.name",
       "run_attributes.name",
       "run_attributes.namespace",
       "run_attributes.run_id",
       "run_attributes.text_value",
       "run_attributes.type",
       "signals.addressed",
       "signals.channel",
       "signals.dedup_id",
       "signals.name",
       "signals.namespace",
       "signals.taken_by",
       "signals.target",
       "step_logs.level",
       "step_logs.run_id",
     ]
    `);
  });
});
