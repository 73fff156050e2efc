import { Stack } from './stack.js';
import { unlikeTemplate } from './template.js';

interface Found {
  run: { status: string };
}
const isCompleted = ({ run }: Found) => run.status === 'completed';

describe('Nest 12 as ES modules, MikroORM 7, Vitest, on MySQL', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.install('nest12-mikro-orm', 'mysql', { node: 24 });
  });
  afterAll(() => stack?.close());

  it('has the settings of `nest new`', () => {
    expect(unlikeTemplate(stack.folder, 'ts-esm', ['nest-cli.json', 'tsconfig.build.json', 'tsconfig.json'])).toEqual(
      [],
    );
  });

  it('builds, and passes its own tests', async () => {
    await stack.run('npm', 'run', 'build');
    await stack.run('npm', 'test');
  });

  it('completes an order, and after a restart that updates the schema one that was asleep', async () => {
    const first = await stack.start(['dist/main.js']);
    await first.listens();
    expect(await first.post('/orders', { id: 'o1', amount: 42, coolingOff: 100 })).toMatchObject({ status: 202 });
    expect(await first.getUntil('/orders/o1', isCompleted)).toEqual({
      id: 'o1',
      amount: 42,
      status: 'paid',
      run: { status: 'completed', output: expect.stringContaining('charged 42') as string },
    });
    await first.says(/mail \S+ about order o1/);
    expect(await first.post('/orders', { id: 'o2', amount: 0, coolingOff: 0 })).toMatchObject({ status: 500 });
    expect(await first.post('/orders', { id: 'o3', amount: 7, coolingOff: 1_000 })).toMatchObject({ status: 202 });
    await first.stop();

    const second = await stack.start(['dist/main.js']);
    await second.listens();
    expect(await second.getUntil('/orders/o3', isCompleted)).toMatchObject({ status: 'paid' });
    expect(await stack.database.query('SELECT id FROM durable_runs ORDER BY id')).toEqual([
      { id: 'order-o1' },
      { id: 'order-o3' },
    ]);
    await second.stop();
    expect(await stack.signedOff()).toBe(2);
  });
});
