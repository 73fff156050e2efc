import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { runCli } from '../../../lib/cli/cli.js';
import { compiled, type OwnPrograms, ownPrograms } from '../../support/compiled.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { servers } from '../../support/test-servers.js';
import { until } from '../../support/until.js';

const run = 'id, namespace, workflow, version, status, epoch, settled, crashes, created_at';

/** Of each command only the process is of interest here, so one database is enough. */
describe.each(servers.filter(({ db }) => db === 'postgres').map(({ db }) => db))(
  'the process of a command: %s',
  (db) => {
    let database: FreshDatabase;
    const programs: OwnPrograms = ownPrograms();
    const processes: ChildProcess[] = [];

    const main = () => compiled('lib/cli/main.js');
    const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}, program = main()) =>
      heard(process.execPath, [program, ...args], env);
    const startInShell = (line: string) => heard('sh', ['-c', `exec "${process.execPath}" "${main()}" ${line}`]);
    const heard = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
      const { NODE_OPTIONS: _, FORCE_COLOR: __, NO_COLOR: ___, ...inherited } = process.env;
      const child = spawn(file, args, { env: { ...inherited, DATABASE_URL: database.url, ...env } });
      processes.push(child);
      const printed = { out: '', err: '' };
      child.stdout.on('data', (text: Buffer) => (printed.out += text.toString()));
      child.stderr.on('data', (text: Buffer) => (printed.err += text.toString()));
      const ended = once(child, 'close').then(([code]) => ({ code: code as number, ...printed }));
      return { child, ended };
    };

    beforeAll(async () => {
      database = await createDatabase(db);
      const silent = () => undefined;
      await runCli(['migrate'], { env: { DATABASE_URL: database.url }, out: silent, err: silent });
      for (const id of ['a', 'b'])
        await database.query(
          `INSERT INTO durable_runs (${run}) VALUES ('${id}', 'default', 'order', 1, 'suspended', 1, 0, 0, 1)`,
        );
    });
    afterAll(async () => {
      for (const child of processes) child.kill('SIGKILL');
      await database.close();
    });

    it('reads ids from a pipe', async () => {
      const { child, ended } = start(['runs', 'cancel', '-', '--yes', '--reason', 'a test', '-o', 'ids']);
      child.stdin.end('a\n');
      expect(await ended).toEqual({ code: 0, out: 'a\n', err: '' });
    });

    it('ends quietly when nobody reads it any more', async () => {
      const { child, ended } = start(['runs', 'list']);
      child.stdout.destroy();
      expect(await ended).toEqual({ code: 0, out: '', err: '' });
    });

    it('ends with 130 and without its connections when it is interrupted', async () => {
      const sessions = () =>
        database.query(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%outbox_destinations%' AND pid <> pg_backend_pid()`,
        );
      // It waits for ids.
      const { child, ended } = start(['runs', 'cancel', '-', '--yes', '--reason', 'a test']);
      await until('it is connected', async () => (await sessions()).length > 0);
      child.kill('SIGINT');
      expect(await ended).toEqual({ code: 130, out: '', err: '' });
      await until('it has left', async () => (await sessions()).length === 0);
    });

    it.each([
      [{}, 'ID '],
      [{ FORCE_COLOR: '1' }, '\u001b[1mID '],
      [{ NO_COLOR: '1' }, 'ID '],
    ])('has colours as %j says', async (env, begins) => {
      const { out, code, err } = await start(['runs', 'list'], env).ended;
      expect({ code, err, out: out.slice(0, begins.length) }).toEqual({ code: 0, err: '', out: begins });
    });

    it('paints errors as the terminal of errors is, not as that of results', async () => {
      const { err } = await start(['runs', 'show', 'nobody'], { FORCE_COLOR: '1' }).ended;
      expect(err.startsWith('\u001b[31merror:')).toBe(true);
      const onTerminal = programs.write(
        'on-terminal.mjs',
        `Object.assign(process.stdout, { isTTY: true, getColorDepth: () => 24, hasColors: () => true });
         await import('${pathToFileURL(main()).href}');`,
      );
      const mixed = await start(['runs', 'show', 'nobody'], { TERM: 'xterm' }, onTerminal).ended;
      expect(mixed.err).toBe('error: No run has the id "nobody"\n');
    });

    it('fails when its results cannot be written', async () => {
      const { out, err, code } = await startInShell(`runs list -o json >/dev/full`).ended;
      expect({ out, code }).toEqual({ out: '', code: 2 });
      expect(err).toMatch(/^error: The results could not be written: .*ENOSPC/);
    });

    it.each([[['help', 'runs']], [['runs', 'help', 'list']], [['--help']], [['--version']]])(
      'helps with %j',
      async (args) => {
        expect(await start(args).ended).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/./) as string });
      },
    );

    it.each([[[]], [['runs']]])('fails where a command is missing: %j', async (args) => {
      expect(await start(args).ended).toMatchObject({ code: 2, out: '' });
    });

    it.each(['postgres', 'mysql'])('gives up on a %s server that takes connections and says nothing', async (kind) => {
      const taken: Socket[] = [];
      const silent = createServer((socket) => void taken.push(socket.on('error', () => undefined)));
      await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo;
      const url = `${kind}://user:secret@127.0.0.1:${port}/nothing`;
      const { code, err } = await start(['runs', 'list', '--url', url]).ended;
      expect({ code, err }).toEqual({
        code: 2,
        err: `error: The database at 127.0.0.1:${port} did not answer within 10 seconds\n`,
      });
      for (const socket of taken) socket.destroy();
      silent.close();
    });

    it('cannot be asked off a terminal', async () => {
      const { child, ended } = start(['runs', 'terminate', 'b', '--reason', 'a test']);
      child.stdin.end('yes\n');
      expect(await ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--yes') as string });
    });
  },
);
