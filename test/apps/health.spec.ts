import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import {
  DurableHealth,
  DurableModule,
  type DurableModuleOptions,
  DurableNodes,
  DurableRuntime,
  Effect,
  memoryBackend,
  OutboxPublisher,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { DurableHealthIndicator } from '../../lib/terminus/index.js';
import { ProcessRuntime } from '../../lib/nest/runtime.js';
import type { PollLoop } from '../../lib/core/loops.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { ormModule } from '../support/nest-app.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

@Worker({ group: 'billing' })
class Billing {
  @RemoteStep('charge')
  async charge(): Promise<string> {
    return 'paid';
  }
}

class Mail {
  @Effect('mail')
  async send(): Promise<void> {}
}

@OutboxPublisher({ name: 'broker' })
class Broker {
  async publish(): Promise<void> {}
}

@Workflow('order')
class Order {
  run(ctx: WorkflowContext): Promise<unknown> {
    return ctx.remote<string>('charge', null, { group: 'nobody' });
  }
}

@Controller()
class Probes {
  constructor(
    private readonly health: HealthCheckService,
    private readonly durable: DurableHealthIndicator,
  ) {}

  @Get('live')
  @HealthCheck()
  live() {
    return this.health.check([() => this.durable.isLive()]);
  }

  @Get('ready')
  @HealthCheck()
  ready() {
    return this.health.check([() => this.durable.isReady('database', { timeout: '120s' })]);
  }
}

type Imports = NonNullable<Parameters<typeof Module>[0]['imports']>;

/** A real app behind a real port. */
async function boot(imports: Imports): Promise<{ app: INestApplication; probe: Probe }> {
  @Module({
    imports: [...imports, TerminusModule.forRoot({ logger: false })],
    controllers: [Probes],
    providers: [Order, Billing, Mail, Broker, DurableHealthIndicator],
  })
  class TestApp {}

  const app = await NestFactory.create(TestApp, { logger: false, abortOnError: false });
  await app.listen(0);
  const url = await app.getUrl();
  const probe: Probe = async (path) => {
    const response = await fetch(`${url.replace('[::1]', 'localhost')}/${path}`);
    const { details } = (await response.json()) as { details: Record<string, Details> };
    return { ...Object.values(details)[0]!, status: response.status };
  };
  return { app, probe };
}

interface Details {
  problems: string[];
}
type Probe = (path: 'live' | 'ready') => Promise<Details & { status: number }>;

const FAST: DurableModuleOptions = { effects: { pollInterval: '50ms' }, outbox: { pollInterval: '50ms' } };

describeDatabases('probes of an app', (at) => {
  let database: FreshDatabase;
  let proxy: TcpProxy;
  let app: INestApplication;
  let probe: Probe;
  const loops = () => app.get(ProcessRuntime).vitals.loops;
  /** What the probe answers once it tells of these problems: a database that stands still for seconds is another one. */
  const readyOnceWith = (...problems: string[]) =>
    until(`its problems are ${problems.join() || 'none'}`, async () => {
      const ready = await probe('ready');
      return ready.problems.join() === problems.join() && ready;
    });

  beforeAll(async () => {
    database = await createDatabase(at.db);
    proxy = await startTcpProxy(database);
    const through = { ...database, host: '127.0.0.1', port: proxy.port };
    const durable = DurableModule.forRoot({ migrate: true, worker: { pollInterval: '50ms' }, ...FAST });
    ({ app, probe } = await boot([ormModule(at.orm, through), durable]));
  });
  afterAll(async () => {
    await app?.close();
    await proxy.close();
    await database.close();
  });

  it('find all well', async () => {
    expect(await probe('live')).toMatchObject({ status: 200, problems: [] });
    const ready = { status: 200, problems: [], state: 'running', database: true, schema: true, signedIn: true };
    expect(await readyOnceWith()).toMatchObject(ready);
    expect(Object.keys(loops()).sort()).toEqual([
      'effects',
      'engine.answers',
      'engine.beats',
      'engine.claims',
      'engine.residency',
      'engine.revocations',
      'engine.stranded',
      'erasure',
      'holds',
      'limits',
      'outbox.beats',
      'outbox.pruning',
      'outbox.relay broker',
      'retention',
      'samples',
      'schedules',
      'signals',
      'unserved',
      'worker.claims',
      'worker.revocations',
    ]);
  });

  it('without the database: it lives, is not ready, and is again when the database is back', async () => {
    proxy.refuse(true);
    proxy.cut();
    const down = await until('it is not ready', async () => {
      const ready = await probe('ready');
      return ready.status === 503 && ready;
    });
    expect(down).toMatchObject({ database: false, schema: null, signedIn: null });
    expect(down.problems).toEqual([expect.stringMatching(/^the database does not answer \(\w+\)$/)]);
    await until('its loops have failed', () =>
      ['engine.claims', 'engine.beats', 'worker.claims', 'effects'].every((name) => loops()[name]!.pulse.failed),
    );
    expect(await probe('live')).toMatchObject({ status: 200, problems: [] });
    const report = await app.get(DurableHealth).report();
    expect(report).toMatchObject({ dueRuns: null, tasks: null, outbox: null, effects: null });
    proxy.refuse(false);
    await until('it is ready', async () => (await probe('ready')).status === 200);
  });

  it('with tables that lack a migration', async () => {
    const [first] = await database.query<{ id: string; applied_at: number }>(
      `SELECT * FROM durable_migrations WHERE id = '001-engine'`,
    );
    await database.query(`DELETE FROM durable_migrations WHERE id = '001-engine'`);
    const lacking = { status: 503, database: true, schema: false };
    expect(await readyOnceWith('the tables lack 001-engine')).toMatchObject(lacking);
    await database.query('INSERT INTO durable_migrations (id, applied_at) VALUES (?, ?)', [
      first!.id,
      first!.applied_at,
    ]);
    expect(await readyOnceWith()).toMatchObject({ status: 200 });
  });

  it('of a process that is not signed in', async () => {
    const problem = 'this process is not signed in: its heartbeat is late';
    const late = await until('its heartbeat is late', async () => {
      await database.query('UPDATE durable_nodes SET expires_at = 0');
      const ready = await probe('ready');
      return ready.problems.join() === problem && ready;
    });
    expect(late).toMatchObject({ status: 503, signedIn: false });
    await until('it beats', async () => (await probe('ready')).status === 200);
  });

  it('of a process one of whose loops has stopped', async () => {
    const claims = loops()['engine.claims'] as PollLoop;
    await claims.stop();
    expect(await probe('live')).toMatchObject({ status: 503, problems: ['the loop "engine.claims" has stopped'] });
    claims.start();
    expect(await probe('live')).toMatchObject({ status: 200 });
  });

  it('the report tells what waits, for whom', async () => {
    await app.get(WorkflowClient).start(Order, undefined);
    // It may still be on its way back to the database, which was away.
    const listens = at.db === 'postgres' ? 'listening' : 'polling';
    const report = await until('the task waits', async () => {
      const found = await app.get(DurableHealth).report();
      return found.tasks?.length === 1 && found.notifications === listens && found.problems.length === 0 && found;
    });
    const { node, notifications, effects, outbox, problems } = report;
    const { residents, ...load } = report.load;
    // Where the database was away for long, the run is parked.
    expect(residents).toBeLessThanOrEqual(1);
    expect({ notifications, load, effects, outbox, problems }).toEqual({
      notifications: listens,
      load: { steps: 0 },
      effects: { unclaimed: [], abandoned: 0 },
      outbox: [{ destination: 'broker', channels: 0, pending: 0, standing: 0 }],
      problems: [],
    });
    expect(node!.roles).toEqual(['engine', 'worker', 'relay', 'effects']);
    expect(node!.id).toBe((await app.get(DurableNodes).list())[0]!.id);
    expect(report.tasks).toMatchObject([{ group: 'nobody', name: 'charge', count: 1 }]);
    expect(report.tasks![0]!.since).toBeInstanceOf(Date);
    expect(report.loops.find(({ name }) => name === 'engine.beats')).toMatchObject({ failed: false });
  });

  it('of a process that stops: it lives, and is not ready', async () => {
    await app.get(DurableRuntime).stop();
    expect(await probe('live')).toMatchObject({ status: 200 });
    expect(await probe('ready')).toMatchObject({ status: 503, problems: ['the runtime is stopped'], database: null });
  });
});

describe('probes of other processes', () => {
  it('a client is ready without signing in, and one that is not started is not', async () => {
    const backend = memoryBackend();
    const roles = { engine: false, worker: false, effects: { run: false }, outbox: { relay: false } } as const;
    const { app, probe } = await boot([DurableModule.forRoot({ backend, ...roles, autoStart: false })]);
    expect(await probe('ready')).toMatchObject({ status: 503, problems: ['the runtime is not started'] });
    expect(await probe('live')).toMatchObject({ status: 200 });
    await app.get(DurableRuntime).start();
    expect(await probe('ready')).toMatchObject({ status: 200, signedIn: null });
    await app.close();
  });
});
