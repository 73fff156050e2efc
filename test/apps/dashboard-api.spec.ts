import { get } from 'node:http';
import { VersioningType } from '@nestjs/common';
import { DurableDashboardModule, hideSecrets, REDACTED, type RunRow } from '../../lib/dashboard/index.js';
import { type Permission, shown } from '../../lib/dashboard/options.js';
import type { Route } from '../../lib/dashboard/route.js';
import { ROUTES } from '../../lib/dashboard/routes.js';
import { DurableMetrics, memoryBackend, OperatorActs, WorkflowClient } from '../../lib/index.js';
import { type DashboardApp, dashboardApp, Order, Payments, Twice } from '../support/dashboard-app.js';
import { until } from '../support/until.js';

const PARAMS: Readonly<Record<string, string>> = { ':id': 'nobody%2Fhas%20it', ':seq': '0' };
const addressOf = ({ path }: Route) => path.replaceAll(/:\w+/g, (name) => PARAMS[name]!);

/** Who asks, and what they may do. Nobody: no credentials. */
const USERS: readonly { user: string | undefined; may: (needed: Permission) => boolean }[] = [
  { user: undefined, may: () => false },
  { user: 'eve', may: () => false },
  { user: 'dora', may: () => false },
  { user: 'bob', may: (needed) => needed === 'read' },
  { user: 'cem', may: (needed) => needed === 'read' || needed === 'payloads' },
  { user: 'ada', may: () => true },
];

describe.each([
  ['express', 'one version'],
  ['fastify', 'one version'],
  ['express', 'versions in its addresses'],
] as const)('the API of the dashboard on %s, of an app with %s', (adapter, versions) => {
  let dashboard: DashboardApp;
  beforeAll(async () => {
    const prepare = (app: DashboardApp['app']) => {
      if (versions !== 'one version') app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' });
    };
    dashboard = await dashboardApp({ adapter, prefix: 'api/v1', prepare });
  });
  afterAll(() => dashboard.app.close());

  const request = (path: string, user: string | undefined, init: RequestInit = {}) =>
    fetch(`${dashboard.url}/${path}`, { ...init, headers: { ...(user && { 'x-user': user }), ...init.headers } });
  const change = (path: string, body: unknown, headers: Record<string, string> = {}, user = 'ada') =>
    request(path, user, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it.each(ROUTES.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
    '$name answers those who may',
    async ({ route }) => {
      for (const { user, may } of USERS) {
        const answered =
          route.method === 'GET'
            ? await request(`api/${addressOf(route)}`, user)
            : await change(`api/${addressOf(route)}`, { reason: 'a test' }, {}, user ?? '');
        expect({ user, refused: [401, 403].includes(answered.status) }).toEqual({
          user,
          refused: !may(route.permission),
        });
        // There is no such run or step, and many bodies are incomplete, but nothing breaks.
        expect(answered.status).not.toBe(500);
      }
    },
  );

  it.each(['', '/overview', '/runs', '/runs/some%2Fid', '/assets/none.js'])(
    'the page %s is behind the guards',
    async (page) => {
      expect((await fetch(`${dashboard.url}${page}`)).status).toBe(403);
      expect((await fetch(`${dashboard.url}${page}`, { headers: { 'x-user': 'dora' } })).status).toBe(403);
      const seen = await fetch(`${dashboard.url}${page}`, { headers: { 'x-user': 'bob' } });
      expect(seen.status).toBe(page.includes('assets') ? 404 : 200);
    },
  );

  it('has a page that says what it may load, and files that may be kept', async () => {
    const page = await request('runs', 'bob');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    const html = await page.text();
    expect(html).toContain('<base href="/api/v1/durable/"');
    expect(html).toContain('data-may="read"');
    const script = /assets\/[^"]+\.js/.exec(html)![0];
    const file = await request(script, 'bob');
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect(file.headers.get('content-type')).toContain('javascript');
    expect((await file.text()).length).toBeGreaterThan(10_000);
  });

  it('has the metrics as a text, and not those of others for whoever may not look', async () => {
    await request('api/metrics', 'bob');
    const id = `measured ${adapter}`;
    await dashboard.app.get(WorkflowClient).startAndWait(Order, { amount: 5 }, { id });
    const answered = await request('api/metrics', 'bob');
    // Express puts the parameters into another order.
    const parts = (type: string | null) => type?.split('; ').sort();
    expect(parts(answered.headers.get('content-type'))).toEqual(parts(DurableMetrics.contentType));
    const text = await answered.text();
    expect(text).toContain('durable_runs_ended_total{workflow="order",status="completed"} 1\n');
    expect(text).not.toContain(id);
    expect((await request('api/metrics', 'dora')).status).toBe(403);
  });

  describe('refuses', () => {
    const run = 'api/runs/x/cancel';

    it.each([
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ])('changes that another site sends: %j', async (headers) => {
      expect((await change(run, { reason: 'a test' }, headers as Record<string, string>)).status).toBe(403);
    });

    it('looks that another site makes', async () => {
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect((await request('api/runs/x/payloads', 'ada', { headers })).status).toBe(403);
    });

    it('changes of forms', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = await request(run, 'ada', { method: 'POST', headers, body: 'reason=x' });
      expect([403, 415]).toContain(sent.status);
    });

    it.each([
      ['without a reason', {}, 'reason'],
      ['with an unknown name', { reason: 'x', force: true }, 'force'],
      ['that are a list', [1], 'the body'],
    ])('bodies %s', async (_, body, named) => {
      const answered = await change(run, body);
      expect(answered.status).toBe(400);
      expect(((await answered.json()) as { error: { message: string } }).error.message).toContain(named);
    });

    it.each([
      ['neither an output nor a skip', {}],
      ['both', { output: 1, skip: true }],
      ['a skip that is none', { skip: false }],
    ])('a resolution with %s', async (_, body) => {
      const answered = await change('api/runs/x/steps/0/resolve', { ...body, reason: 'a test' });
      expect(answered.status).toBe(400);
      expect(await answered.text()).toContain('{ skip: true }');
    });

    it('unknown names and values in a query', async () => {
      for (const query of ['foo=1', 'version=a', 'status=done', 'blocked=perhaps', 'attribute=x', 'cursor=%00'])
        expect({ query, status: (await request(`api/runs?${query}`, 'bob')).status }).toEqual({ query, status: 400 });
    });
  });

  it('takes changes of the same site, and of programs', async () => {
    const { host } = new URL(dashboard.url);
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: `http://${host}` }, {}])
      expect((await change('api/runs/x/cancel', { reason: 'a test' }, headers as Record<string, string>)).status).toBe(
        404,
      );
  });

  it('shows payloads without secrets, and records who looked', async () => {
    const id = `look/ü ${adapter}`;
    await dashboard.app.get(WorkflowClient).startAndWait(Order, { amount: 5, card: '4242' }, { id });
    const path = `api/runs/${encodeURIComponent(id)}`;
    expect(await (await request(path, 'bob')).text()).not.toContain('4242');
    expect(await (await request(`${path}/payloads`, 'cem')).json()).toMatchObject({
      input: { amount: 5, card: REDACTED },
      output: 'paid 5',
    });
    const stored = (await (await request(`${path}/payloads?seq=0`, 'cem')).json()) as object;
    expect(stored).toMatchObject({ output: 'paid 5', recomputed: false });
    expect(stored).not.toHaveProperty('input');
    expect(await (await request(`${path}/payloads?seq=0&inputs=replay`, 'cem')).json()).toMatchObject({
      input: { amount: 5, card: REDACTED },
      output: 'paid 5',
      recomputed: true,
    });
    const { acts } = await dashboard.app.get(OperatorActs).list({ target: id });
    expect(acts).toMatchObject([
      { actor: 'cem', action: 'look', details: { of: 'step', seq: 0, inputs: 'replay' } },
      { actor: 'cem', action: 'look', details: { of: 'step', seq: 0 } },
      { actor: 'cem', action: 'look', details: { of: 'run' } },
    ]);
  });
});

describe('files and comparisons', () => {
  it('need their own permissions; a comparison hides what payloads hide', async () => {
    const { app, url } = await dashboardApp();
    try {
      const client = app.get(WorkflowClient);
      for (const [id, amount, card] of [
        ['a', 1, '4242'],
        ['b', 2, '4243'],
      ] as const)
        await client.startAndWait(Order, { amount, card }, { id });
      const ask = (path: string, user: string) => fetch(`${url}/api/${path}`, { headers: { 'x-user': user } });
      const compared = await ask('runs/a/compare?with=b', 'cem');
      expect(await compared.json()).toMatchObject({
        input: [{ path: ['amount'], a: 1, b: 2 }],
        steps: [{ name: 'payments.charge', output: [{ path: [], a: 'paid 1', b: 'paid 2' }] }],
      });
      expect((await ask('runs/a/export', 'cem')).status).toBe(403);
      const file = (await (await ask('runs/a/export?as=test', 'ada')).json()) as { name: string; text: string };
      expect(file.name).toBe('a.spec.ts');
      expect(file.text).toContain('createTestingDurable(AppModule)');
      expect((await ask('runs/a/export?as=zip', 'ada')).status).toBe(400);
      const { times } = (await (await ask('schedules/preview?cron=0%209%20*%20*%20*&count=3', 'bob')).json()) as {
        times: string[];
      };
      expect(times).toHaveLength(3);
      // A duration that is none is a fault of the request.
      for (const address of ['schedules/preview?every=long', 'tasks?olderThan=long', 'steps?youngerThan=long'])
        expect(await (await ask(address, 'bob')).json()).toMatchObject({ error: { code: 'INVALID_ARGUMENT' } });
      const listed = (await (
        await ask('steps?step=payments.charge&idPrefix=a&stepStatus=completed', 'bob')
      ).json()) as {
        steps: unknown[];
      };
      expect(listed.steps).toMatchObject([{ workflowId: 'a', workflow: 'order', seq: 0, kind: 'remote', error: null }]);
      expect(await (await ask('tasks?group=payments&taskStatus=lapsed', 'bob')).json()).toEqual({ tasks: [] });
      const { acts } = await app.get(OperatorActs).list({ target: 'a', action: 'look' });
      expect(acts.map(({ actor }) => actor).sort()).toEqual(['ada', 'cem']);
    } finally {
      await app.close();
    }
  });
});

describe("the input of a step that today's code does not ask for", () => {
  it('is told of by where the code parts from the history', async () => {
    const { app, url } = await dashboardApp();
    try {
      await app.get(WorkflowClient).startAndWait(Twice, undefined, { id: 'older' });
      Twice.changed = true;
      const ask = async (query: string) => {
        const answered = await fetch(`${url}/api/runs/older/payloads?${query}`, { headers: { 'x-user': 'cem' } });
        return (await answered.json()) as Record<string, unknown>;
      };
      const mismatch = { seq: 1, recorded: 'remote "payments.charge"', asked: 'sleep "think"' };
      const replayed = { fits: false, mismatch };
      expect(await ask('seq=0&inputs=replay')).toMatchObject({ input: { amount: 1 }, recomputed: true, replayed });
      const second = await ask('seq=1&inputs=replay');
      expect(second).toMatchObject({ output: 'paid 2', recomputed: false, replayed });
      expect(second).not.toHaveProperty('input');
      expect(await ask('seq=1')).not.toHaveProperty('replayed');
    } finally {
      Twice.changed = false;
      await app.close();
    }
  });
});

describe('links on the page of a run', () => {
  const trace = { tenant: 'acme', traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` };

  it('get the id of its trace, which is sent alone of all that a run carries, and not in lists', async () => {
    let carried: Record<string, unknown> | undefined = trace;
    const links = [{ title: 'Trace', href: ({ traceId }: RunRow) => traceId && `https://traces.example/${traceId}` }];
    const durable = { backend: memoryBackend(), contextFrom: () => carried };
    const { app, url } = await dashboardApp({ durable, dashboard: { links } });
    try {
      const client = app.get(WorkflowClient);
      await client.startAndWait(Order, { amount: 1 }, { id: 'traced' });
      carried = { ...trace, traceparent: 'nonsense' };
      await client.startAndWait(Order, { amount: 1 }, { id: 'untraced' });
      const ask = async (path: string) => (await fetch(`${url}/api/${path}`, { headers: { 'x-user': 'bob' } })).text();
      const traceId = 'ab'.repeat(16);
      const told = await ask('runs/traced');
      expect(JSON.parse(told)).toMatchObject({
        run: { id: 'traced', traceId },
        links: [{ title: 'Trace', href: `https://traces.example/${traceId}` }],
      });
      expect(told).not.toContain('acme');
      const other = JSON.parse(await ask('runs/untraced')) as { run: object; links: unknown };
      expect(other.links).toEqual([]);
      expect(other.run).not.toHaveProperty('traceId');
      expect(await ask('runs')).not.toContain(traceId);
    } finally {
      await app.close();
    }
  });
});

describe('what users without the permission for payloads get', () => {
  it('has no payload, and no stack, at any address', async () => {
    const { app, url } = await dashboardApp();
    try {
      Payments.broken = true;
      const client = app.get(WorkflowClient);
      const amount = 987_654_321;
      const { id } = await client.start(
        Order,
        { amount, card: 'secret-card' },
        { id: 'kept', attributes: { iban: 'DE89' } },
      );
      await until('it is blocked', async () => (await client.getStatus(id)).reason !== null);
      await client.resolveStep(id, 0, { output: 'secret-output' }, { actor: 'ada', reason: 'a test' });
      await client.result(id, { timeout: '120s' });
      for (const route of ROUTES.filter(({ method, permission }) => method === 'GET' && permission === 'read')) {
        const address = `${url}/api/${route.path.replace(':id', id)}`;
        const text = await (await fetch(address, { headers: { 'x-user': 'bob' } })).text();
        const found = /secret-card|DE89|secret-output|dashboard-app\.ts/.exec(text)?.[0] ?? 'nothing';
        expect({ address, found }).toEqual({ address, found: 'nothing' });
      }
    } finally {
      Payments.broken = false;
      await app.close();
    }
  });
});

describe('hideSecrets', () => {
  const seen = (value: unknown) => shown(value, { kind: 'input' }, hideSecrets);

  it.each([
    ...['password', 'accessToken', 'APIToken', 'api-key', 'secretAccessKey', 'passwordHash', 'cardNumber', 'tokens'],
    ...['db.password', 'jwt', 'Authorization', 'IBAN', 'x-api-key', 'pan'],
  ])('hides what is under %s', (key) => {
    expect(seen({ [key]: 'x', deep: [{ [key]: { y: 1 } }] })).toEqual({
      [key]: REDACTED,
      deep: [{ [key]: REDACTED }],
    });
    expect(seen(new Map([[key, 'x']]))).toEqual({ $durable: 'Map', value: [[key, REDACTED]] });
  });

  it.each(['company', 'discard', 'author', 'span', 'bypass', 'secretary'])('shows what is under %s', (key) => {
    expect(seen({ [key]: 'x' })).toEqual({ [key]: 'x' });
  });
});

/** As a browser asks that has been told that this machine has the name. */
const statusFor = (host: string, port: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/durable/api/overview', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

describe('the options of the dashboard', () => {
  const { NODE_ENV } = process.env;
  afterEach(() => void (process.env['NODE_ENV'] = NODE_ENV));

  it('need guards in production', () => {
    process.env['NODE_ENV'] = 'production';
    expect(() => DurableDashboardModule.forRoot()).toThrow('pass guards in production');
  });

  it('are checked', () => {
    const forRoot = (options: object) => () => DurableDashboardModule.forRoot(options);
    expect(forRoot({ guard: [] })).toThrow('did you mean "guards"');
    expect(forRoot({ path: '/x/' })).toThrow('path is "/x/"');
    expect(forRoot({ payloads: 'sometimes' })).toThrow('always, on demand, never');
  });

  it('without guards let this machine look, and change everything', async () => {
    const { app, url } = await dashboardApp({ dashboard: { guards: [], access: undefined as never } });
    try {
      const html = await (await fetch(url)).text();
      expect(html).toContain('data-may="read payloads cancel');
      expect((await fetch(`${url}/api/overview`)).status).toBe(200);
      // Somebody else, behind a proxy on this machine.
      for (const name of ['x-forwarded-for', 'forwarded', 'via'])
        expect((await fetch(`${url}/api/overview`, { headers: { [name]: '10.0.0.1' } })).status).toBe(403);
      const port = Number(new URL(url).port);
      expect(await statusFor('evil.example', port)).toBe(403);
      expect(await statusFor(`localhost:${port}`, port)).toBe(200);
    } finally {
      await app.close();
    }
  });

  it('may hide payloads from everybody', async () => {
    const { app, url } = await dashboardApp({ dashboard: { payloads: 'never' } });
    try {
      const answered = await fetch(`${url}/api/runs/x/payloads`, { headers: { 'x-user': 'ada' } });
      expect(answered.status).toBe(403);
      expect(await (await fetch(url, { headers: { 'x-user': 'ada' } })).text()).not.toMatch(/data-may="[^"]*payloads/);
    } finally {
      await app.close();
    }
  });
});
