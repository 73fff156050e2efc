import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { migrateOutbox } from '../../../lib/outbox/schema.sql.js';
import { outboxTables } from '../../../lib/outbox/tables.sql.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { withDatabase } from '../../../lib/cli/database.js';
import { describeDatabases } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { createRoleUsers, type Role, ROLES, type RoleUsers } from '../../support/role-users.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('connects as each of the roles by itself');

const PREFIX = 'app';

/** Statements that change nothing, and whose they are. All others are refused. */
const PERMITTED: readonly (readonly [text: string, roles: readonly Role[]])[] = [
  // A worker in another language, as sample/05.
  [
    "SELECT step_id, input FROM app_transport_tasks WHERE grp = 'g'",
    ['client', 'foreignWorker', 'worker', 'engine', 'operator'],
  ],
  [
    "UPDATE app_transport_tasks SET claimed_by = 'w', claimed_at = 1 WHERE 1 = 0",
    ['foreignWorker', 'worker', 'engine', 'operator'],
  ],
  ['DELETE FROM app_transport_tasks WHERE 1 = 0', ['client', 'foreignWorker', 'worker', 'engine', 'operator']],
  ['INSERT INTO app_transport_tasks SELECT * FROM app_transport_tasks WHERE 1 = 0', ['engine', 'operator']],
  [
    'INSERT INTO app_transport_results SELECT * FROM app_transport_results WHERE 1 = 0',
    ['client', 'foreignWorker', 'worker', 'engine', 'operator'],
  ],
  ['DELETE FROM app_transport_results WHERE 1 = 0', ['engine', 'operator']],
  ['SELECT id, status FROM app_runs', ['client', 'worker', 'engine', 'operator', 'reader']],
  ['SELECT input FROM app_runs', ['client', 'engine', 'operator']],
  ['SELECT id, context FROM app_runs', ['client', 'worker', 'engine', 'operator']],
  ['SELECT * FROM app_steps', ['client', 'engine', 'operator']],
  ['SELECT run_id, seq, name, status, finished_at FROM app_steps', ['client', 'engine', 'operator', 'reader']],
  ['SELECT message FROM app_step_logs', ['client', 'worker', 'engine', 'operator']],
  ['UPDATE app_runs SET status = status WHERE 1 = 0', ['client', 'engine', 'operator']],
  ['DELETE FROM app_runs WHERE 1 = 0', ['engine', 'operator']],
  ['UPDATE app_steps SET output = output WHERE 1 = 0', ['engine', 'operator']],
  ['DELETE FROM app_steps WHERE 1 = 0', ['engine', 'operator']],
  ['SELECT payload FROM app_signals', ['client', 'engine', 'operator']],
  ['INSERT INTO app_step_attempts SELECT * FROM app_step_attempts WHERE 1 = 0', ['worker', 'engine', 'operator']],
  ['SELECT id FROM app_schedules', ['engine', 'operator', 'reader']],
  ['UPDATE app_schedules SET spec = spec WHERE 1 = 0', ['engine', 'operator']],
  ['INSERT INTO app_holds SELECT * FROM app_holds WHERE 1 = 0', ['engine', 'operator']],
  ['SELECT id, actor, action, target FROM app_acts', ['engine', 'operator', 'reader']],
  ['SELECT details FROM app_acts', ['engine', 'operator']],
  ['UPDATE app_acts SET actor = actor WHERE 1 = 0', ['engine']],
  ['DELETE FROM app_acts WHERE 1 = 0', ['engine']],
  ['SELECT handler, status FROM app_effects', ['client', 'worker', 'engine', 'operator', 'reader']],
  ['SELECT payload FROM app_effects', ['client', 'engine', 'operator']],
  ['DELETE FROM app_effects WHERE 1 = 0', ['engine', 'operator']],
  ['DELETE FROM app_effect_audit WHERE 1 = 0', ['engine', 'operator']],
  ['UPDATE app_effect_audit SET handler = handler WHERE 1 = 0', ['engine']],
  ['INSERT INTO app_effects SELECT * FROM app_effects WHERE 1 = 0', ['engine']],
  ['SELECT channel, name FROM app_outbox', ['engine', 'operator', 'reader']],
  ['SELECT data FROM app_outbox', ['engine', 'operator']],
  [
    'INSERT INTO app_outbox (mutation_id, channel, name) SELECT mutation_id, channel, name FROM app_outbox WHERE 1 = 0',
    ['engine', 'operator'],
  ],
  ['SELECT data FROM app_outbox_dead', ['engine', 'operator']],
  ['SELECT id FROM app_migrations', ['client', 'worker', 'engine', 'operator', 'reader']],
  ['DELETE FROM app_migrations WHERE 1 = 0', []],
  ['ALTER TABLE app_runs ADD COLUMN more integer', []],
  ['DROP TABLE app_runs', []],
  ['CREATE TABLE app_more (id integer)', []],
];

describeDatabases('what the roles of durableRolesSql may do', (at) => {
  let database: FreshDatabase;
  let users: RoleUsers;
  beforeAll(async () => {
    database = await createDatabase(at.db);
    const names = { table: `${PREFIX}_outbox`, nodesTable: `${PREFIX}_outbox_nodes`, schema: undefined };
    await withDatabase(database.url, async (executor) => {
      await migrate(executor, tablesWithPrefix(PREFIX));
      await migrateOutbox(executor, outboxTables(PREFIX, names));
    });
    users = await createRoleUsers(database, { prefix: PREFIX });
  });
  afterAll(async () => {
    await users.close();
    await database.close();
  });

  it.each(PERMITTED)('%s', async (text, permitted) => {
    const allowed: Role[] = [];
    for (const role of ROLES) {
      const error: unknown = await users.run(role, text).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) allowed.push(role);
      else expect((error as Error).message).toMatch(/denied|must be owner/);
    }
    expect(allowed.sort()).toEqual([...permitted].sort());
  });
});
