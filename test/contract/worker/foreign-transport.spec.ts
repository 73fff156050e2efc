import { InMemoryStateStore, type Transport, WorkflowEngine } from '@dudousxd/nestjs-durable-core';
import { DbTransport as ForeignTransport, typeOrmExecutor } from '@dudousxd/nestjs-durable-transport-db';
import type { DataSource } from 'typeorm';
import type { DbTransport } from '../../../lib/worker/db-transport.js';
import { describeDatabases, type OpenBackend, type OpenHandle } from '../../support/backends.js';
import { DbTransports } from '../../support/db-transports.js';
import { openTypeOrm } from '../../support/open-typeorm.js';
import { openSqlHouse } from '../../support/processes.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { until } from '../../support/until.js';

needsOwner('a DbTransport makes the tables');

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const RETRYABLE = { retryable: true };

/** Another engine that speaks the contract, and other workers, as published; with everything it says of a task. */
describeDatabases('a transport of others with the same tables', (at) => {
  let backend: OpenBackend;
  let foreign: OpenHandle;
  let transports: DbTransports;
  const open: ForeignTransport[] = [];
  let serial = 0;
  let prefix: string;
  beforeAll(async () => {
    backend = await at.open();
    foreign = await openTypeOrm(backend, {});
  });
  beforeEach(() => {
    prefix = `f${++serial}`;
    transports = new DbTransports(backend);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((transport) => transport.close()));
    await transports.close();
  });
  afterAll(async () => {
    await foreign?.close();
    await backend?.close();
  });

  const ours = (): DbTransport => transports.create({ prefix });
  function theirs(on: OpenHandle = foreign, tables = prefix): ForeignTransport {
    const executor = typeOrmExecutor(on.handle as DataSource);
    open.push(new ForeignTransport({ executor, prefix: tables, group: 'far', pollMs: 50 }));
    return open.at(-1)!;
  }

  const attempts: number[] = [];
  /** Doubles a number, after a failure that may be tried again; anything else fails for good. */
  const far = (input: unknown): number => {
    if (typeof input !== 'number') throw Object.assign(new Error('not a number'), { code: 'NAN', retryable: false });
    attempts.push(input);
    if (attempts.length === 1) throw Object.assign(new Error('again'), RETRYABLE);
    return input * 2;
  };

  /** How its runs end. */
  async function played(transport: Transport): Promise<unknown[]> {
    attempts.length = 0;
    const store = new InMemoryStateStore();
    const context = () => ({ tenant: 'acme' });
    const engine = new WorkflowEngine({ store, transport, traceparent: () => TRACE, context });
    engine.register('order', '1', async (ctx, input) => ctx.step('far', input, { retries: 2, priority: 3 }));
    const failures: unknown[] = [];
    engine.subscribe(({ type, error }) => {
      if (type === 'step.failed') failures.push(error);
    });
    const ends: unknown[] = [];
    for (const [id, input] of [
      ['good', 21],
      ['bad', 'x'],
    ] as const) {
      await engine.start('order', input, id);
      await until('it has ended', async () => {
        await engine.resumeDueTimers();
        return /completed|failed/.test(String((await store.getRun(id))?.status));
      });
      const { status, output } = (await store.getRun(id))!;
      ends.push([status, output]);
    }
    expect(failures).toMatchObject([{ message: 'again' }, { message: 'not a number', code: 'NAN', retryable: false }]);
    return ends;
  }
  const ENDS = [
    ['completed', 42],
    ['failed', undefined],
  ];

  it('dispatches through ours, to our worker', async () => {
    ours().handle('far', far);
    expect(await played(ours())).toEqual(ENDS);
    expect(attempts).toEqual([21, 21]);
  });

  it('dispatches through ours, to a worker of theirs', async () => {
    const engine = ours();
    await engine.dispatch({ runId: 'first', seq: 0, name: 'nobody' });
    theirs().handle('far', async (input) => far(input));
    expect(await played(engine)).toEqual(ENDS);
  });

  it('dispatches through theirs, to our worker', async () => {
    ours().handle('far', far);
    expect(await played(theirs())).toEqual(ENDS);
  });

  it('may add to the tables: what ours does not know is left alone', async () => {
    const engine = ours();
    await engine.dispatch({ runId: 'first', seq: 0, name: 'nobody' });
    for (const table of ['tasks', 'results'])
      await backend.query(`ALTER TABLE ${prefix}_transport_${table} ADD traceparent varchar(64)`);
    await backend.query(
      `INSERT INTO ${prefix}_transport_tasks (step_id, run_id, seq, name, grp, input, attempt, status, created_at, traceparent)
       VALUES ('r:0', 'r', 0, 'far', 'far', '{"n":1,"more":true}', 1, 'pending', 1, '${TRACE}')`,
    );
    const more = JSON.stringify({ message: 'no', code: 'NO', retryable: false, traceparent: TRACE, details: [1] });
    await backend.query(
      `INSERT INTO ${prefix}_transport_results (step_id, run_id, seq, status, error, created_at, traceparent)
       VALUES ('r:1', 'r', 1, 'failed', '${more}', 1, '${TRACE}')`,
    );
    const results: unknown[] = [];
    engine.onResult(({ stepId, output, error }) => void results.push([stepId, output, error]));
    ours().handle('far', (input) => input);
    await until('both have come', () => results.length === 2);
    expect(results.sort()).toEqual([
      ['r:0', { n: 1, more: true }, undefined],
      ['r:1', null, { message: 'no', code: 'NO', retryable: false }],
    ]);
  });

  it('serves the steps of our engine', async () => {
    const { house, close } = await openSqlHouse(at);
    const connected = await openTypeOrm(house.backend!, {});
    try {
      attempts.length = 0;
      const retry = { attempts: 2, backoff: { delay: 1 } };
      const process = await house.boot({
        workflows: { order: async (ctx, input) => ctx.remote('far', input, { retry }) },
      });
      theirs(connected, 'durable').handle('far', async (input) => far(input));
      expect(await process.client.startAndWait('order', 21)).toBe(42);
      const failed = { code: 'NAN', message: 'not a number' };
      await expect(process.client.startAndWait('order', 'x')).rejects.toMatchObject(failed);
      await Promise.all(open.splice(0).map((transport) => transport.close()));
    } finally {
      await house.close();
      await connected.close();
      await close();
    }
  });
});
