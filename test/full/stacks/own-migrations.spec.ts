import { Stack } from './stack.js';
import { unlikeTemplate } from './template.js';

interface Found {
  run: { status: string };
}

/** With it the app creates nothing, as in production. */
const PRODUCTION = { NODE_ENV: 'production' };

describe('TypeORM 0.3 with the tables in its own migrations, on MariaDB', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.install('own-migrations', 'mariadb');
  });
  afterAll(() => stack?.close());

  it('has the settings of `nest new`', () => {
    expect(
      unlikeTemplate(stack.folder, 'ts', ['nest-cli.json', 'package.json', 'tsconfig.build.json', 'tsconfig.json']),
    ).toEqual([]);
  });

  it('builds, and passes its own tests', async () => {
    await stack.run('npm', 'run', 'build');
    await stack.run('npm', 'test');
  });

  it('does not start before its migrations have run, and says what to do', async () => {
    const tooEarly = await stack.start(['dist/main.js'], PRODUCTION);
    await tooEarly.says(/nest-durable migrate/);
    await expect(tooEarly.listens()).rejects.toThrow('It ended before');
  });

  it('migrates up, down and up again, pays an order and undoes another', async () => {
    for (const script of ['migration:run', 'migration:revert', 'migration:run']) await stack.run('npm', 'run', script);
    expect(await stack.run('npx', '--no-install', 'nest-durable', 'status')).toContain('up to date');
    const app = await stack.start(['dist/main.js'], PRODUCTION);
    await app.listens();
    expect(await app.post('/orders', { id: 'o1', amount: 42 })).toMatchObject({ status: 202 });
    expect(await app.post('/orders', { id: 'o2', amount: 5_000 })).toMatchObject({ status: 202 });
    const completed = await app.getUntil('/orders/o1', ({ run }: Found) => run.status === 'completed');
    expect(completed).toMatchObject({ status: 'paid', run: { output: 'charged 42' } });
    const failed = await app.getUntil('/orders/o2', ({ run }: Found) => run.status === 'failed');
    expect(failed).toMatchObject({ status: 'new', run: { error: { code: 'CARD_DECLINED' } } });
    await app.says(/orders:o1 is paid/);
    await app.says(/released reservation o2/);
    await app.stop();
    expect(await stack.signedOff()).toBe(1);
  });
});
