import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { catchError, map, of } from 'rxjs';
import { type DashboardOptions } from '../../lib/dashboard/index.js';
import { ROUTES } from '../../lib/dashboard/routes.js';
import { type DurableModuleOptions, memoryBackend, WorkflowClient } from '../../lib/index.js';
import { Approval, dashboardApp, type DashboardApp, Order, Payments } from '../support/dashboard-app.js';
import { until } from '../support/until.js';

const ada = { headers: { 'x-user': 'ada' } };
const sent = (body: object, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...ada.headers, 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Wraps every answer, and every error, as apps do for their own routes. */
class Wrap implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      map((data: unknown) => ({ data })),
      catchError(() => of({ data: null })),
    );
  }
}

/** What is global in an app, and would change every answer, or prevent it. */
class Needs implements NestInterceptor {
  intercept(context: ExecutionContext): never {
    context.switchToHttp().getRequest<{ query: unknown }>().query = { changed: true };
    throw new Error('no tenant');
  }
}
class Silent implements NestInterceptor {
  intercept() {
    return of('from a cache');
  }
}
class Numbers implements PipeTransform {
  transform(): number {
    return 42;
  }
}
@Catch()
class Everything implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(_: unknown, host: ArgumentsHost): void {
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), 'I am a teapot', 418);
  }
}

const WEIRD = ['x'.repeat(180), 'ü/'.repeat(90), '..', '.', '~', 'a?b#c%2F', 'plain-1'];
const api = (id: string, rest = '') => `api/runs/~${rest}?id=${encodeURIComponent(id)}`;

const bodyOf = (answer: Response) => answer.json() as Promise<unknown>;

describe.each(['express', 'fastify'] as const)('answers of the dashboard on %s', (adapter) => {
  let dashboard: DashboardApp;
  beforeAll(async () => {
    const prepare = (app: DashboardApp['app']) => void app.useGlobalInterceptors(new Wrap());
    dashboard = await dashboardApp({ adapter, prepare });
  });
  afterAll(() => dashboard.app.close());
  const ask = (path: string, init: RequestInit = ada) => fetch(`${dashboard.url}/${path}`, init);

  it.each(WEIRD)('find the run %s, whose id is in the query', async (id) => {
    const client = dashboard.app.get(WorkflowClient);
    await client.start(Approval, undefined, { id });
    const run = await ask(api(id));
    expect({ status: run.status, body: await bodyOf(run) }).toMatchObject({ status: 200, body: { run: { id } } });
    for (const rest of ['/why', '/steps', '/tree', '/children', '/payloads'])
      expect({ rest, status: (await ask(api(id, rest))).status }).toEqual({ rest, status: 200 });
    const changed = await ask(api(id, '/cancel'), sent({ reason: 'a test' }));
    expect(await changed.json()).toEqual({ changed: true });
    await until('it has ended', async () => (await client.getStatus(id)).finishedAt !== null);
  });

  it('say what is wrong with longer ids, of 191 characters', async () => {
    const id = `${'ü/'.repeat(90)}/child-7777`;
    expect(id).toHaveLength(191);
    const missing = await ask(api(id));
    expect({ status: missing.status, body: await bodyOf(missing) }).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('1 to 180 characters') as string } },
    });
    expect((await ask(`${api('x')}&id=y`)).status).toBe(400);
  });

  it('open the page of a run with a long id', async () => {
    const page = await ask(`runs/~?id=${encodeURIComponent(WEIRD[1]!)}&step=1`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<base href="/durable/"');
  });

  it('are not what an interceptor of the app makes of them', async () => {
    expect(await (await ask('api/runs')).json()).toHaveProperty('runs');
    const missing = await ask('api/runs/nobody');
    expect({ status: missing.status, body: await bodyOf(missing) }).toMatchObject({
      status: 404,
      body: { error: { code: expect.any(String) as string } },
    });
    const page = await ask('overview');
    const html = await page.text();
    expect(page.headers.get('content-type')).toContain('text/html');
    const file = await ask(/assets\/[^"]+\.js/.exec(html)![0]);
    expect(file.headers.get('content-type')).toContain('javascript');
    expect((await ask('assets/none.js')).status).toBe(404);
  });

  it('refuse changes of other sites at every address', async () => {
    for (const route of ROUTES.filter(({ method }) => method !== 'GET')) {
      const address = `api/${route.path.replaceAll(/:\w+/g, '1')}`;
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const { status } = await ask(address, sent({ reason: 'a test' }, headers as Record<string, string>));
        expect({ address, headers, status }).toEqual({ address, headers, status: 403 });
      }
    }
  });

  it('take attributes with commas, and texts that look like numbers', async () => {
    const client = dashboard.app.get(WorkflowClient);
    const attributes = { name: 'Doe, "Jane"', order: '4711', paid: true };
    await client.start(Approval, undefined, { id: 'with-attributes', attributes });
    const found = async (...given: string[]) => {
      const query = given.map((one) => `attribute=${encodeURIComponent(one)}`).join('&');
      const body = (await (await ask(`api/runs?${query}`)).json()) as { runs?: { id: string }[] };
      return body.runs?.map(({ id }) => id) ?? body;
    };
    expect(await found('name="Doe, \\"Jane\\""')).toEqual(['with-attributes']);
    expect(await found('order="4711"', 'paid=true')).toEqual(['with-attributes']);
    expect(await found('order="4711",paid=true')).toEqual(['with-attributes']);
    expect(await found('order=4711')).toEqual([]);
    expect(await found('order="4711')).toEqual([]);
    expect(await found('order="47\\x"')).toMatchObject({ error: {} });
  });
});

describe.each(['express', 'fastify'] as const)('what is global in an app on %s', (adapter) => {
  it.each([
    ['an interceptor that refuses requests', new Needs()],
    ['an interceptor that answers itself', new Silent()],
  ])('changes no page, no file and no answer: %s, a pipe and a filter', async (_, interceptor) => {
    const prepare = (app: DashboardApp['app']) => {
      app.useGlobalInterceptors(interceptor);
      app.useGlobalPipes(new Numbers());
      app.useGlobalFilters(new Everything(app.get(HttpAdapterHost)));
    };
    const { app, url } = await dashboardApp({ adapter, prepare });
    const seen = async (path: string, init: RequestInit = ada) => {
      const answer = await fetch(`${url}/${path}`, init);
      const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
      return { status: answer.status, type, text: await answer.text() };
    };
    try {
      await app.get(WorkflowClient).start(Approval, undefined, { id: 'a' });
      const page = await seen('overview');
      expect(page).toMatchObject({ status: 200, type: 'text/html' });
      const file = /assets\/[^"]+\.js/.exec(page.text)![0];
      expect(await seen(file)).toMatchObject({ status: 200, type: 'text/javascript' });
      expect(await seen('api/runs?workflow=approval')).toMatchObject({ status: 200, type: 'application/json' });
      expect(await seen('api/metrics')).toMatchObject({ status: 200, type: 'text/plain' });
      expect(await seen('api/runs/a/cancel', sent({ reason: 'a test' }))).toMatchObject({ text: '{"changed":true}' });
      const refused = [
        ['assets/none.js', 404, ada],
        ['api/runs/nobody', 404, ada],
        ['api/runs?order=odd', 400, ada],
        ['overview', 403, {}],
        [file, 403, {}],
        ['api/runs', 403, {}],
      ] as const;
      for (const [path, status, init] of refused) {
        const { text, ...answer } = await seen(path, init);
        expect({ path, ...answer }).toEqual({ path, status, type: 'application/json' });
        expect(JSON.parse(text)).toHaveProperty('error.message');
      }
    } finally {
      await app.close();
    }
  });
});

describe('an error of the dashboard itself', () => {
  it('is told to nobody, and logged as it may be seen', async () => {
    const logged: string[] = [];
    const error = (...parts: unknown[]) => void logged.push(parts.map(String).join(' '));
    const href = () => {
      throw new RangeError('of ada');
    };
    const redact = ({ name }: { name: string }) => ({ name, message: 'hidden' });
    const { app, url } = await dashboardApp({
      dashboard: { links: [{ title: 'elsewhere', href }] },
      durable: { backend: memoryBackend(), errors: { redact } },
      prepare: (made) => made.useLogger({ log: () => {}, warn: () => {}, error }),
    });
    try {
      await app.get(WorkflowClient).start(Approval, undefined, { id: 'a' });
      const answer = await fetch(`${url}/api/runs/a`, ada);
      expect({ status: answer.status, text: await answer.text() }).toMatchObject({
        status: 500,
        text: expect.not.stringContaining('of ada') as string,
      });
      expect(logged).toEqual([expect.stringMatching(/^RangeError: hidden\b(?!.*of ada)/s)]);
    } finally {
      await app.close();
    }
  });
});

describe('what redact hides', () => {
  it('is hidden in every text that quotes an error', async () => {
    const redact: DashboardOptions['redact'] = ({ value, kind }) =>
      typeof value === 'string' && kind === 'error' ? value.replaceAll('refused', '[hidden]') : value;
    const durable: DurableModuleOptions = { backend: memoryBackend(), effects: { errors: 'full' } };
    const { app, url } = await dashboardApp({ filled: true, dashboard: { redact }, durable });
    try {
      Payments.broken = true;
      const client = app.get(WorkflowClient);
      await client.start(Order, { amount: 1 }, { id: 'o' });
      await until('it is blocked', async () => (await client.getStatus('o')).reason !== null);
      for (const path of ['runs/o', 'runs/o/why', 'outbox/standing', 'outbox/dead', 'effects/abandoned']) {
        const text = await (await fetch(`${url}/api/${path}`, ada)).text();
        expect({ path, hides: text.includes('[hidden]'), shows: text.includes('refused') }).toEqual({
          path,
          hides: true,
          shows: false,
        });
      }
    } finally {
      Payments.broken = false;
      await app.close();
    }
  });
});
