import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableMetrics,
  DurableModule,
  Effect,
  NonRetryableEffectError,
  OnOutboxMessage,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
} from '../../../lib/index.js';
import { Telemetry } from '../../../lib/core/telemetry.js';
import { backends } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { bootApp, ormModule } from '../../support/nest-app.js';
import { until } from '../../support/until.js';
import { ROOT } from '../../support/root.mjs';

const DOCS = join(ROOT, 'docs/metrics/');

@Worker({ group: 'billing' })
class Billing {
  @RemoteStep('charge')
  charge(amount: number): number {
    return amount;
  }
}

class Outside {
  @OnOutboxMessage('news', { consumer: 'listener' })
  async hear(): Promise<void> {}

  @Effect('mail')
  async mail(): Promise<void> {
    throw new NonRetryableEffectError('no');
  }
}

@Workflow('order')
class Order {
  async run(ctx: WorkflowContext, _: null): Promise<number> {
    await ctx.sleep('a moment', '10ms');
    await ctx.publish({ channel: 'news', name: 'ordered', data: 1 });
    await ctx.startChild(Stuck, null, { parentClose: 'abandon' });
    return ctx.remote(Billing).charge(5);
  }
}

@Workflow('stuck')
class Stuck {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    await ctx.step('never', () => Promise.reject(new Error('no')), { retry: { attempts: 1 }, onExhausted: 'block' });
  }
}

@Workflow('mailing')
class Mailing {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    await ctx.effects({ operation: 'mail', subject: ctx.workflowId, calls: [{ handler: 'mail', ref: 1 }] });
  }
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** Every expression of the dashboard, over the last seconds. */
const { panels } = JSON.parse(readFileSync(join(DOCS, 'grafana.json'), 'utf8')) as { panels: Panel[] };
const EXPRESSIONS = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '10s') })),
);

/** Of what does not happen here. */
const MAY_BE_EMPTY = /runs_due_age|outbox_failures|outbox_poisoned|effects_unclaimed|schedules_failures/;

interface Answer {
  status: string;
  error?: string;
  data: { result: unknown[]; groups: { rules: { name: string; health: string; state: string }[] }[] };
}

const portOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describeWithProgram('prometheus', 'A real Prometheus', (program) => {
  const folder = mkdtempSync(join(tmpdir(), 'durable-prometheus-'));
  let database: FreshDatabase;
  let app: INestApplicationContext;
  let server: Server;
  let prometheus: ChildProcess;
  let url: string;
  /** What was told of questions that were not answered. */
  const errors: string[] = [];

  const ask = async (path: string): Promise<Answer> => (await (await fetch(`${url}/api/v1/${path}`)).json()) as Answer;
  const query = (expr: string) => ask(`query?query=${encodeURIComponent(expr)}`);

  beforeAll(async () => {
    const [at] = backends;
    database = await createDatabase(at!.db);
    const fast = { pollInterval: '20ms' } as const;
    const durable = DurableModule.forRoot({ migrate: true, worker: fast, outbox: fast, effects: fast });
    const providers = [Order, Stuck, Mailing, Billing, Outside];
    app = await bootApp({ imports: [ormModule(at!.orm, database), durable], providers });
    const metrics = app.get(DurableMetrics);
    metrics.start();
    server = createServer((_, response) => {
      response.setHeader('content-type', DurableMetrics.contentType);
      metrics.text().then(
        (text) => response.end(text),
        (error: Error) => response.writeHead(500).end(error.message),
      );
    });
    const target = `127.0.0.1:${await portOf(server)}`;
    // JSON is YAML.
    const config = {
      global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '1s' },
      rule_files: [join(DOCS, 'alerts.yml')],
      scrape_configs: [{ job_name: 'app', static_configs: [{ targets: [target] }] }],
    };
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const listen = `127.0.0.1:${await freePort()}`;
    url = `http://${listen}`;
    const args = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${listen}`];
    prometheus = spawn(program, args, { cwd: folder, stdio: 'ignore' });
    await app.get(WorkflowSchedules).create(Order, { id: 'often', every: '1s', input: null });
    // Its first run waits for a call that is abandoned, so that all other times are skipped.
    await app.get(WorkflowSchedules).create(Mailing, { id: 'held up', every: '1s', input: null });
    await app.get(WorkflowClient).start(Mailing, null);
    app.get(Telemetry).on('loop.error', ({ loop, error }) => void errors.push(`${loop}: ${String(error)}`));
    app.get(Telemetry).emit('loop.error', { loop: 'test', error: new Error('as if') });
    await until('it answers', () =>
      query('up').then(
        ({ status }) => status === 'success',
        () => false,
      ),
    );
  });

  afterAll(async () => {
    prometheus?.kill('SIGKILL');
    await app?.close();
    server?.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('scrapes an app, and has an answer for every panel of the dashboard', async () => {
    // Each at some moment: after a scrape that came too late, gauges have no value until the next one.
    const missing = new Set(EXPRESSIONS.filter(({ expr }) => !MAY_BE_EMPTY.test(expr)));
    const all = async () => {
      for (const panel of missing) {
        const { status, error, data } = await query(panel.expr);
        if (status !== 'success') throw new Error(`${panel.title}: ${panel.expr}: ${error}`);
        if (data.result.length > 0) missing.delete(panel);
      }
      return missing.size === 0;
    };
    await until('every panel has values', all, { everyMs: 1_000 }).catch(() => undefined);
    const why = missing.size > 0 ? errors : [];
    expect({ missing: [...missing], why }).toEqual({ missing: [], why: [] });
    for (const { title, expr } of EXPRESSIONS)
      expect({ title, status: (await query(expr)).status }).toEqual({ title, status: 'success' });
  });

  it('evaluates every alert rule, and raises those of a blocked run and an abandoned call', async () => {
    const rules = async () => (await ask('rules')).data.groups.flatMap((group) => group.rules);
    const firing = async () => (await rules()).filter(({ state }) => state === 'firing').map(({ name }) => name);
    await until('every rule was evaluated', async () => (await rules()).every(({ health }) => health !== 'unknown'));
    expect((await rules()).filter(({ health }) => health !== 'ok')).toEqual([]);
    await until('they fire', async () => (await firing()).length >= 2, { everyMs: 500 });
    expect((await firing()).sort()).toEqual(['DurableEffectsAbandoned', 'DurableRunsBlocked']);
  });
});
