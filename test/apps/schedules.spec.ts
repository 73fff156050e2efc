import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  type DurableModuleOptions,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  type WorkflowRunner,
  WorkflowSchedules,
} from '../../lib/index.js';
import { ManualClock } from '../../lib/testing/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

const HOUR = 3_600_000;

@Workflow('cleanup', {
  schedules: [
    { id: 'cleanup-1', cron: '0 * * * *', input: { rows: 7 } },
    { id: 'cleanup-nightly', cron: '30 2 * * *', timeZone: 'Europe/Berlin', jitter: '10m', missed: 'skip' },
  ],
})
class Cleanup implements WorkflowRunner<{ rows: number } | null, number> {
  async run(ctx: WorkflowContext, input: { rows: number } | null): Promise<number> {
    return ctx.step('clean', () => input?.rows ?? 0);
  }
}

describeDatabases('An app that declares schedules', (at) => {
  let database: FreshDatabase;
  const apps: INestApplicationContext[] = [];

  beforeAll(async () => {
    database = await createDatabase(at.db);
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });
  afterAll(() => database.close());

  const boot = async (options: DurableModuleOptions) => {
    const app = await bootApp({
      imports: [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true, ...options })],
      providers: [Cleanup],
    });
    apps.push(app);
    return { client: app.get(WorkflowClient), schedules: app.get(WorkflowSchedules), app };
  };

  it('fires each time once from any number of its processes, and after a downtime', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1, 0, 30));
    const [one, two] = [await boot({ clock }), await boot({ clock })];
    const listed = await until('they are written down', async () => {
      const list = await two.schedules.list({ workflow: 'cleanup' });
      return list.length === 2 && list;
    });
    expect(listed).toMatchObject([
      { id: 'cleanup-1', declared: true, input: { rows: 7 }, nextAt: new Date('2026-01-01T01:00:00Z') },
      {
        id: 'cleanup-nightly',
        options: { timeZone: 'Europe/Berlin', jitter: 600_000, missed: 'skip', overlap: 'skip' },
      },
    ]);
    clock.advance(HOUR);
    expect(await until('its run', () => one.client.result('cleanup-1@2026-01-01T01:00:00.000Z').catch(() => 0))).toBe(
      7,
    );
    const triggered = await two.schedules.trigger('cleanup-nightly');
    expect(await two.client.result(triggered)).toBe(0);
    await Promise.all(apps.splice(0).map((app) => app.close()));

    clock.advance(5 * HOUR);
    const later = await boot({ clock });
    await until('the last of those that were missed', () =>
      later.client.result('cleanup-1@2026-01-01T06:00:00.000Z').catch(() => 0),
    );
    expect((await later.client.list({ workflow: 'cleanup' })).runs.map(({ id }) => id)).toHaveLength(3);
    expect(await later.schedules.preview('cleanup-1', 1)).toEqual([new Date('2026-01-01T07:00:00Z')]);
  });

  it('refuses several without ids, by which their pauses and holds are kept', async () => {
    @Workflow('twice', { schedules: [{ cron: '0 6 * * *' }, { id: 'evening', cron: '0 18 * * *' }] })
    class Twice extends Cleanup {}
    const imports = [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true })];
    await expect(bootApp({ imports, providers: [Twice] })).rejects.toThrow(
      'Workflow "twice" declares 2 schedules: give each an id. One that was alone, without an id, has the id "twice"',
    );
  });

  it('refuses plans that cannot be when the class is loaded', () => {
    const declare = () => Workflow('bad', { schedules: [{ cron: '0 9 * * *', timeZone: 'Berlin' }] });
    expect(declare).toThrow(/^@Workflow\('bad'\): schedules\[0\]: timeZone is "Berlin": pass an IANA time zone/);
  });
});
