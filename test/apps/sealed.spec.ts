import { join } from 'node:path';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  Outbox,
  OutboxOperations,
  OutboxPublisher,
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
import { describeUnlessMissing } from '../support/installed-programs.js';
import { until } from '../support/until.js';
import { ROOT } from '../support/root.mjs';

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

@OutboxPublisher({ name: 'refusing' })
class Refusing {
  publish(): never {
    throw new Error(SECRET);
  }
}

@Workflow('sealed.foreign')
class Foreign {
  async run(ctx: WorkflowContext, who: string): Promise<string> {
    return ctx.remote<string>('foreign', who);
  }
}

const PYTHON = '/usr/bin/python3';
const PAGE = readFileSync(join(ROOT, 'docs/encryption.md'), 'utf8');
const [, CODE = ''] = /```py\n(.*?)```/s.exec(PAGE) ?? [];
const hasLibrary = spawnSync(PYTHON, ['-c', 'import cryptography']).status === 0;
const NO_LIBRARY = hasLibrary ? undefined : `${PYTHON} has no cryptography; run .ci/programs`;

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
    return rows.map(({ input }) => /"v2\.([\w-]+)\./.exec(input)?.[1] ?? 'plain');
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
      expect(await client.result(id, { timeout: '120s' })).toBe(`paid by ${SECRET}, ${SECRET}`);
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
    const status = await until('it is blocked', async () => {
      const status = await client.getStatus('di');
      return status.reason !== null && status;
    });
    expect(status).toMatchObject({ status: 'suspended', input: { unreadable: true } });
    expect(JSON.stringify(status)).toContain(`The key \\"2029-07\\" is not known here`);
    await boot(sealedCodec({ keys: [second!, first!] }));
    await until('it is blocked no more', async () => (await client.getStatus('di')).reason === null);
    await client.signal(go, 'go', { workflowId: 'di' });
    expect(await client.result('di', { timeout: '120s' })).toBe(`paid by ${SECRET}, go`);
  });

  it('says which rows still name a key, by the statement of docs/encryption.md', async () => {
    const [, statement = ''] = /```sql\n(.*?)```/s.exec(PAGE) ?? [];
    const found = async (id: string) => {
      const rows = await database.query<{ place: string; found: unknown }>(statement.replaceAll('2029-07', id));
      return Object.fromEntries(rows.map((row) => [row.place, Number(row.found)]));
    };
    const first = await found('2029-07');
    expect(Object.keys(first)).toHaveLength(13);
    // Runs `first` and `di`, and no others.
    expect([first['runs'], first['steps']! > 0, first['lines']! > 0]).toEqual([2, true, true]);
    // Every run has written something since its keys were rotated.
    expect((await found('2030-01'))['runs']).toBe(4);
    expect(Object.values(await found('2031-01')).every((count) => count === 0)).toBe(true);
  });

  describeUnlessMissing('Python', NO_LIBRARY, 'beside a worker in Python', () => {
    const codec = sealedCodec({ keys: [second!], readsPlain: false });
    const python = (more: string, ...args: string[]) =>
      execFileSync(PYTHON, ['-c', `import sys\n${CODE}\n${more}`, ...args], { encoding: 'utf8' }).trim();
    /** Answers the task of a run, as sample/05 does, with what this Python makes of the stored input. */
    const answer = async (id: string, column: 'output' | 'error', expression: string) => {
      const task = () =>
        database.query<{ input: string }>(`SELECT input FROM durable_transport_tasks WHERE step_id = ?`, [`${id}:0`]);
      await until('the task is there', async () => (await task()).length === 1);
      const [{ input }] = (await task()) as [{ input: string }];
      const key = Buffer.from(second!.key).toString('base64');
      const setUp = `keys = {"2030-01": base64.b64decode(sys.argv[1])}\ntask = sys.argv[2]\nmine = key_id_in(task)`;
      const text = python(`${setUp}\nprint(${expression})`, key, input);
      await database.query(`DELETE FROM durable_transport_tasks WHERE step_id = ?`, [`${id}:0`]);
      await database.query(
        `INSERT INTO durable_transport_results (step_id, run_id, seq, status, ${column}, started_at, created_at)
         VALUES (?, ?, 0, '${column === 'output' ? 'completed' : 'failed'}', ?, 1, 1)`,
        [`${id}:0`, id, text],
      );
    };

    it('which reads sealed inputs, and writes sealed outputs and errors', async () => {
      await app?.close();
      const durable = DurableModule.forRoot({ migrate: true, codec });
      app = await bootApp({ imports: [ormModule(at.orm, database), durable], providers: [Foreign] });
      client = app.get(WorkflowClient);
      for (const id of ['py-1', 'py-2', 'py-3']) await client.start(Foreign, SECRET, { id });
      await answer('py-1', 'output', 'seal("seen " + unseal(task, keys), mine, keys)');
      expect(await client.result('py-1', { timeout: '120s' })).toBe(`seen ${SECRET}`);
      const sealed = 'seal_error("no " + unseal(task, keys), mine, keys, code="NO", retryable=False)';
      await answer('py-2', 'error', sealed);
      await expect(client.result('py-2', { timeout: '120s' })).rejects.toMatchObject({
        message: `no ${SECRET}`,
        code: 'NO',
      });
      await answer('py-3', 'error', 'json.dumps({"message": "plain", "retryable": False})');
      await expect(client.result('py-3', { timeout: '120s' })).rejects.toMatchObject({ code: 'UNREADABLE_PAYLOAD' });
      const rows = await database.query(`SELECT error, output FROM durable_steps WHERE run_id LIKE 'py-%'`);
      expect(rows).toHaveLength(3);
      expect(JSON.stringify(rows)).not.toMatch(/Lovelace|plain/);
    });
  });

  it('stores events sealed if the outbox has the codec, and opens them for operators', async () => {
    const codec = sealedCodec({ keys: [second!], readsPlain: false });
    await app?.close();
    const durable = DurableModule.forRoot({ migrate: true, codec, outbox: { codec, onPoison: 'park', attempts: 1 } });
    app = await bootApp({ imports: [ormModule(at.orm, database), durable], providers: [Refusing] });
    await app.get(Outbox).publish({ channel: 'a', name: 'b', data: { who: SECRET } });
    const operations = app.get(OutboxOperations);
    await until('it is set aside', async () => (await operations.deadLetters()).length === 1);
    expect(await operations.deadLetters()).toMatchObject([{ data: { who: SECRET }, error: 'Error' }]);
    const rows = await database.query('SELECT data, last_error FROM durable_outbox_dead');
    expect(JSON.stringify(rows)).toMatch(/sealed.*v2\.2030-01\./);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });
});
