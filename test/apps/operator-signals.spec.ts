import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  Operator,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../lib/index.js';
import { EXIT } from '../../lib/cli/print.js';
import { runCli } from '../../lib/cli/cli.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { thrownBy } from '../support/thrown-by.js';
import { until } from '../support/until.js';

const BY = { actor: 'ada', reason: 'sent by mistake' };

const approved = new WorkflowSignal<number>('approved');

@Workflow('order')
class Order {
  run(ctx: WorkflowContext): Promise<unknown> {
    return ctx.waitForSignal('approval', approved, { key: 'eu' });
  }
}

describeDatabases('signals that nobody took', (at) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;
  let operator: Operator;

  beforeAll(async () => {
    database = await createDatabase(at.db);
    app = await bootApp({
      imports: [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true, outbox: false })],
      providers: [Order],
    });
    operator = app.get(Operator);
  });
  afterAll(async () => {
    await app?.close();
    await database?.close();
  });

  const untaken = async () => (await operator.signals()).signals.map(({ name, to, count }) => ({ name, to, count }));
  const deleted = (name: string, options: { key: string; limit?: number }) =>
    until('they have positions', () => operator.deleteSignals(name, { ...options, ...BY }));

  it('are deleted, the first ones first, and are not delivered any more', async () => {
    for (const payload of [1, 2, 3]) await operator.runs.signal('approved', payload, { key: 'eu', ...BY });
    await operator.runs.signal('approved', 4, { key: 'us', ...BY });
    expect(await deleted('approved', { key: 'eu', limit: 1 })).toBe(1);
    expect(await untaken()).toEqual([
      { name: 'approved', to: { key: 'eu' }, count: 2 },
      { name: 'approved', to: { key: 'us' }, count: 1 },
    ]);
    expect(await app.get(WorkflowClient).startAndWait('order', null, { timeout: '120s' })).toBe(2);
    expect(await deleted('approved', { key: 'us' })).toBe(1);
    expect(await operator.deleteSignals('approved', { key: 'us', ...BY })).toBe(0);
    const { acts } = await operator.acts({ kind: 'signal', action: 'delete signals', target: 'us', limit: 1 });
    expect(acts).toMatchObject([{ ...BY, outcome: 'missing', details: { signal: 'approved', count: 0 } }]);
    expect(await thrownBy(operator.deleteSignals('approved', { key: 'us' } as never))).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect(await thrownBy(operator.deleteSignals('approved', BY))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('are sent and deleted from the command line', async () => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const call = (...args: string[]) =>
      runCli(['signals', ...args, '--url', database.url], { env: {}, out: print, err: print });
    const why = ['--actor', 'bob', '--reason', 'a test'];
    expect(await call('send', 'paid', '--key', 'k', '--payload', '{"n":1}', '--id', 'once', ...why)).toBe(0);
    expect(await call('send', 'paid', '--key', 'k', '--id', 'once', ...why)).toBe(0);
    expect(lines).toEqual(['Sent "paid"', '"paid" had been sent with this id']);
    expect(await untaken()).toContainEqual({ name: 'paid', to: { key: 'k' }, count: 1 });
    const remove = () => call('delete', 'paid', '--key', 'k', '--yes', ...why);
    await until('it has its position', async () => (await remove()) === 0);
    expect(lines.at(-1)).toBe('Deleted 1 signals');
    expect(await remove()).toBe(1);
    expect(await call('send', 'paid', '--run', 'nobody', ...why)).toBe(EXIT.missing);
    expect(await call()).toBe(0);
    await operator.runs.signal('late', 1, { key: 'us', ...BY });
    await operator.runs.signal('later', 1, { key: 'us', ...BY });
    lines.length = 0;
    expect(await call('list', '--name', 'late', '-o', 'ids')).toBe(0);
    expect(await call('list', '--key', 'us', '-o', 'ids')).toBe(0);
    expect(await call('list', '--name', 'late', '--key', 'us', '-o', 'ids')).toBe(0);
    // Ids are printed once per list.
    expect(lines).toEqual(['us', 'us', 'us']);
    expect(await call('list', '--key', 'us', '--run', 'r')).toBe(EXIT.failed);
  });

  it('are told from runs that wait for one', async () => {
    const client = app.get(WorkflowClient);
    // What is left would be taken at once.
    await operator.deleteSignals('approved', { key: 'eu', ...BY });
    for (const id of ['one', 'two']) await client.start('order', null, { id });
    const all = async (options = {}) => (await operator.signalWaits(options)).waits;
    await until('both wait', async () => (await all()).length === 2);
    const [wait] = await all({ workflowId: 'one' });
    expect(wait).toMatchObject({
      ...{ workflowId: 'one', workflow: 'order', seq: 0, step: 'approval', name: 'approved', key: 'eu' },
      deadline: null,
    });
    const { history } = await client.getStatus('one', { history: true });
    expect(wait!.since).toEqual(history![0]!.createdAt);
    expect((await all({ name: 'approved', key: 'eu' })).map(({ workflowId }) => workflowId).sort()).toEqual([
      'one',
      'two',
    ]);
    expect(await all({ name: 'approved', key: 'us' })).toEqual([]);
    expect(await all({ workflowId: 'one', name: 'paid' })).toEqual([]);
    expect(await all({ workflowId: 'one', key: 'eu' })).toHaveLength(1);
    const paged: string[] = [];
    for (let cursor: string | undefined = undefined as string | undefined; ;) {
      const page = await operator.signalWaits({ limit: 1, ...(cursor !== undefined && { cursor }) });
      paged.push(...page.waits.map(({ workflowId }) => workflowId));
      if (page.cursor === undefined) break;
      ({ cursor } = page);
    }
    expect(paged.sort()).toEqual(['one', 'two']);
    for (const refused of [{ name: 'approved' }, { key: 'eu' }, { cursor: 'x' }, { limit: 101 }, { workflowId: '' }])
      expect(await thrownBy(operator.signalWaits(refused))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const call = (...args: string[]) =>
      runCli(['signals', 'waits', ...args, '--url', database.url], { env: {}, out: print, err: print });
    expect(await call('--run', 'two')).toBe(0);
    expect(lines.join()).toMatch(/RUN +WORKFLOW +STEP +SIGNAL +KEY +SINCE.*two +order +0 approval +approved +eu +20/);
    expect(await call('--name', 'approved')).toBe(EXIT.failed);
    for (const id of ['one', 'two']) await client.cancel(id);
    await until('nobody waits', async () => (await all()).length === 0);
  });
});
