import {
  DurableMetrics,
  DurableModule,
  memoryBackend,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
} from '../../lib/index.js';
import { backends } from '../support/backends.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

@Workflow('leaf')
class Leaf {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    await ctx.step('only', () => 1);
  }
}

@Workflow('twice')
class Twice {
  async run(ctx: WorkflowContext<number>, left: number): Promise<void> {
    await ctx.executeChild(Leaf, null);
    await ctx.sleep('a moment', '5ms');
    if (left > 0) return ctx.continueAsNew(left - 1);
  }
}

const PATIENT = { timeout: '120s' } as const;

const cases = [
  { name: 'memory', at: undefined },
  ...backends.slice(0, 1).map((at) => ({ name: at.name, at })),
  ...backends
    .filter(({ db }) => db === 'mariadb')
    .map((at) => ({ name: at.name, at }))
    .slice(0, 1),
];

describe.each(cases)('The metric of runs that have begun [$name]', ({ at }) => {
  it('counts each life once, by how it began', async () => {
    const database = at && (await createDatabase(at.db));
    const durable = DurableModule.forRoot(
      database
        ? { migrate: true, engine: { residency: '1ms' } }
        : { backend: memoryBackend(), engine: { residency: '1ms' } },
    );
    const imports = at && database ? [ormModule(at.orm, database), durable] : [durable];
    const app = await bootApp({ imports, providers: [Leaf, Twice] });
    try {
      const metrics = app.get(DurableMetrics);
      metrics.start();
      const client = app.get(WorkflowClient);
      await client.startAndWait(Twice, 1, { id: 'a', ...PATIENT });
      await client.restart('a', { input: 0 });
      await client.result('a', PATIENT);
      const leaf = await client.start(Leaf, null, { id: 'leaf' });
      await leaf.result(PATIENT);
      const fork = await client.fork('leaf', { from: 1, id: 'fork' });
      await fork.result(PATIENT);
      await app.get(WorkflowSchedules).create(Leaf, { id: 'often', every: '1s', input: null });
      const text = () => metrics.text({ fleet: false });
      await until('it has fired', async () => (await text()).includes('workflow="leaf",how="schedule"'));
      await app.get(WorkflowSchedules).delete('often');
      const lines = (await text()).split('\n').filter((line) => line.startsWith('durable_runs_started_total'));
      const counted = lines.map((line) => /workflow="(\w+)",how="(\w+)"\} (\d+)/.exec(line)!.slice(1).join(' '));
      expect(counted.filter((line) => !line.includes('schedule')).sort()).toEqual([
        'leaf child 3',
        'leaf fork 1',
        'leaf start 1',
        'twice again 2',
        'twice start 1',
      ]);
      expect(await text()).toMatch(/durable_wake_delay_seconds_count\{by="timer"\} \d/);
    } finally {
      await app.close();
      await database?.close();
    }
  });
});
