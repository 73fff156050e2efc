import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from './stack.js';
import { unlike } from './template.js';

const SETTINGS = [
  ...['nest-cli.json', 'package.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['apps/api/tsconfig.app.json', 'apps/worker/tsconfig.app.json', 'libs/contracts/tsconfig.lib.json'],
];

describe('a monorepo of Nest 11 with MikroORM 6, its worker, and one in Python, on PostgreSQL', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.install('monorepo', 'postgres', {
      copies: { 'sample/05-python-worker/worker.py': 'workers/worker.py' },
    });
  });
  afterAll(() => stack?.close());

  it('has the settings that the Nest CLI generates for two apps and a library', async () => {
    await stack.run('npx', '--no-install', 'nest', 'new', 'api', ...'--skip-install --skip-git -p npm'.split(' '));
    const generated = join(stack.folder, 'api');
    await stack.runIn(generated, 'npx', '--no-install', 'nest', 'generate', 'app', 'worker');
    // `nest generate library` asks for the prefix.
    const library = ['@nestjs/schematics:library', '--name=contracts', '--prefix=@app', '--language=ts'];
    await stack.runIn(generated, 'npx', '--no-install', 'schematics', ...library);
    expect(unlike(stack.folder, generated, SETTINGS)).toEqual([]);
    rmSync(generated, { recursive: true });
  });

  it('builds, and passes its own tests', async () => {
    await stack.run('npm', 'run', 'build');
    await stack.run('npm', 'test');
  });

  it('has the steps of an order run by both workers, and all of them end when they are told to', async () => {
    const api = await stack.start(['dist/apps/api/main.js']);
    await api.listens();
    const worker = await stack.start(['dist/apps/worker/main.js']);
    const printer = await stack.start(['workers/printer.py'], {}, '/usr/bin/python3');
    await printer.says(/serves invoices\.print/);
    expect(await api.post('/orders', { id: 'o1', lines: ['ink', 'paper'] })).toMatchObject({ status: 202 });
    expect(await api.post('/orders/o1/confirmation', { by: 'Ada' })).toMatchObject({ status: 202 });
    const invoiced = await api.getUntil(
      '/orders/o1',
      ({ run }: { run: { status: string } }) => run.status !== 'running',
    );
    expect(invoiced).toEqual({
      id: 'o1',
      lines: ['ink', 'paper'],
      status: 'invoiced',
      run: { status: 'completed', output: expect.stringContaining(': 8 euros') as string },
    });
    for (const process of [printer, worker, api]) await process.stop();
    expect(await stack.signedOff()).toBe(2);
  });
});
