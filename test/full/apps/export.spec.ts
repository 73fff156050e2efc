import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { deployedApp, type DeployedApp } from '../../support/deployed-app.js';
import { engineParts, type EngineParts } from '../../support/engine-parts.js';
import { type OpenStorage, sqlStorage, workerOn } from '../../support/engine-storage.js';

const BODY = `
  const total = await ctx.step('total', () => { throw new Error('runs again'); });
  const paid = await ctx.remote('charge', { total, note: input.note });
  return paid.toUpperCase();`;

/** Whatever a template or JSON could trip over. */
const NOTE = 'a `tick`, a ${name}, a \\ and a "quote"\n\u2028';

describeDatabases(
  'nest-durable export',
  (at) => {
    let backend: OpenBackend;
    let app: DeployedApp;
    let storage: OpenStorage;
    let parts: EngineParts;
    let worker: ReturnType<typeof workerOn>;

    beforeAll(async () => {
      backend = await at.open({ poolMax: 10 });
      app = deployedApp(backend);
      storage = await sqlStorage(backend);
      parts = engineParts(storage, { namespace: 'default' });
      parts.define('order', async (ctx, input) => {
        const total = await ctx.step('total', () => 7);
        return ctx.remote<string>('charge', { total, note: (input as { note: string }).note });
      });
      worker = workerOn(storage, { charge: () => 'paid' });
      await parts.start();
      await parts.client.startAndWait('order', { note: NOTE }, { id: 'order-1', timeout: '120s' });
    });
    afterAll(async () => {
      await worker?.stop();
      await parts?.stop();
      await storage?.close();
      app?.close();
      await backend?.close();
    });

    const url = () => {
      const { db, host, port, user, password, database } = backend;
      return `${db}://${user}:${password}@${host}:${port}/${database}`;
    };
    const exported = (...args: string[]) => app.command(['runs', 'export', ...args, '--url', url()]);
    const spec = () => app.file('order-1.spec.mjs');
    const test = () => app.node(['--test', '--test-reporter', 'spec', spec()]);

    it('writes a test that passes with the code that was recorded, and names the statement that was changed', async () => {
      const wrote = await exported(
        'order-1',
        '--as',
        'test',
        '--runner',
        'node',
        '--module',
        './app.module.mjs',
        '--out',
        spec(),
      );
      expect(wrote).toMatchObject({ code: 0, output: `Wrote run "order-1" to ${spec()}\n` });
      app.build(BODY);
      const passed = await test();
      expect(passed.output).toContain('run "order-1" of "order" (version 1) fits the code');
      expect(passed.code).toBe(0);
      app.build(BODY.replace("'charge'", "'pay'"));
      const failed = await test();
      expect(failed.output).toContain(
        'Run "order-1" of "order" (version 1) does not fit the code: at position 1 remote "charge" is recorded, and the code asks for remote "pay". Guard the change with ctx.patched',
      );
      expect(failed.code).toBe(1);
    });

    it('prints the history as JSON', async () => {
      const { code, output } = await exported('order-1');
      expect(code).toBe(0);
      const history = JSON.parse(output) as { run: { input: string }; steps: { name: string }[] };
      expect(JSON.parse(history.run.input)).toEqual({ note: NOTE });
      expect(history.steps.map(({ name }) => name)).toEqual(['total', 'charge']);
    });

    it('says what is wrong', async () => {
      expect(await exported('nobody')).toMatchObject({ code: 4, output: expect.stringContaining('nobody') as string });
      expect(await exported('order-1', '--as', 'test')).toMatchObject({
        code: 2,
        output: expect.stringContaining('--module') as string,
      });
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
