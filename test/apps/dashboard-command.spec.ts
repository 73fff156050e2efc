import { request } from 'node:http';
import { runCli } from '../../lib/cli/cli.js';
import { type OpenBackend, describeDatabases } from '../support/backends.js';
import { type BrowserPage, openBrowserPage } from '../support/browser-page.js';
import { type DeployedApp, deployedApp } from '../support/deployed-app.js';
import { describeWithProgram } from '../support/installed-programs.js';
import { isFull } from '../support/tiers.js';
import { until } from '../support/until.js';

const run = 'id, namespace, workflow, version, status, reason, epoch, settled, crashes, created_at';
const JSON_BODY = { 'content-type': 'application/json' };

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Fetch sets no `Host`. */
const ask = (address: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(address, { method, headers }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });

interface Served {
  /** With the token. */
  address: string;
  origin: string;
  cookie: string;
  err: string[];
  /** Ctrl+C. Resolves to the exit code. */
  end: () => Promise<number>;
}

/** What only commands of a process need is tested with one database. */
describeDatabases(
  'nest-durable dashboard',
  (at) => {
    let backend: OpenBackend;
    const running: Served[] = [];

    /** In this process. */
    const serve = async (...args: string[]): Promise<Served> => {
      const ctrlC = new AbortController();
      const [out, err]: [string[], string[]] = [[], []];
      const ended = runCli(['dashboard', ...args], {
        env: { DATABASE_URL: backend.url },
        out: (line) => out.push(line),
        err: (line) => err.push(line),
        interrupted: ctrlC.signal,
      });
      const address = await until('it listens', () => out[0] ?? (err[0]?.startsWith('error') && err[0]));
      const end = () => {
        ctrlC.abort(new Error('Interrupted'));
        return ended;
      };
      return served(address, err, end);
    };
    const served = async (address: string, err: string[], end: () => Promise<number>): Promise<Served> => {
      const { origin } = new URL(address);
      const first = await ask(address);
      const [cookie = ''] = String(first.headers['set-cookie']).split(';');
      const one = { address, origin, cookie, err, end };
      running.push(one);
      return one;
    };
    const get = ({ origin, cookie }: Served, path: string, headers = {}) =>
      ask(`${origin}/${path}`, { headers: { cookie, ...headers } });
    const post = ({ origin, cookie }: Served, path: string, body: unknown, headers = {}) =>
      ask(`${origin}/${path}`, { method: 'POST', headers: { cookie, ...JSON_BODY, ...headers }, body });
    const reasonOf = async (id: string) =>
      (await backend.query(`SELECT reason, status FROM durable_runs WHERE id = '${id}'`))[0];
    const acts = () => backend.query('SELECT actor, action, target, reason FROM durable_acts ORDER BY id');

    const inBrowser = () =>
      describeWithProgram('chromium', 'in a browser', (chromium) => {
        let browser: BrowserPage;

        beforeAll(async () => {
          browser = await openBrowserPage(chromium);
        });
        afterAll(() => browser?.close());

        it('shows its pages under their policy, without the token in the address', async () => {
          const { page, hosts } = browser;
          const violations: string[] = [];
          page.on(
            'console',
            (line) => void (line.type() === 'error' && violations.push(`${line.location().url}: ${line.text()}`)),
          );
          const site = await serve();
          await page.goto(site.address);
          await page.getByRole('heading', { level: 1, name: 'overview' }).waitFor();
          expect(page.url()).toBe(`${site.origin}/`);
          await page.goto(`${site.origin}/runs`);
          await page.getByText('with/slash &').first().click();
          await page.getByRole('heading', { level: 1 }).filter({ hasText: 'with/slash &' }).waitFor();
          expect(await page.getByRole('button', { name: 'terminate' }).count()).toBe(0);
          expect({ violations, hosts: [...hosts] }).toEqual({ violations: [], hosts: ['127.0.0.1'] });
        });
      });

    beforeAll(async () => {
      backend = await at.open();
      const silent = () => undefined;
      await runCli(['migrate'], { env: { DATABASE_URL: backend.url }, out: silent, err: silent });
      for (const id of ['a', 'b', 'with/slash &'])
        await backend.query(
          `INSERT INTO durable_runs (${run}) VALUES ('${id}', 'default', 'order', 1, 'suspended', 'exhausted', 1, 0, 0, 1)`,
        );
    });
    afterEach(async () => {
      for (const one of running.splice(0)) expect(await one.end()).toBe(130);
    });
    afterAll(() => backend.close());

    it('takes the token out of the address, and lets nobody in without it', async () => {
      const site = await serve();
      const first = await ask(`${site.origin}/runs?status=failed&${site.address.split('?')[1]}`);
      expect(first).toMatchObject({ status: 303, text: '', headers: { location: '/runs?status=failed' } });
      expect(String(first.headers['set-cookie'])).toMatch(
        /^nest-durable-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/,
      );
      expect(site.err).toEqual(['The dashboard is there until Ctrl+C, and read only without --write']);
      for (const path of ['', 'runs', 'api/overview', 'assets/page.js', '?token=wrong', 'api/overview?token='])
        expect(await ask(`${site.origin}/${path}`)).toMatchObject({
          status: 401,
          text: expect.stringContaining('it has the token') as string,
        });
      expect(await get({ ...site, cookie: `${site.cookie}x` }, 'api/overview')).toMatchObject({ status: 401 });
      expect(await get(site, 'api/overview?token=wrong')).toMatchObject({ status: 401 });
      expect(await get(site, 'api/overview')).toMatchObject({ status: 200 });
    });

    it('answers this machine by its own name, and pages of its own, alone', async () => {
      const site = await serve();
      const { port } = new URL(site.origin);
      const foreign = { status: 403, text: expect.stringContaining('this machine alone') as string };
      expect(await get(site, '', { host: `evil.example:${port}` })).toMatchObject(foreign);
      expect(await ask(site.address, { headers: { host: 'evil.example' } })).toMatchObject(foreign);
      expect(await get(site, '', { 'x-forwarded-for': '10.0.0.1' })).toMatchObject(foreign);
      expect(await get(site, '', { host: `localhost:${port}` })).toMatchObject({ status: 200 });
      for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'same-site' }])
        expect(await get(site, 'api/overview', headers)).toMatchObject({ status: 403 });
    });

    it('serves the page and its files, as an app does', async () => {
      const site = await serve();
      const page = await get(site, 'runs/with%2Fslash%20%26');
      expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(page.text).toContain('<base href="/"');
      const [, file] = /src="([^"]+\.js)"/.exec(page.text) ?? [];
      expect(await get(site, String(file).replace(/^\.?\//, ''))).toMatchObject({
        status: 200,
        headers: { 'content-type': 'text/javascript; charset=utf-8' },
      });
      expect(await get(site, 'assets/none.js')).toMatchObject({ status: 404 });
      expect(await get(site, 'nowhere')).toMatchObject({ status: 404 });
    });

    it('tells what the routes tell, and what is wrong with a request', async () => {
      const site = await serve();
      const found = JSON.parse((await get(site, 'api/runs/with%2Fslash%20%26')).text) as object;
      expect(found).toMatchObject({ run: { id: 'with/slash &' } });
      expect(await get(site, 'api/runs/nobody')).toMatchObject({ status: 404 });
      expect(await get(site, 'api/runs?nonsense=1')).toMatchObject({ status: 400 });
      expect(await get(site, 'api/runs/%E0%A4%A')).toMatchObject({ status: 400 });
      expect(await get(site, 'api/nothing')).toMatchObject({ status: 404 });
      expect(JSON.parse((await get(site, 'api/doctor')).text)).toMatchObject({
        checks: expect.any(Array) as unknown[],
      });
    });

    it('reads only, and records no look, without --write', async () => {
      const site = await serve();
      const refused = await post(site, 'api/runs/a/terminate', { reason: 'a test' });
      expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('terminate') as string });
      expect(await get(site, 'api/runs/a/payloads')).toMatchObject({ status: 200 });
      expect(await reasonOf('a')).toMatchObject({ status: 'suspended' });
      expect(await acts()).toEqual([]);
    });

    it('changes what it shows with --write, in the name of its actor', async () => {
      const site = await serve('--write', '--actor', 'ada');
      expect(await post(site, 'api/runs/b/terminate', { reason: 'a test' }, { origin: 'http://x' })).toMatchObject({
        status: 403,
      });
      expect(await post(site, 'api/runs/b/terminate', {})).toMatchObject({ status: 400 });
      const broken = { cookie: site.cookie, ...JSON_BODY, 'content-length': '1' };
      expect(await ask(`${site.origin}/api/runs/b/terminate`, { method: 'POST', headers: broken, body: 1 })).toEqual(
        expect.objectContaining({ status: 400 }),
      );
      const changed = await post(site, 'api/runs/b/terminate', { reason: 'a test' });
      expect(changed).toMatchObject({ status: 200, text: '{"changed":true}' });
      expect(await acts()).toEqual([{ actor: 'ada', action: 'terminate', target: 'b', reason: 'a test' }]);
    });

    it('refuses a port that is taken, and options that contradict each other', async () => {
      const site = await serve();
      const { port } = new URL(site.origin);
      for (const [args, wrong] of [
        [['--port', port], /^error: --port is \d+: pass a port that is free \(EADDRINUSE\)$/],
        [['--port', 'x'], /--port/],
        [['--actor', 'ada'], /--write/],
        [['--app', 'x.js', '--url', backend.url], /--app/],
      ] as const) {
        const err: string[] = [];
        const environment = { env: { DATABASE_URL: backend.url }, out: () => undefined };
        expect(await runCli(['dashboard', ...args], { ...environment, err: (line) => err.push(line) })).toBe(2);
        expect(err.join('\n')).toMatch(wrong);
      }
    });

    describe('of an app', () => {
      let app: DeployedApp;

      beforeAll(async () => {
        app = deployedApp(backend);
        app.build(`return input;`);
      });
      afterAll(() => app.close());

      const serveApp = async (...args: string[]) => {
        const program = app.start(['dashboard', '--app', app.file('app.module.mjs'), ...args]);
        const address = await until('it listens', () => /http:\S+token=\S+/.exec(program.output())?.[0]);
        return served(address, [], async () => {
          program.process.kill('SIGINT');
          return (await program.ended).code!;
        });
      };

      it('starts nothing, reads through the app, and changes what it shows with --write', async () => {
        const site = await serveApp('--write', '--actor', 'bob');
        expect(JSON.parse((await get(site, 'api/runs/a')).text)).toMatchObject({ run: { id: 'a' } });
        expect(JSON.parse((await get(site, 'api/nodes')).text)).toEqual({ nodes: [] });
        expect(JSON.parse((await get(site, 'api/doctor')).text)).toMatchObject({
          checks: expect.any(Array) as unknown[],
        });
        const changed = await post(site, 'api/runs/a/terminate', { reason: 'of an app' });
        expect(changed).toMatchObject({ status: 200, text: '{"changed":true}' });
        expect((await acts()).at(-1)).toEqual({ actor: 'bob', action: 'terminate', target: 'a', reason: 'of an app' });
      });

      // Which changes are refused is shown above, without another process.
      if (isFull())
        it('reads only without --write', async () => {
          const site = await serveApp();
          expect(await post(site, 'api/runs/a/cancel', { reason: 'a test' })).toMatchObject({ status: 403 });
        });
    });

    // What a browser shows is tested with the whole page, see `test/full/dashboard`.
    if (isFull()) inBrowser();
  },
  { only: ({ name }) => name === 'typeorm on postgres' },
);
