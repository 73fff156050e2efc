import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  Outbox,
  RemoteStep,
  sealedCodec,
  type SealedCodec,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

const SECRET = 'Lovelace-4111';
const go = new WorkflowSignal<string>('go');

@Worker()
class Bank {
  @RemoteStep('sealed.pay')
  pay(who: string): string {
    return `paid by ${who}`;
  }
}

@Workflow('sealed.order')
class Order {
  async run(ctx: WorkflowContext, who: string): Promise<string> {
    ctx.setStatus(`serving ${who}`);
    ctx.log.info(`order of ${who}`);
    const paid = await ctx.remote(Bank).pay(who);
    const word = await ctx.waitForSignal('go', go);
    return `${paid}, ${word}`;
  }
}

describeDatabases('An app with sealedCodec', (at) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;
  let client: WorkflowClient;
  const [first, second] = ['2029-07', '2030-01'].map((id) => ({ id, key: randomBytes(32) }));

  const boot = async (codec?: SealedCodec) => {
    await app?.close();
    const durable = DurableModule.forRoot({ migrate: true, ...(codec && { codec }) });
    app = await bootApp({ imports: [ormModule(at.orm, database), durable], providers: [Order, Bank] });
    client = app.get(WorkflowClient);
  };
  const waits = (id: string) => async () =>
    (await client.getStatus(id, { history: true })).history?.at(-1)?.kind === 'signal';
  const keysIn = async (id: string): Promise<string[]> => {
    const rows = await database.query<{ input: string }>(`SELECT input FROM durable_runs WHERE id = ?`, [id]);
    return rows.map(({ input }) => /"v1\.([\w-]+)\./.exec(input)?.[1] ?? 'plain');
  };

  beforeAll(async () => {
    database = await createDatabase(at.db);
  });
  afterAll(async () => {
    await app?.close();
    await database.close();
  });

  it('goes on with plain runs, seals new ones, and rotates its keys', async () => {
    await boot();
    await client.start(Order, SECRET, { id: 'plain' });
    await until('it waits', waits('plain'));
    await boot(sealedCodec({ keys: [first!] }));
    await client.start(Order, SECRET, { id: 'first' });
    await until('it waits', waits('first'));
    await boot(sealedCodec({ keys: [second!, first!] }));
    await client.start(Order, SECRET, { id: 'second' });
    await until('it waits', waits('second'));
    expect(await Promise.all(['plain', 'first', 'second'].map(keysIn))).toEqual([['plain'], ['2029-07'], ['2030-01']]);
    for (const id of ['plain', 'first', 'second']) {
      await client.signal(go, SECRET, { workflowId: id });
      expect(await client.result(id, { timeout: '60s' })).toBe(`paid by ${SECRET}, ${SECRET}`);
    }
    for (const table of ['runs', 'steps', 'step_logs', 'signals', 'transport_tasks', 'transport_results']) {
      const owner = table === 'signals' ? 'taken_by' : table === 'runs' ? 'id' : 'run_id';
      const rows = await database.query(`SELECT * FROM durable_${table} WHERE ${owner} <> 'plain'`);
      expect(
        JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ).not.toContain(SECRET);
    }
  });

  it('blocks a run whose key is not known, and goes on with it when the key is back', async () => {
    await boot(sealedCodec({ keys: [first!] }));
    await client.start(Order, SECRET, { id: 'di' });
    await until('it waits', waits('di'));
    await app.close();
    // Due before the process starts: a running one would find it by its next poll, up to 30 s later.
    await database.query(`UPDATE durable_runs SET wake_at = 0 WHERE id = 'di'`);
    await boot(sealedCodec({ keys: [second!] }));
    await until('it is blocked', async () => (await client.getStatus('di')).reason !== null);
    const status = await client.getStatus('di');
    expect(status).toMatchObject({ status: 'suspended', input: { unreadable: true } });
    expect(JSON.stringify(status)).toContain(`The key \\"2029-07\\" is not known here`);
    await boot(sealedCodec({ keys: [second!, first!] }));
    await until('it is blocked no more', async () => (await client.getStatus('di')).reason === null);
    await client.signal(go, 'go', { workflowId: 'di' });
    expect(await client.result('di', { timeout: '60s' })).toBe(`paid by ${SECRET}, go`);
  });

  it('seals the data of events where the app does so', async () => {
    const codec = sealedCodec({ keys: [second!] });
    await app.get(Outbox).publish({ channel: 'a', name: 'b', data: codec.seal({ who: SECRET }) });
    const [row] = await database.query<{ data: unknown }>('SELECT data FROM durable_outbox');
    const data: unknown = typeof row?.data === 'string' ? JSON.parse(row.data) : row?.data;
    expect(JSON.stringify(data)).not.toContain(SECRET);
    expect(codec.open(data)).toEqual({ who: SECRET });
  });
});
