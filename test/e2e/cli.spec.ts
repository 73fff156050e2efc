import { runCli } from '../../lib/admin/cli/cli.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { servers } from '../support/test-servers.js';

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
    const purged = await call(['purge', '--older-than', '1h', '--status', 'completed', 'cancelled'], database.url);
    expect(purged).toEqual({ code: 0, err: '', out: 'Deleted 1 runs' });
    expect(await call(['purge', '--older-than', '1h'], database.url)).toMatchObject({ out: 'Deleted 1 runs' });
    const left = await database.query('SELECT id FROM durable_runs ORDER BY id');
    expect(left.map(({ id }) => id)).toEqual(['new', 'open']);
    expect(await call(['purge', '--older-than', '1h', '--status', 'running'], database.url)).toMatchObject({ code: 2 });
    expect(await call(['purge'], database.url)).toMatchObject({ code: 2 });
    const vacuumed = await call(['vacuum'], database.url);
    expect(vacuumed).toMatchObject({ code: 0, err: '' });
    expect(vacuumed.out).toMatch(db === 'postgres' ? /^Vacuumed \d+ tables durable_\*$/ : /^Nothing to do/);
  });

  it('recognises the server behind either scheme', async () => {
    const url = database.url.replace(/^(mysql|mariadb):/, db === 'mariadb' ? 'mysql:' : 'mariadb:');
    expect(await call(['migrate', '--prefix', 'scheme', '--url', url])).toMatchObject({ code: 0, err: '' });
  });
});

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
