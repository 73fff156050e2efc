import type { WorkflowContext } from '../../../lib/index.js';
import { ManualClock } from '../../../lib/core/time.js';
import { type OpenBackend, backends, describeDatabases } from '../../support/backends.js';
import { deployedApp, type DeployedApp } from '../../support/deployed-app.js';
import { type Body, engineParts, type EngineParts } from '../../support/engine-parts.js';
import { type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { TABLES } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { sized } from '../../support/tiers.js';

/** One database has as many runs as a deploy may meet; for the others a few show the same. */
const MANY = sized(1_500, 150);
const [first] = backends;

describeDatabases('nest-durable check', (at) => {
  let backend: OpenBackend;
  let app: DeployedApp;
  let storage: OpenStorage;
  let clock: ManualClock;
  const started: EngineParts[] = [];

  beforeAll(async () => {
    backend = await at.open({ poolMax: 10 });
    app = deployedApp(backend);
  });
  beforeEach(async () => {
    clock = new ManualClock(Date.now());
    storage = await sqlStorage(backend, { clock });
    for (const table of TABLES) await backend.query(`DELETE FROM durable_${table}`);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((parts) => parts.stop()));
    await storage.close();
  });
  afterAll(async () => {
    app.close();
    await backend.close();
  });

  /** A process with this code. */
  const deploy = async (workflows: Record<string, Body>, namespace = 'default'): Promise<EngineParts> => {
    const parts = engineParts(storage, { namespace, clock, residencyMs: 1_000, nodeLeaseMs: 600_000_000 });
    for (const [name, body] of Object.entries(workflows)) parts.define(name, body);
    await parts.start();
    started.push(parts);
    return parts;
  };
  const count = async (condition: string) =>
    Number((await backend.query(`SELECT count(*) AS n FROM durable_runs WHERE ${condition}`))[0]?.['n']);
  const suspended = (n: number) =>
    until('all wait', async () => (await count(`status = 'suspended' AND owner IS NULL`)) === n);
  const everything = async () => {
    const rows = TABLES.map((table) => backend.query(`SELECT * FROM durable_${table} ORDER BY 1, 2`));
    return JSON.stringify(await Promise.all(rows), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  };

  const v1 = async (ctx: WorkflowContext) => {
    await ctx.step('one', () => 1);
    await ctx.sleep('an hour', '1h');
    return ctx.step('two', () => 2);
  };
  const V1 = `await ctx.step('one', () => { throw new Error('run'); }); await ctx.sleep('an hour', '1h'); return ctx.step('two', () => 2);`;
  const V2 = `await ctx.step('one', () => 1); await ctx.step('added', () => 0); await ctx.sleep('an hour', '1h');`;

  it(`finds before a deploy that adds a statement what then stands still with the reason, and goes on with code that fits (E14)`, async () => {
    const runs = at.name === first?.name ? MANY : 100;
    const old = await deploy({ order: v1 });
    await Promise.all(Array.from({ length: runs }, (_, n) => old.client.start('order', n, { id: `order-${n}` })));
    await suspended(runs);
    await old.stop();
    started.length = 0;

    app.build(V1);
    expect(await app.check()).toMatchObject({
      code: 0,
      output: expect.stringMatching(/all fit this build\n$/) as string,
    });
    app.build(V2);
    const before = await everything();
    const refused = await app.check();
    expect(refused.output).toContain(`${runs.toLocaleString('en')} of ${runs.toLocaleString('en')} unfinished runs`);
    expect(refused.output).toMatch(
      /"order" version 1: [\d,]+ runs, non_determinism\n {2}at position 1\n {2}recorded: sleep "an hour"\n {2}asked: {4}step "added"\n/,
    );
    expect(refused).toMatchObject({ code: 1, signal: null });
    expect(await everything()).toBe(before);

    clock.advance(3_600_000);
    const wrong = await deploy({
      order: async (ctx) => {
        await ctx.step('one', () => 1);
        await ctx.step('added', () => 0);
        await ctx.sleep('an hour', '1h');
      },
    });
    // Each process tries each blocked run once more after its start, so for a moment some are not.
    const still = `reason = 'non_determinism' AND status = 'suspended' AND owner IS NULL`;
    let looks = 0;
    await until(
      'all stand still',
      async () => {
        looks = (await count(still)) === runs ? looks + 1 : 0;
        return looks === 5;
      },
      { everyMs: 200 },
    );
    const listed = await until('all are listed', async () => {
      const { runs: found } = await wrong.client.list({ blocked: true, limit: 1_000 });
      return found.length === Math.min(1_000, runs) && found;
    });
    expect(listed[0]).toMatchObject({
      reason: 'non_determinism',
      reasonDetail: expect.stringMatching(/sleep "an hour" at position 1.*step "added"/) as string,
    });
    await wrong.stop();
    started.length = 0;

    await deploy({ order: v1 });
    await until('all end', async () => (await count(`status = 'completed'`)) === runs);
    expect(await app.check()).toMatchObject({
      code: 0,
      output: '0 unfinished runs in namespace "default": all fit this build\n',
    });
  });

  it('tells workflows and versions that the build lacks, and errors of wrong code, each with its runs', async () => {
    const parts = await deploy({ order: v1, gone: v1 });
    await parts.client.start('order', 'x', { id: 'a' });
    await parts.client.start('order', 'y', { id: 'b' });
    await parts.client.start('gone', 0, { id: 'c' });
    await suspended(3);
    await parts.client.start('order', 0, { id: 'd', version: 7 });
    const other = await deploy({ order: v1 }, 'elsewhere');
    await other.client.start('order', 0, { id: 'e' });
    await suspended(4);
    app.build(`await ctx.step('one', () => 1); return input.trim().no.such;`);
    const { code, output } = await app.check();
    expect(code).toBe(1);
    expect(output).toMatch(/^4 of 4 unfinished runs in namespace "default"/);
    expect(output).toMatch(/"order" version 1: 2 runs, programming_error\n {2}TypeError: .*\n {2}runs: a, b\n/);
    expect(output).toMatch(
      /"gone" version 1: 1 run, unknown_workflow\n {2}this build has no such workflow\n {2}runs: c\n/,
    );
    expect(output).toMatch(
      /"order" version 7: 1 run, unknown_workflow\n {2}this build has only version 1\n {2}runs: d\n/,
    );
    expect((await app.check(['--limit', '1'])).output).toMatch(/^1 of 1 unfinished run /);
    app.build(V1);
    expect(await app.check(['--namespace', 'elsewhere'])).toMatchObject({
      code: 0,
      output: '1 unfinished run in namespace "elsewhere": all fit this build\n',
    });
  });

  it('lets nothing of the app write, whatever its hooks try', async () => {
    const parts = await deploy({ order: v1 });
    await parts.client.start('order', 1, { id: 'a' });
    await suspended(1);
    const env = { PGOPTIONS: '-c default_transaction_read_only=on' };
    app.build(V1);
    expect(await app.check([], env)).toMatchObject({ code: 0 });
    const before = await everything();
    app.build(
      V1,
      `class Eager { constructor(client) { this.client = client; } async onApplicationBootstrap() { await this.client.start('order', 1, { id: 'eager' }); } }
       Reflect.defineMetadata('design:paramtypes', [WorkflowClient], Eager); providers.push(Eager);
       Reflect.decorate([(await import('@nestjs/common')).Injectable()], Eager);`,
    );
    const eager = await app.check();
    expect(eager).toMatchObject({
      code: 2,
      output: expect.stringMatching(
        /^error: "nest-durable check" writes nothing, but the app calls "create"/,
      ) as string,
    });
    expect(await everything()).toBe(before);
  });

  // Before it connects to any database.
  const onOne = at.name === first?.name ? it : it.skip;
  onOne('says in one line how it is used, and answers 2', async () => {
    app.build(V1);
    for (const [args, said] of [
      [['--limit', '0'], /--limit/],
      [['--export', 'Nothing'], /exports AppModule/],
      [['--app', '/no/such/app.module.js'], /--app/],
    ] as const) {
      const { code, output } = await app.check(args);
      expect(output).toMatch(said);
      expect(output.trim().split('\n')).toHaveLength(1);
      expect(code).toBe(2);
    }
  });
});
