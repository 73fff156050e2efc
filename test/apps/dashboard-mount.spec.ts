import { Injectable, Module } from '@nestjs/common';
import { DurableDashboardModule } from '../../lib/dashboard/index.js';
import { dashboardApp, NamedGuard } from '../support/dashboard-app.js';

@Injectable()
class Where {
  readonly path = '/tools/durable';
}

@Module({ providers: [Where], exports: [Where] })
class WhereModule {}

const ADAPTERS = ['express', 'fastify'] as const;
const bob = { headers: { 'x-user': 'bob' } };
const scriptOf = (html: string) => /assets\/[^"]+\.js/.exec(html)![0];

describe.each(ADAPTERS)('the dashboard on %s', (adapter) => {
  it.each([
    ['', '/durable/'],
    ['api/v1', '/api/v1/durable/'],
  ])('is found below the prefix "%s", among versions and headers of helmet', async (prefix, base) => {
    const { app, url } = await dashboardApp({ adapter, strict: true, ...(prefix && { prefix }) });
    try {
      for (const path of ['', '/overview', '/doctor', '/deploy', '/runs/order%2F%C3%BC%201?step=1']) {
        const page = await fetch(url + path, bob);
        const found = /<base href="([^"]*)"/.exec(await page.text())?.[1];
        expect({ path, found }).toEqual({ path, found: base });
        expect(page.headers.get('content-security-policy')).toContain("style-src 'self'");
        expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      }
      expect((await fetch(`${url}/api/overview`, bob)).status).toBe(200);
    } finally {
      await app.close();
    }
  });

  it('answers without guards those on this machine, and the log says so once', async () => {
    const said: string[] = [];
    const note = (message: unknown) => void said.push(String(message));
    const logger = { log: () => {}, error: note, warn: note };
    const { app, url } = await dashboardApp({
      adapter,
      dashboard: { guards: [], access: () => ({ actor: 'whoever', may: 'read' }) },
      prepare: (made) => made.useLogger(logger),
    });
    try {
      const seen = await fetch(`${url}/api/overview`);
      expect([seen.status, seen.headers.get('durable-api')]).toEqual([200, '1']);
      expect((await fetch(`${url}/api/overview`, { headers: { 'x-forwarded-for': '192.0.2.1' } })).status).toBe(403);
      expect(said).toEqual(['No guards protect /durable: it answers requests of this machine alone']);
    } finally {
      await app.close();
    }
  });

  it('answers HEAD as GET, without a body', async () => {
    const { app, url } = await dashboardApp({ adapter });
    try {
      const file = scriptOf(await (await fetch(url, bob)).text());
      for (const path of ['', '/runs', `/${file}`, '/api/overview']) {
        const [head, seen] = [await fetch(url + path, { method: 'HEAD', ...bob }), await fetch(url + path, bob)];
        const kind = (answer: Response) => [answer.status, answer.headers.get('content-type')];
        expect({ path, head: kind(head) }).toEqual({ path, head: kind(seen) });
        expect(await head.text()).toBe('');
        expect((await fetch(url + path, { method: 'HEAD' })).status).toBe(403);
      }
    } finally {
      await app.close();
    }
  });

  it('sends a file again only if the browser has another one', async () => {
    const { app, url } = await dashboardApp({ adapter });
    try {
      const file = `${url}/${scriptOf(await (await fetch(url, bob)).text())}`;
      const etag = (await fetch(file, bob)).headers.get('etag')!;
      const status = async (tags: string) =>
        (await fetch(file, { headers: { ...bob.headers, 'if-none-match': tags } })).status;
      expect([await status(etag), await status(`"other", W/${etag}`), await status('"other"')]).toEqual([
        304, 304, 200,
      ]);
    } finally {
      await app.close();
    }
  });

  it('is where the proxy says, by options that come from another provider', async () => {
    const module = DurableDashboardModule.forRootAsync({
      path: 'admin/jobs',
      guards: [NamedGuard],
      imports: [WhereModule],
      inject: [Where],
      useFactory: async ({ path }: Where) => ({ publicPath: path, payloads: 'never' as const }),
    });
    const { app, url } = await dashboardApp({ adapter, module, dashboard: { path: 'admin/jobs' } });
    try {
      for (const path of ['', '/runs/x']) {
        const html = await (await fetch(url + path, bob)).text();
        expect(html).toContain('<base href="/tools/durable/"');
        expect(html).toContain('data-payloads="never"');
      }
      expect((await fetch(`${url}/api/overview`, bob)).status).toBe(200);
    } finally {
      await app.close();
    }
  });
});

describe('a proxy that serves the dashboard at its root', () => {
  it('is told by a slash', async () => {
    const { app, url } = await dashboardApp({ dashboard: { publicPath: '/' } });
    try {
      expect(await (await fetch(`${url}/runs`, bob)).text()).toContain('<base href="/"');
    } finally {
      await app.close();
    }
  });
});

describe('the options of forRootAsync', () => {
  it('are checked at once', () => {
    const forRootAsync = (options: object) => () => DurableDashboardModule.forRootAsync(options as never);
    const useFactory = () => ({});
    expect(forRootAsync({ useFactory, access: () => null })).toThrow('no option "access": let useFactory return it');
    expect(forRootAsync({ useFactory, guard: [] })).toThrow('did you mean "guards"');
    expect(forRootAsync({})).toThrow('useFactory');
    expect(forRootAsync({ useFactory, path: '/x' })).toThrow('path is "/x"');
  });

  it.each([
    [{ path: 'x' }, 'no option "path": pass it to forRootAsync itself'],
    [{ publicpath: '/x' }, 'did you mean "publicPath"'],
    [{ publicPath: 'https://x.example/durable' }, 'an absolute path such as /tools/durable'],
    [{ publicPath: '/x/"onload=' }, 'an absolute path'],
  ])('are checked when the factory returned %j', async (conduct, message) => {
    const module = DurableDashboardModule.forRootAsync({ guards: [NamedGuard], useFactory: () => conduct as object });
    await expect(dashboardApp({ module })).rejects.toThrow(message);
  });
});
