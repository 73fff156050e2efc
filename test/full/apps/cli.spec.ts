import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { dropStatements, migrationStatements } from 'nest-durable';
import { DataSource } from 'typeorm';
import { runCli } from '../../../lib/cli/cli.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { tablesOf } from '../../support/schema-commands.js';
import { servers } from '../../support/test-servers.js';

/** What one call of the command prints, and its exit code. */
async function call(
  args: string[],
  url?: string,
  variables: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const env = { ...variables, ...(url !== undefined && { DATABASE_URL: url }) };
  const code = await runCli(args, { env, out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe.each(servers.map(({ db }) => db))('nest-durable on the command line: %s', (db) => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await createDatabase(db);
  });
  afterAll(() => database.close());

  it('says what is pending, applies it, and says that nothing is', async () => {
    const before = await call(['status', '--url', database.url]);
    expect(before).toMatchObject({
      code: 1,
      err: '',
      out: expect.stringMatching(
        /^Pending 001-transport\nPending 001-engine\nPending table "durable_outbox"\n/,
      ) as string,
    });
    const first = await call(['migrate'], database.url);
    expect(first).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^Applied 001-transport\nApplied 001-engine\nApplied table "durable_outbox"\n/,
      ) as string,
    });
    const second = await call(['migrate'], database.url);
    expect(second).toMatchObject({ code: 0, out: 'The tables durable_* are up to date' });
    expect(await call(['status'], database.url)).toMatchObject({ code: 0, out: 'The tables durable_* are up to date' });
    expect(await call(['status', '--prefix', 'other'], database.url)).toMatchObject({ code: 1 });
  });

  it('makes the outbox under the names of an app, or none', async () => {
    const named = ['--prefix', 'named', '--outbox-table', 'events', '--outbox-nodes-table', 'event_nodes'];
    expect((await call(['migrate', ...named], database.url)).out).toMatch(/Applied table "events"/);
    expect(await call(['status', ...named], database.url)).toMatchObject({ code: 0 });
    expect(await call(['status', '--prefix', 'named'], database.url)).toMatchObject({ code: 1 });
    expect(await call(['status', '--prefix', 'named', '--no-outbox'], database.url)).toMatchObject({ code: 0 });
    const wrong = await call(['migrate', '--outbox-ordering', 'never'], database.url);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringMatching(/never.*commit, insert, none/) as string });
  });

  it("makes it under the names of the connector's variables, as an app finds them", async () => {
    const connector = { ADBC_OUTBOX_TABLE_TABLE_NAME: 'adopted', ADBC_NODES_TABLE_TABLE_NAME: 'adopted_nodes' };
    const made = await call(['migrate', '--prefix', 'connected'], database.url, connector);
    expect(made.out).toMatch(/Applied table "adopted"/);
    expect(await call(['status', '--prefix', 'connected'], database.url, connector)).toMatchObject({ code: 0 });
    expect(await call(['status', '--prefix', 'connected'], database.url)).toMatchObject({ code: 1 });
    const { out } = await call(['sql', '--dialect', db, '--outbox-table', 'mine'], undefined, connector);
    expect(out).toMatch(/adopted_nodes/);
    expect(out).not.toMatch(/adopted["`]/);
    const apart = { ADBC_NODES_TABLE_TABLE_SCHEMA: 'elsewhere' };
    expect(await call(['status'], database.url, apart)).toMatchObject({
      code: 2,
      err: expect.stringContaining('ADBC_NODES_TABLE_TABLE_SCHEMA') as string,
    });
  });

  it('prints statements that make the same tables', async () => {
    const { code, out, err } = await call(['sql', '--prefix', 'printed', '--url', database.url]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const withoutUrl = await call(['sql', '--prefix', 'printed', '--dialect', db]);
    expect(withoutUrl.out).toBe(out);
    for (const statement of out.split(/;\n(?=\n|$)/)) if (statement.trim()) await database.query(statement);
    expect(await call(['status', '--prefix', 'printed'], database.url)).toMatchObject({ code: 0 });
    const applied = await database.query('SELECT id FROM printed_migrations ORDER BY id');
    expect(applied.map(({ id }) => id)).toEqual(['001-engine', '001-transport']);
  });

  it('prints what an earlier version lacks', async () => {
    const { code, out } = await call(['sql', '--from', '0.1.0', '--dialect', db]);
    expect({ code, out }).toEqual({ code: 0, out: '-- The tables of 0.1.0 are those of this version' });
    for (const version of ['0.0.9', '9.9.9', 'latest', '0.1'])
      expect(await call(['sql', '--from', version, '--dialect', db])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/from.+a version of nest-durable.+0\.1\.0/) as string,
      });
  });

  it('has the same statements as an array, and those that drop everything', async () => {
    const run = async (statements: readonly string[]) => {
      // Tools that run migrations may take a question mark for a value.
      expect(statements.filter((text) => text.includes('?') || text.endsWith(';'))).toEqual([]);
      for (const statement of statements) await database.query(statement);
    };
    const left = async () =>
      db === 'postgres'
        ? database.query(`SELECT relname AS name FROM pg_class WHERE relname LIKE 'listed%' UNION ALL
            SELECT proname FROM pg_proc WHERE proname LIKE 'listed%'`)
        : (await tablesOf(database)).filter((name) => name.startsWith('listed_'));
    const options = { prefix: 'listed_app', outbox: { table: 'listed_events' } };
    const names = ['--prefix', 'listed_app', '--outbox-table', 'listed_events'];
    // Another ordering has other functions.
    await run(migrationStatements(db, { ...options, outbox: { table: 'listed_events', ordering: 'insert' } }));
    await run(dropStatements(db, options));
    expect(await left()).toEqual([]);
    await run(migrationStatements(db, { ...options, to: '0.1.0' }));
    expect(await call(['status', ...names], database.url)).toMatchObject({ code: 0 });
    await run(migrationStatements(db, { ...options, from: '0.1.0' }));
    await run(dropStatements(db, options));
    expect(await left()).toEqual([]);
    expect(() => migrationStatements('oracle' as never)).toThrow(/dialect.+'postgres', 'mysql' or 'mariadb'/);
  });

  // The others have one schema for each database.
  (db === 'postgres' ? it : it.skip)('creates and drops all tables in the schema of the connection', async () => {
    const other = await createDatabase(db);
    const names = ['--prefix', 'shop'];
    const namesIn = (schema: string) =>
      other.query('SELECT relname FROM pg_class WHERE relnamespace = CAST(? AS regnamespace)', [schema]);
    await other.query('CREATE SCHEMA "Shop %"');
    await other.query(`ALTER DATABASE ${other.database} SET search_path = "Shop %", public`);
    const app = await new DataSource({ type: 'postgres', url: other.url }).initialize();
    for (const statement of migrationStatements(db, { prefix: 'shop' })) await app.query(statement);
    expect(await call(['status', ...names], other.url)).toMatchObject({ code: 0 });
    expect(await namesIn('public')).toEqual([]);
    await app.query(`INSERT INTO shop_outbox (mutation_id, channel, name, data) VALUES ('m', 'c', 'n', '{}')`);
    for (const statement of dropStatements(db, { prefix: 'shop' })) await app.query(statement);
    expect(await namesIn('"Shop %"')).toEqual([]);
    // The events may be elsewhere; then the topic of their notifications is still that of the connection.
    await app.query('CREATE SCHEMA events');
    const outbox = { schema: 'events' };
    for (const statement of migrationStatements(db, { prefix: 'shop', outbox })) await app.query(statement);
    expect(await call(['status', ...names, '--outbox-schema', 'events'], other.url)).toMatchObject({ code: 0 });
    await app.query(`SET search_path = "it's"`);
    const refused = migrationStatements(db, { prefix: 'shop' }).find((text) => text.includes('RAISE EXCEPTION'))!;
    await expect(app.query(refused)).rejects.toThrow(/schema \(none\) of this connection.+outbox\.schema/);
    await app.destroy();
    await other.close();
  });

  it('changes runs of an app that has no outbox', async () => {
    await call(['migrate', '--prefix', 'bare', '--no-outbox'], database.url);
    await database.query(
      `INSERT INTO bare_runs (id, namespace, workflow, version, status, epoch, settled, crashes, created_at) VALUES ('a', 'default', 'order', 1, 'suspended', 1, 0, 0, 1)`,
    );
    const cancelled = await call(
      ['runs', 'cancel', 'a', '--prefix', 'bare', '--yes', '--reason', 'a test'],
      database.url,
    );
    expect(cancelled).toEqual({ code: 0, err: '', out: 'cancel: 1 run, 0 refused' });
  });

  it('changes one run or many, and records who and why', async () => {
    await call(['migrate', '--prefix', 'many'], database.url);
    const run = (id: string, workflow: string, status: string) =>
      database.query(
        `INSERT INTO many_runs (id, namespace, workflow, version, status, epoch, settled, crashes, created_at) VALUES ('${id}', 'default', '${workflow}', 1, '${status}', 1, 0, 0, 1)`,
      );
    for (const id of ['a', 'b', 'c']) await run(id, 'order', 'suspended');
    await run('d', 'other', 'suspended');
    const wants = [{ wishes: [{ on: 'ended', namespace: 'default', workflows: ['order'] }], seenAt: 1 }];
    await database.query(
      `INSERT INTO many_outbox_destinations (name, created_at, seen_at, wants) VALUES ('Hooks.ended', 1, 1, '${JSON.stringify(wants)}')`,
    );
    const cancel = ['runs', 'cancel', '--prefix', 'many', '--yes', '--reason', 'a test', '--actor', 'ada'];
    const dry = await call([...cancel, '--workflow', 'order', '--dry-run'], database.url);
    expect(dry).toEqual({ code: 0, err: '', out: 'cancel, dry run: 3 runs, 0 refused' });
    const one = await call([...cancel, 'a', 'none'], database.url);
    expect(one).toMatchObject({ code: 1, out: expect.stringContaining('cancel: 1 run, 1 refused') as string });
    const rest = await call([...cancel, '--workflow', 'order', '--status', 'suspended'], database.url);
    expect(rest).toMatchObject({ code: 0, out: 'cancel: 2 runs, 0 refused' });
    const left = await database.query(`SELECT id FROM many_runs WHERE status = 'suspended'`);
    expect(left.map(({ id }) => id)).toEqual(['d']);
    const acts = await database.query(`SELECT target FROM many_acts WHERE actor = 'ada' AND kind = 'run' ORDER BY id`);
    expect(acts.map(({ target }) => target).sort()).toEqual(['a', 'b', 'c']);
    // The hooks of the app are told.
    const told = await database.query('SELECT channel FROM many_outbox');
    expect(told.map(({ channel }) => channel).sort()).toEqual(['a', 'b', 'c'].map((id) => `durable:run:${id}`));
    expect(await call(cancel, database.url)).toMatchObject({ code: 2 });
    expect(await call(['runs', 'cancel', 'd', '--prefix', 'many'], database.url)).toMatchObject({ code: 2 });
  });

  it('tells the story of a business key, explains a run and lists acts', async () => {
    await call(['migrate', '--prefix', 'told'], database.url);
    const insert = (table: string, columns: string, values: string) =>
      database.query(`INSERT INTO told_${table} (${columns}) VALUES ${values}`);
    const run = 'id, namespace, workflow, version, status, epoch, settled, crashes, created_at';
    await insert('runs', run, `('a', 'default', 'order', 1, 'suspended', 1, 0, 0, 1)`);
    await insert(
      'run_attributes',
      'run_id, name, namespace, type, number_value',
      `('a', 'order', 'default', 'number', 42)`,
    );
    const step = 'run_id, seq, kind, name, status, attempt, settled, output, created_at, finished_at';
    await insert('steps', step, `('a', 0, 'step', 'charge it', 'completed', 0, 1, '{"paid":true}', 2, 3)`);
    await call(
      ['runs', 'terminate', 'a', '--prefix', 'told', '--yes', '--reason', 'a test', '--actor', 'ada'],
      database.url,
    );
    const told = (...args: string[]) => call([...args, '--prefix', 'told'], database.url);
    const story = await told('runs', 'story', '--attribute', 'order=42', '--payloads');
    expect(story).toMatchObject({ code: 0, err: '' });
    const lines = story.out.split('\n').map((line) => line.split('  ').slice(1).join('  '));
    expect(lines.slice(0, 3)).toEqual([
      'a  run.created  workflow=order  version=1',
      'a  step.asked  seq=0  name="charge it"  step=step',
      'a  step.ended  seq=0  name="charge it"  step=step  status=completed  output={"paid":true}  failures=0',
    ]);
    // Both of one transaction.
    const [act, ended] = lines.slice(3).sort();
    expect(act).toMatch(/^a {2}act .* actor=ada {2}reason="a test" {2}action=terminate {2}outcome=ended/);
    expect(ended).toMatch(/^a {2}run\.ended {2}status=cancelled/);
    const page = await told('runs', 'story', 'a', '--limit', '2');
    const [, cursor = ''] = /--cursor (\S+)$/.exec(page.err) ?? [];
    const rest = await told('runs', 'story', 'a', '--cursor', cursor, '-o', 'json');
    expect((JSON.parse(rest.out) as { entries: { kind: string }[] }).entries.map(({ kind }) => kind).sort()).toEqual([
      ...['act', 'run.ended', 'step.ended'],
    ]);
    expect(await told('runs', 'story', 'nobody')).toMatchObject({ code: 4, out: '', err: 'Nothing is known of it' });
    expect(await told('runs', 'story')).toMatchObject({
      code: 2,
      err: expect.stringContaining('id or attribute') as string,
    });
    const explained = await told('runs', 'why', 'a');
    expect(explained.out).toMatch(/^Run "a" of "order" \(version 1\) was cancelled at /);
    expect(await told('runs', 'why', 'nobody')).toMatchObject({ code: 4 });
    const acts = await told('audit', '--run', 'a', '--since', '2020-01-01');
    expect(acts.out).toMatch(/Z +ada +terminate +run +a +ended +a test$/);
    expect(await told('audit', '--by', 'bob')).toMatchObject({ code: 0, out: '', err: 'No act is recorded' });
    expect(await told('audit', '--kind', 'x')).toMatchObject({ code: 2 });
    expect(JSON.parse((await told('audit', '--limit', '1', '-o', 'json')).out)).toMatchObject({
      cursor: expect.any(String) as string,
    });
  });

  it('records the text of an error only if the app has no codec, which alone may store it', async () => {
    await call(['migrate', '--prefix', 'sealed'], database.url);
    const error = JSON.stringify({ message: 'the words', code: 'DECLINED' });
    const inputs = { plain: `'{"n":1}'`, sealed: `'ada.1.2.3'`, erased: 'NULL' };
    for (const [id, input] of Object.entries(inputs)) {
      await database.query(
        `INSERT INTO sealed_runs (id, namespace, workflow, version, status, input, epoch, settled, crashes, created_at, unwinds) VALUES ('${id}', 'default', 'w', 1, 'suspended', ${input}, 1, 0, 0, 1, 1)`,
      );
      await database.query(
        `INSERT INTO sealed_steps (run_id, seq, kind, name, status, attempt, created_at) VALUES ('${id}', 0, 'remote', 'charge', 'pending', 1, 1)`,
      );
      await database.query(
        `INSERT INTO sealed_transport_results (step_id, run_id, seq, status, error, created_at) VALUES ('${id}:0', '${id}', 0, 'failed', '${error}', 1)`,
      );
    }
    const ids = Object.keys(inputs);
    const done = await call(
      ['runs', 'cancel', ...ids, '--prefix', 'sealed', '--yes', '--reason', 'a test'],
      database.url,
    );
    expect(done).toMatchObject({ code: 0 });
    const steps = await database.query('SELECT run_id, error FROM sealed_steps ORDER BY run_id');
    const errors = steps.map((step) => [step['run_id'], JSON.parse(step['error'] as string) as unknown]);
    const sealed = { code: 'DECLINED', message: expect.stringContaining('Not stored') as string };
    expect(errors).toEqual([
      ['erased', sealed],
      ['plain', { code: 'DECLINED', message: 'the words' }],
      ['sealed', sealed],
    ]);
  });

  it('deletes runs that ended long ago, and cleans up after them', async () => {
    await call(['migrate'], database.url);
    const run = (id: string, status: string, at: number | string) =>
      database.query(
        `INSERT INTO durable_runs (id, namespace, workflow, version, status, epoch, settled, crashes, created_at, finished_at) VALUES ('${id}', 'default', 'w', 1, '${status}', 1, 0, 0, 1, ${at})`,
      );
    await run('old', 'completed', 1);
    await run('failed', 'failed', 1);
    await run('new', 'completed', Date.now());
    await run('open', 'suspended', 'NULL');
    await database.query(
      `INSERT INTO durable_outbox_dead (destination, sequence_id, mutation_id, channel, name, attempts, reason, failed_at) VALUES ('d', 1, 'm', 'c', 'n', 1, 'failed', 1)`,
    );
    const purged = await call(
      ['purge', '--yes', '--older-than', '1h', '--status', 'completed', 'cancelled'],
      database.url,
    );
    expect(purged).toEqual({ code: 0, err: '', out: 'Deleted 1 runs' });
    const by = ['--actor', 'ada', '--reason', 'a test'];
    expect(await call(['purge', '--yes', '--older-than', '1h', ...by], database.url)).toMatchObject({
      out: 'Deleted 1 runs',
    });
    const acts = await database.query(
      `SELECT reason, outcome FROM durable_acts WHERE action = 'purge runs' ORDER BY id`,
    );
    const reasons = ['purge --older-than 1h --what runs', 'a test'];
    expect(acts).toEqual(reasons.flatMap((reason) => ['begun', 'ended'].map((outcome) => ({ reason, outcome }))));
    const left = await database.query('SELECT id FROM durable_runs ORDER BY id');
    expect(left.map(({ id }) => id)).toEqual(['new', 'open']);
    expect(await call(['purge', '--yes', '--older-than', '1h', '--status', 'running'], database.url)).toMatchObject({
      code: 2,
    });
    for (const what of ['signals', 'effects', 'abandoned-effects', 'effect-audit', 'dead-letters']) {
      const deleted = await call(['purge', '--yes', '--older-than', '1h', '--what', what], database.url);
      expect(deleted).toEqual({ code: 0, err: '', out: `Deleted ${what === 'dead-letters' ? 1 : 0} ${what}` });
    }
    expect(await call(['purge'], database.url)).toMatchObject({ code: 2 });
    const vacuumed = await call(['vacuum'], database.url);
    expect(vacuumed).toMatchObject({ code: 0, err: '' });
    const tables = await database.query(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE 'durable\\_%' AND table_type = 'BASE TABLE'`,
    );
    expect(vacuumed.out).toMatch(
      db === 'postgres' ? `Vacuumed ${tables.length} tables durable_*` : /^Nothing to do: this server/,
    );
    if (db === 'postgres') expect(await withoutSettings(database)).toEqual([]);
  });

  it('recognises the server behind either scheme', async () => {
    const url = database.url.replace(/^(mysql|mariadb):/, db === 'mariadb' ? 'mysql:' : 'mariadb:');
    expect(await call(['migrate', '--prefix', 'scheme', '--url', url])).toMatchObject({ code: 0, err: '' });
  });
});

/** Tables that PostgreSQL vacuums only when a fifth of their rows has changed. */
const withoutSettings = (database: FreshDatabase) =>
  database.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'durable\\_%'
     AND NOT coalesce(array_to_string(reloptions, ' ') LIKE '%autovacuum_vacuum_scale_factor=0.02%', false)`,
  );

describe('nest-durable on the command line says in one line', () => {
  const unreachable = 'postgres://app:secret@127.0.0.1:1/nowhere';

  it.each([
    ['that the database is missing', ['migrate'], undefined, /DATABASE_URL/],
    ['that it cannot be reached', ['status'], unreachable, /ECONNREFUSED/],
    ['that the scheme is unknown', ['status'], 'sqlite://x', /sqlite:.*postgres:/],
    ['that it is no URL', ['status'], 'app:secret@nowhere', /postgres:/],
    ['that the prefix cannot be used', ['migrate', '--prefix', 'a-b'], unreachable, /prefix.*letter/],
    ['that the dialect is missing', ['sql'], undefined, /--dialect/],
    ['that the dialect is unknown', ['sql', '--dialect', 'oracle'], undefined, /oracle.*postgres, mysql, mariadb/],
    ['that the command is unknown', ['migrat'], undefined, /unknown command.*migrat/],
  ])('%s', async (_, args, url, message) => {
    const { code, out, err } = await call(args, url);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/secret|\n\s+at /);
  });

  it('how it is used', async () => {
    const { code, out, err } = await call(['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/migrate.*status.*sql/s);
  });
});

describeWithProgram('mariadb', 'the client of MariaDB', (path) => {
  it.each(servers.map(({ db }) => db).filter((db) => db !== 'postgres'))(
    'takes the printed statements as they are: %s',
    async (db) => {
      const { host, port, user, password, database, url, close } = await createDatabase(db);
      try {
        const { out } = await call(['sql', '--dialect', db]);
        const given = ['-h', host, '-P', String(port), `-u${user}`, `-p${password}`, database];
        const client = promisify(execFile)(path, given);
        client.child.stdin!.end(out);
        expect(await client).toEqual({ stdout: '', stderr: '' });
        expect(await call(['status'], url)).toMatchObject({ code: 0 });
      } finally {
        await close();
      }
    },
  );
});
