import { type INestApplicationContext, Injectable } from '@nestjs/common';
import {
  DurableModule,
  Effect,
  Effects,
  Operator,
  RemoteStep,
  type StepContext,
  UnreadablePayload,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { SubjectCodec } from '../support/subject-codec.js';
import { until } from '../support/until.js';

/** In every value, error, line and status below; plain only where the page about encryption says so. */
const SECRET = 'Lovelace-4111';

const go = new WorkflowSignal<{ who: string }>('go');
const secret = (what: string) =>
  Object.assign(new Error(`${what} of ${SECRET}`, { cause: new Error(SECRET) }), { code: 'E' });
const ONCE = { attempts: 2, backoff: { delay: 1 } } as const;

@Worker()
class Bank {
  @RemoteStep('secret.pay', { retry: ONCE })
  pay(_: unknown, step: StepContext): never {
    step.log.info(`paying for ${SECRET}`, { who: SECRET });
    throw secret('payment');
  }

  @RemoteStep('secret.ask')
  ask(who: unknown): unknown {
    return { who };
  }
}

@Injectable()
class Mail {
  @Effect('secret.mail', { attempts: 1 })
  mail(): never {
    throw secret('mail');
  }
}

@Workflow('secret.child')
class Child {
  async run(ctx: WorkflowContext, who: string): Promise<void> {
    await ctx.step('child', () => Promise.reject(secret(who)), { retry: false });
  }
}

@Workflow('secret.order')
class Order {
  async run(ctx: WorkflowContext, who: string): Promise<unknown> {
    ctx.setStatus(`serving ${who}`);
    ctx.log.info(`order of ${who}`, { who });
    const undo = { compensate: () => Promise.reject(secret('undo')), retry: ONCE };
    await ctx.step('booked', () => ({ who }), undo);
    await ctx.remote(Bank).ask(who);
    const failing = [
      () => ctx.step('local', (step) => (step.log.warn(who, { who }), Promise.reject(secret('step'))), { retry: ONCE }),
      () => ctx.transaction('tx', () => Promise.reject(secret('transaction')), { retry: false }),
      () => ctx.remote(Bank).pay(who),
      () => ctx.executeChild(Child, who),
    ];
    for (const fails of failing) await fails().catch(() => undefined);
    await ctx.waitForSignal('go', go);
    throw secret('order');
  }
}

@Workflow('secret.wrong')
class Wrong {
  async run(_: WorkflowContext, who: string): Promise<void> {
    await Promise.resolve();
    throw new TypeError(who);
  }
}

@Workflow('secret.kept')
class Kept {
  async run(ctx: WorkflowContext, who: string): Promise<unknown> {
    const { who: known } = await ctx.step('kept', () => ({ who }));
    await ctx.waitForSignal('go', go);
    return known;
  }
}

@Workflow('secret.foreign')
class Foreign {
  async run(ctx: WorkflowContext, who: string): Promise<unknown> {
    return ctx.remote('foreign', who);
  }
}

const PROVIDERS = [Foreign, Order, Child, Wrong, Kept, Bank, Mail];

async function tablesOf({ db, query }: FreshDatabase): Promise<string[]> {
  const schema = db === 'postgres' ? `current_schema()` : 'database()';
  const rows = await query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema}`,
  );
  return rows.map(({ name }) => name);
}

/** `<table>.<column>` of every column with this text in it. */
async function columnsWith(database: FreshDatabase, text: string): Promise<string[]> {
  const found = new Set<string>();
  for (const table of await tablesOf(database))
    for (const row of await database.query(`SELECT * FROM ${table}`))
      for (const [column, value] of Object.entries(row))
        if (JSON.stringify(value ?? '').includes(text)) found.add(`${table}.${column}`);
  return [...found].sort();
}

describeDatabases('An app with an encrypting codec', (at) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;
  let client: WorkflowClient;
  const codec = new SubjectCodec();
  const boot = async () => {
    const durable = DurableModule.forRoot({ migrate: true, codec, effects: { pollInterval: '20ms', errors: 'full' } });
    app = await bootApp({ imports: [ormModule(at.orm, database), durable], providers: PROVIDERS });
    client = app.get(WorkflowClient);
  };
  const attributes = { customer: 'ada', note: SECRET };
  const statusOf = (id: string) => client.getStatus(id, { history: true });

  beforeAll(async () => {
    database = await createDatabase(at.db);
    await boot();
  });
  afterAll(async () => {
    await app?.close();
    await database.close();
  });

  it('stores nothing in plain text but attributes, and shows people everything', async () => {
    const { id } = await client.start(Order, SECRET, { attributes });
    const { id: wrong } = await client.start(Wrong, SECRET, { attributes });
    const calls = [{ handler: 'secret.mail', ref: SECRET, payload: { SECRET } }];
    await app.get(Effects).enqueue({ operation: 'notify', subject: 'ada', calls });
    await app.get(WorkflowSchedules).create(Kept, { id: 'yearly', cron: '0 0 1 1 *', input: SECRET });
    await app.get(WorkflowSchedules).create(Kept, { id: 'yearly', cron: '0 0 1 1 *', input: SECRET });
    await until('all have failed', async () => (await statusOf(id)).history!.at(-1)?.kind === 'signal');
    expect(await columnsWith(database, SECRET)).toEqual(['durable_run_attributes.text_value']);
    await client.signal(go, { who: SECRET }, { workflowId: id });
    const failure = await client.result(id, { timeout: '120s' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: `undo of ${SECRET}`, cause: { message: `order of ${SECRET}` } });
    await until('the run is blocked', async () => (await client.getStatus(wrong)).reason !== null);
    await until('the call is abandoned', async () => (await app.get(Effects).listAbandoned()).length === 1);
    expect(await columnsWith(database, SECRET)).toEqual(['durable_run_attributes.text_value']);

    const status = await statusOf(id);
    expect(status).toMatchObject({ input: SECRET, customStatus: `serving ${SECRET}`, status: 'compensation_failed' });
    expect(status.logs).toMatchObject([{ message: `order of ${SECRET}`, fields: { who: SECRET } }]);
    for (const step of status.history!.filter(({ status }) => status === 'failed'))
      expect([step.name, step.error]).toMatchObject([step.name, { code: 'E', cause: { message: SECRET } }]);
    const pay = status.history!.find(({ name }) => name === 'secret.pay')!;
    expect(pay.attempts).toHaveLength(2);
    expect(pay.attempts[0]!.error).toMatchObject({ message: `payment of ${SECRET}` });
    await until('the line is stored', async () => {
      const { history } = await statusOf(id);
      return history!.find(({ name }) => name === 'secret.pay')!.logs.some(({ message }) => message.includes(SECRET));
    });
    expect((await client.explain(id)).text).toContain(`undo of ${SECRET}`);
    expect(await client.getStatus(wrong)).toMatchObject({
      reasonDetail: `TypeError: ${SECRET}`,
      blockedBy: { message: SECRET },
    });
    const [mail] = await app.get(Effects).listAbandoned();
    expect(mail).toMatchObject({ ref: SECRET, lastError: 'Error', error: { message: `mail of ${SECRET}` } });
    expect((await app.get(WorkflowSchedules).get('yearly')).input).toBe(SECRET);
    await client.retry(id);
    await expect(client.result(id, { timeout: '120s' })).rejects.toMatchObject({
      message: `undo of ${SECRET}`,
      cause: { message: `order of ${SECRET}` },
    });
  });

  it('what a foreign worker writes in plain text is encrypted once the engine has it', async () => {
    const { id } = await client.start(Foreign, 'x', { attributes: { customer: 'ada' } });
    const tasks = async () => database.query(`SELECT step_id FROM durable_transport_tasks WHERE name = 'foreign'`);
    await until('the task is there', async () => (await tasks()).length === 1);
    const error = JSON.stringify({
      message: 'Babbage-1',
      code: 'E',
      retryable: false,
      cause: { message: 'Babbage-2' },
    });
    await database.query(`DELETE FROM durable_transport_tasks WHERE step_id = ?`, [`${id}:0`]);
    await database.query(
      `INSERT INTO durable_transport_results (step_id, run_id, seq, status, output, error, started_at, created_at)
       VALUES (?, ?, 0, 'failed', NULL, ?, 1, 1)`,
      [`${id}:0`, id, error],
    );
    const failed = { message: 'Babbage-1', code: 'E', cause: { message: 'Babbage-2' } };
    await expect(client.result(id, { timeout: '120s' })).rejects.toMatchObject(failed);
    expect(await columnsWith(database, 'Babbage')).toEqual([]);
    expect((await statusOf(id)).history![0]!.error).toMatchObject({ ...failed, retryable: false });
  });

  it('acts of operators keep nothing of what they pass', async () => {
    const operator = app.get(Operator);
    const by = { actor: 'ada', reason: 'a test' };
    const attributes = { customer: 'ada' };
    await client.start(Foreign, 'x', { id: 'resolved', attributes });
    await until('it waits for its step', async () => (await statusOf('resolved')).history?.length === 1);
    await operator.steps.resolve('resolved', 0, { output: 'Hopper-1' }, by);
    expect(await client.result('resolved', { timeout: '120s' })).toBe('Hopper-1');
    await client.start(Kept, 'x', { id: 'signalled', attributes });
    await operator.runs.signal('go', { who: 'Hopper-2' }, { ...by, workflowId: 'signalled' });
    await client.result('signalled', { timeout: '120s' });
    await operator.runs.restart('signalled', { ...by, input: 'Hopper-3' });
    await until('it waits again', async () => (await statusOf('signalled')).history?.length === 2);
    expect((await operator.acts({ actor: 'ada' })).acts).toHaveLength(3);
    expect(await columnsWith(database, 'Hopper')).toEqual([]);
  });

  it('the codec is told the attributes at the start, and later the input that names the key', async () => {
    const { id } = await client.start(Kept, SECRET, { attributes: { customer: 'eve' } });
    await until('it waits', async () => (await statusOf(id)).history?.length === 2);
    expect(codec.contexts).toContainEqual({ workflow: 'secret.kept', runId: id, attributes: { customer: 'eve' } });
    const others = codec.contexts.filter(({ runId, attributes: known }) => runId === id && !known);
    expect(others.length).toBeGreaterThan(0);
    for (const { input } of others) expect(input).toMatch(/^eve\./);
    await client.signal(go, { who: SECRET }, { workflowId: id });
    expect(await client.result(id, { timeout: '120s' })).toBe(SECRET);
  });

  it('when a key is forgotten, its runs cannot be read, and everything else goes on', async () => {
    const options = (id: string, customer: string) => ({ id, attributes: { customer } });
    await client.start(Kept, SECRET, options('bob-1', 'bob'));
    await client.start(Kept, SECRET, options('bob-2', 'bob'));
    await client.start(Kept, 'Cy', options('cy-1', 'cy'));
    const waits = async (id: string) => (await statusOf(id)).history?.length === 2;
    await until('all wait', async () => (await waits('bob-1')) && (await waits('bob-2')) && waits('cy-1'));
    await client.signal(go, { who: SECRET }, { workflowId: 'bob-1' });
    await client.result('bob-1', { timeout: '120s' });
    await app.close();
    codec.forget('bob');
    await boot();
    const gone = new UnreadablePayload('The key of bob was forgotten');
    expect(await statusOf('bob-1')).toMatchObject({ input: gone, output: gone, history: [{ output: gone }, {}] });
    const { runs } = await client.list({ workflow: 'secret.kept', order: 'oldest' });
    expect(runs.map(({ id, input }) => [id, input]).slice(-3)).toEqual([
      ['bob-1', gone],
      ['bob-2', gone],
      ['cy-1', 'Cy'],
    ]);
    await expect(client.result('bob-1')).rejects.toMatchObject({ code: 'UNREADABLE_PAYLOAD' });
    await expect(client.start(Kept, 'x', { ...options('bob-1', 'cy') })).rejects.toMatchObject({
      code: 'UNREADABLE_PAYLOAD',
    });
    await expect(client.start(Kept, 'x', options('bob-3', 'bob'))).rejects.toMatchObject({ code: 'NOT_SERIALIZABLE' });
    await client.signal(go, { who: SECRET }, { id: 'late', key: 'none' });
    await client.signal(go, { who: 'Cy' }, { workflowId: 'cy-1' });
    expect(await client.result('cy-1', { timeout: '120s' })).toBe('Cy');
    await client.cancel('bob-2');
    await expect(client.result('bob-2', { timeout: '120s' })).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect((await client.explain('bob-2')).text).toContain('was cancelled');
  });

  it('a run that needs the key is blocked, and goes on when the key is back', async () => {
    await client.start(Kept, 'Di', { id: 'di', attributes: { customer: 'di' } });
    await until('it waits', async () => (await statusOf('di')).history?.length === 2);
    await app.close();
    codec.forget('di');
    // Due before the process starts: a running one would find it by its next poll, up to 30 s later.
    await database.query(`UPDATE durable_runs SET wake_at = 0 WHERE id = 'di'`);
    await boot();
    await until('it is blocked', async () => (await client.getStatus('di')).blockedBy?.code === 'UNREADABLE_PAYLOAD');
    await app.close();
    codec.remember('di');
    // A process that starts tries blocked runs by itself.
    await boot();
    await until('it is blocked no more', async () => (await client.getStatus('di')).reason === null);
    await client.signal(go, { who: 'Di' }, { workflowId: 'di' });
    expect(await client.result('di', { timeout: '120s' })).toBe('Di');
  });
});
