import { Stack } from './stack.js';
import { unlikeTemplate } from './template.js';

describe('Nest 11 as CommonJS, TypeORM, Jest, on PostgreSQL', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.install('nest11-typeorm', 'postgres');
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

  it('ships an order that was paid at the second attempt and packed', async () => {
    const app = await stack.start(['dist/main']);
    await app.listens();
    expect(await app.post('/orders', { id: 'o1', amount: 42 })).toMatchObject({ status: 202 });
    await app.getUntil('/orders/o1', (order: { status: string }) => order.status === 'paid');
    expect(await app.post('/orders/o1/parcel', { parcel: 'P-1' })).toMatchObject({ status: 202 });
    const shipped = await app.getUntil('/orders/o1', (order: { shipments: number }) => order.shipments > 0);
    expect(shipped).toEqual({
      id: 'o1',
      amount: 42,
      status: 'paid',
      shipments: 1,
      run: { status: 'completed', output: { charge: expect.stringContaining('charged 42') as string, parcel: 'P-1' } },
    });
    expect(await app.post('/orders', { id: 'o2', amount: 0 })).toMatchObject({ status: 500 });
    expect(await stack.database.query('SELECT id FROM durable_runs')).toEqual([{ id: 'order-o1' }]);
    await app.stop();
    expect(await stack.signedOff()).toBe(1);
  });
});
