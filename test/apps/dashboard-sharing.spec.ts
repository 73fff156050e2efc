import { Operator, WorkflowClient } from '../../lib/index.js';
import { dashboardApp, type DashboardApp, type DashboardAppOptions } from '../support/dashboard-app.js';
import { gate } from '../support/gate.js';
import { until } from '../support/until.js';

describe.each(['express', 'fastify'] as const)('tabs of a dashboard on %s', (adapter) => {
  let open: DashboardApp | undefined;
  afterEach(async () => {
    await open?.app.close();
  });

  const start = async (dashboard: DashboardAppOptions['dashboard'] = {}) =>
    (open = await dashboardApp({ adapter, dashboard }));
  const ask = async <T>(address: string, user = 'ada', headers: Record<string, string> = {}): Promise<T> => {
    const answer = await fetch(`${open!.url}/api/${address}`, { headers: { 'x-user': user, ...headers } });
    expect(answer.status).toBe(200);
    return (await answer.json()) as T;
  };
  /** Counts how often runs are listed; each list waits until it is let go. */
  const lists = () => {
    const { runs } = open!.app.get(Operator);
    const [list, { opened, open: letGo }] = [runs.list.bind(runs), gate()];
    const counted: (number | undefined)[] = [];
    runs.list = async (options) => {
      counted.push(options?.limit);
      await opened;
      return list(options);
    };
    return { counted, letGo };
  };

  it('ask what one asks', async () => {
    let came = 0;
    await start({
      access: ({ user }) => {
        came++;
        return { actor: String(user?.['name']), may: user?.['name'] === 'ada' ? 'all' : 'read' };
      },
    });
    const { counted, letGo } = lists();
    const asked = Array.from({ length: 10 }, (_, n) => ask('runs?limit=7', n % 2 === 0 ? 'bob' : 'ada'));
    const other = ask('runs?limit=8');
    await until('all have come', () => came === 11 && counted.length === 3);
    letGo();
    await Promise.all([...asked, other]);
    // Who may do more sees the same, but is not served what was asked for another.
    expect(counted.sort()).toEqual([7, 7, 8]);
  });

  it('ask for each user where functions of the app may know who looks', async () => {
    await start({ redact: ({ value }) => value });
    const { counted, letGo } = lists();
    letGo();
    await Promise.all([ask('runs', 'ada'), ask('runs', 'ada'), ask('runs', 'bob')]);
    expect(counted).toHaveLength(2);
  });

  it('see a change of their own at once, and of others when they say so', async () => {
    await start();
    const workflows = open!.app.get(WorkflowClient);
    type Runs = { runs: { id: string; status: string }[] };
    for (let n = 0; n < 5; n++) {
      const id = `r${n}`;
      await ask<Runs>('runs');
      await workflows.start('approval', undefined, { id });
      const { runs } = await ask<Runs>('runs', 'ada', { 'cache-control': 'no-cache' });
      expect(runs.map((run) => run.id)).toContain(id);
      await ask<Runs>('runs');
      const body = JSON.stringify({ reason: 'a test' });
      const headers = { 'content-type': 'application/json', 'x-user': 'ada' };
      const changed = await fetch(`${open!.url}/api/runs/${id}/terminate`, { method: 'POST', headers, body });
      expect(await changed.json()).toEqual({ changed: true });
      const before = (await workflows.getStatus(id)).status;
      const seen = (await ask<Runs>('runs')).runs.find((run) => run.id === id)?.status;
      const after = (await workflows.getStatus(id)).status;
      expect([before, after]).toContain(seen);
    }
  });

  it('get older answers if they look again and again, and are told until when', async () => {
    await start();
    const { counted, letGo } = lists();
    letGo();
    const look = async (cacheControl?: string) => {
      const headers = { 'x-user': 'ada', ...(cacheControl && { 'cache-control': cacheControl }) };
      const answer = await fetch(`${open!.url}/api/runs`, { headers });
      return Number(answer.headers.get('durable-rest-ms'));
    };
    const restMs = await look('max-age=60');
    expect(restMs).toBeGreaterThan(0);
    expect(restMs).toBeLessThanOrEqual(30_000);
    await Promise.all([look('max-age=60'), look()]);
    expect(counted).toHaveLength(1);
    await look('No-Cache');
    expect(counted).toHaveLength(2);
  });
});
