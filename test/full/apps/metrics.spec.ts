import { spawnSync } from 'node:child_process';
import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableMetrics,
  Effect,
  Effects,
  NonRetryableEffectError,
  DurableModule,
  type DurableModuleOptions,
  memoryBackend,
  OnOutboxMessage,
  Outbox,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../../lib/index.js';
import { Telemetry } from '../../../lib/core/telemetry.js';
import { backends } from '../../support/backends.js';
import { createDatabase } from '../../support/fresh-database.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { bootApp, ormModule } from '../../support/nest-app.js';
import { until } from '../../support/until.js';

@Worker({ group: 'billing' })
class Billing {
  @RemoteStep('charge', { retry: { attempts: 2, backoff: { delay: 1 } } })
  async charge(fails: boolean): Promise<string> {
    if (fails) throw Object.assign(new Error('secret message'), { code: 'DECLINED' });
    return 'paid';
  }
}

class Listener {
  @OnOutboxMessage('news', { consumer: 'listener' })
  async hear(): Promise<void> {}

  @Effect('refused')
  async refuse(): Promise<void> {
    throw new NonRetryableEffectError('secret');
  }
}

@Workflow('order')
class Order {
  async run(ctx: WorkflowContext, fails: boolean): Promise<string> {
    await ctx.step('near', () => 1);
    return ctx.remote(Billing).charge(fails);
  }
}

@Workflow('broken')
class Broken {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.step('never', () => Promise.reject(new Error('no')), { retry: { attempts: 1 }, onExhausted: 'block' });
  }
}

/** Of two runs, one of which fails, another one that is blocked, and an event. */
const COUNTED = [
  'durable_runs_started_total{workflow="order",how="start"} 2',
  'durable_runs_standing{workflow="broken",reason="exhausted"} 1',
  'durable_runs_ended_total{workflow="order",status="completed"} 1',
  'durable_runs_ended_total{workflow="order",status="failed"} 1',
  'durable_runs_blocked_total{workflow="broken",reason="exhausted"} 1',
  'durable_run_duration_seconds_count{workflow="order",status="completed"} 1',
  'durable_run_start_delay_seconds_count{workflow="order"} 2',
  'durable_step_attempts_total{step="near",outcome="completed"} 2',
  'durable_step_attempts_total{step="never",outcome="failed"} 1',
  'durable_step_attempts_total{step="charge",outcome="completed"} 1',
  'durable_step_attempts_total{step="charge",outcome="failed"} 2',
  'durable_step_duration_seconds_count{step="near",kind="step",outcome="completed"} 2',
  'durable_step_queue_duration_seconds_count{step="charge",group="billing"} 3',
  'durable_outbox_delivered_total{destination="listener"} 1',
  'durable_nodes{role="engine"} 1',
  'durable_worker_concurrency 50',
  'durable_worker_running 0',
  'durable_outbox_lag{destination="listener"} 0',
  'durable_outbox_lag_age_seconds{destination="listener"} 0',
  'durable_outbox_dead{destination="listener"} 0',
  'durable_queue_depth{group="billing"} 0',
  'durable_runs_open{status="suspended"} 1',
  'durable_effects{handler="refused",status="abandoned"} 1',
  'durable_effect_attempts_total{handler="refused",outcome="abandoned"} 1',
  'durable_schedules_late 0',
];

const FAST: DurableModuleOptions = {
  worker: { pollInterval: '20ms' },
  outbox: { pollInterval: '20ms' },
  effects: { pollInterval: '20ms' },
};

async function inMemory() {
  const durable = DurableModule.forRoot({ backend: memoryBackend(), ...FAST });
  const app = await bootApp({ imports: [durable], providers: [Order, Broken, Billing, Listener] });
  return { app, close: () => app.close() };
}

async function inSql(at: (typeof backends)[number]) {
  const database = await createDatabase(at.db);
  const imports = [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true, ...FAST })];
  const app = await bootApp({ imports, providers: [Order, Broken, Billing, Listener] });
  return {
    app,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

const cases = [
  { name: 'memory', open: inMemory, isOnPostgres: false },
  ...backends.slice(0, 2).map((at) => ({ name: at.name, open: () => inSql(at), isOnPostgres: at.db === 'postgres' })),
];

describe.each(cases)('metrics of an app [$name]', ({ open, isOnPostgres }) => {
  let app: INestApplicationContext;
  let close: () => Promise<void>;
  const text = () => app.get(DurableMetrics).text();

  beforeAll(async () => {
    ({ app, close } = await open());
  });
  afterAll(() => close());

  it('cost nothing before somebody asks', () => {
    const telemetry = app.get(Telemetry);
    for (const name of ['run.entered', 'step.ended', 'runs.committed', 'claim.made'] as const)
      expect(telemetry.hears(name)).toBe(false);
  });

  it('count what has happened', async () => {
    app.get(DurableMetrics).start();
    const client = app.get(WorkflowClient);
    await client.startAndWait(Order, false, { timeout: '120s' });
    await client.startAndWait(Order, true, { timeout: '120s' }).catch(() => undefined);
    await client.start(Broken, undefined);
    await app.get(Outbox).publish({ channel: 'news', name: 'one', data: 1 });
    const calls = [{ handler: 'refused', ref: 1 }];
    await app.get(Effects).enqueue({ operation: 'o', subject: 's', calls });
    // What is looked up is that of one moment, and kept for seconds: all of it must have happened by then.
    let all = '';
    const missing = async () => {
      all = await text();
      const found = new Set(all.split('\n'));
      return COUNTED.filter((line) => !found.has(line));
    };
    await until('all is counted', async () => (await missing()).length === 0).catch(() => undefined);
    expect(await missing()).toEqual([]);
    for (const part of ['durable_commit_duration_seconds_bucket', 'durable_claim_duration_seconds_count{what="runs"}'])
      expect(all).toContain(part);
    expect(all).toMatch(/durable_wake_delay_seconds_count\{by="(answer|timer)"\} \d/);
    expect(all.includes('durable_db_dead_rows{table="durable_runs"}')).toBe(isOnPostgres);
    expect(all.includes('durable_db_horizon_age_seconds ')).toBe(isOnPostgres);
    expect(all).toMatch(/durable_loop_age_seconds\{loop="engine\.claims"\} [\d.]+/);
    expect(all).not.toContain('secret');
  });

  describeWithProgram('promtool', 'read by Prometheus', (promtool) => {
    it('have nothing that it complains about', async () => {
      const input = await text();
      expect(input).toContain('durable_queue_depth{group="billing"} 0');
      const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' });
      expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
    });
  });

  it('of all processes are looked up by one that plays workflows, unless one is told to', async () => {
    const metrics = app.get(DurableMetrics);
    expect(await metrics.text({ fleet: false })).not.toContain('durable_nodes');
    expect(await metrics.text()).toContain('durable_nodes{role="worker"} 1');
    await expect(metrics.text({ flet: true } as never)).rejects.toMatchObject({ code: 'UNKNOWN_OPTION' });
  });
});
