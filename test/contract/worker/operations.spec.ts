import { DatabaseError } from '../../../lib/core/errors.js';
import type { SqlTransaction, SqlExecutor } from '../../../lib/sql/executor.js';
import type { Statement } from '../../../lib/sql/statement.js';
import { DbTransport } from '../../../lib/worker/db-transport.js';
import { render } from '../../../lib/sql/statement.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { DbTransports, executorOf } from '../../support/db-transports.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('a DbTransport makes the tables');

const requestOf = (seq: number, name = 'x') => ({ runId: 'run', seq, stepId: `run:${seq}`, name, attempt: 1 });

/** The executor below, with every statement seen, and failing when told to. */
class WatchedExecutor implements SqlExecutor {
  readonly texts: string[] = [];
  transactions = 0;
  failing = false;

  constructor(private readonly below: SqlExecutor) {
    if (below.listen) this.listen = (channels, hear) => below.listen!(channels, hear);
  }

  listen?: NonNullable<SqlExecutor['listen']>;

  get dialect() {
    return this.below.dialect;
  }

  run: SqlExecutor['run'] = (statement) => {
    this.see(statement);
    return this.below.run(statement);
  };

  transaction: SqlExecutor['transaction'] = (work) => {
    this.transactions++;
    return this.below.transaction((tx) => work(this.watched(tx)));
  };

  ormTransaction: SqlExecutor['ormTransaction'] = (...args) => this.below.ormTransaction(...args);
  join: SqlExecutor['join'] = (handle) => this.below.join(handle);

  private watched(tx: SqlTransaction): SqlTransaction {
    return {
      dialect: tx.dialect,
      afterCommit: (work) => tx.afterCommit(work),
      run: (statement) => {
        this.see(statement);
        return tx.run(statement);
      },
    };
  }

  private see(statement: Statement): void {
    if (this.failing) throw new DatabaseError('no connection', true);
    this.texts.push(render(statement, this.dialect).text.trim().split(/\s+/).slice(0, 3).join(' '));
  }
}

describeDatabases('running a transport', (at) => {
  let backend: OpenBackend;
  let transports: DbTransports;
  let serial = 0;
  let prefix: string;
  let rejections: unknown[];
  const onRejection = (reason: unknown) => void rejections.push(reason);

  beforeAll(async () => {
    backend = await at.open({ poolMax: 20 });
  });
  beforeEach(() => {
    prefix = `o${++serial}`;
    transports = new DbTransports(backend);
    rejections = [];
    process.on('unhandledRejection', onRejection);
  });
  afterEach(async () => {
    await transports.close();
    process.off('unhandledRejection', onRejection);
    expect(rejections).toEqual([]);
  });
  afterAll(() => backend.close());

  it('T9: ten instances create the tables at once', async () => {
    const all = Array.from({ length: 10 }, () => transports.create({ prefix }));
    for (const [i, transport] of all.entries()) transport.handle(`step${i}`, () => i).onResult(() => false);
    await Promise.all(all.map((transport, i) => transport.dispatch(requestOf(i, `step${i}`))));
    expect(transports.errors).toEqual([]);
  });

  it('T10: recovers by itself from a database that is away at first use', async () => {
    const executor = new WatchedExecutor(executorOf(backend, backend.handle));
    executor.failing = true;
    const results: unknown[] = [];
    const transport = transports.create({ prefix, executor, pollMs: 50 });
    transport.handle('x', () => 'ran').onResult(({ output }) => void results.push(output));
    await expect(transport.dispatch(requestOf(1))).rejects.toMatchObject({ code: 'DATABASE', transient: true });
    await until('the loops have failed, too', () => transports.errors.length >= 3);
    executor.failing = false;
    await transport.dispatch(requestOf(1));
    await until('the result', () => results.length === 1);
  });

  it('T24: an idle process with 20 step names asks the database a handful of times per second', async () => {
    const executor = new WatchedExecutor(executorOf(backend, backend.handle));
    const transport = transports.create({ prefix, executor, pollMs: 500 });
    for (let i = 0; i < 20; i++) transport.handle(`step${i}`, () => 1);
    const results: unknown[] = [];
    transport.onResult((result) => void results.push(result));
    await transport.dispatch(requestOf(1, 'step3'));
    await until('it works', () => results.length === 1);
    // Past the time in which naps stay short after work.
    await until('it is quiet', async () => (await statementsWithin(executor, 1_000)) <= 5);
    executor.texts.length = 0;
    executor.transactions = 0;
    const from = performance.now();
    await until('it has looked again and again', () => executor.texts.length > 10);
    // Five per second at most, however slow the machine is.
    expect(performance.now() - from).toBeGreaterThanOrEqual(2_000);
    expect(executor.transactions).toBe(0);
  });

  it('close ends all statements, and the pool can be closed after it', async () => {
    const executor = new WatchedExecutor(executorOf(backend, backend.handle));
    const transport = new DbTransport({ executor, prefix, pollMs: 10 });
    transport.handle('x', () => 1).onResult(() => {});
    await Promise.all(Array.from({ length: 50 }, (_, seq) => transport.dispatch(requestOf(seq))));
    await transport.close();
    await transport.close();
    const count = executor.texts.length;
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(executor.texts.length).toBe(count);
    await expect(transport.dispatch(requestOf(99))).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });

  it('says what is wrong with its arguments, and writes nothing', async () => {
    const executor = executorOf(backend, backend.handle);
    const wrong: [object, string][] = [
      [{}, 'executor'],
      [{ executor, prefix: 'a-b' }, 'prefix'],
      [{ executor, pollMs: 0 }, 'pollMs'],
      [{ executor, leaseMs: '30s' }, 'leaseMs'],
      [{ executor, batchSize: 1.5 }, 'batchSize'],
      [{ executor, concurrency: -1 }, 'concurrency'],
      [{ executor, groups: [] }, 'groups'],
      [{ executor, group: '' }, 'group'],
      [{ executor, instanceId: '' }, 'instanceId'],
      [{ executor, autoCreate: 'yes' }, 'autoCreate'],
      [{ executor, credits: 'yes' }, 'credits'],
    ];
    for (const [options, argument] of wrong) {
      const expected: Error = expect.objectContaining({ code: 'INVALID_ARGUMENT', argument }) as Error;
      expect(() => new DbTransport(options as never)).toThrow(expected);
    }
    const transport = transports.create({ prefix });
    const bad = [
      { ...requestOf(1), runId: 'x'.repeat(200) },
      { ...requestOf(1), runId: '' },
      { ...requestOf(1), seq: 1.5 },
      { ...requestOf(1), name: 'a\0' },
      { ...requestOf(1), attempt: 0 },
    ];
    for (const request of bad)
      await expect(transport.dispatch(request)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(transport.dispatch({ ...requestOf(1), input: () => 1 })).rejects.toMatchObject({
      code: 'NOT_SERIALIZABLE',
    });
    await expect(transport.dispatch({ ...requestOf(1), input: 'x'.repeat(1_100_000) })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    await transport.dispatch(requestOf(2));
    expect(await backend.query(`SELECT step_id FROM ${prefix}_transport_tasks`)).toEqual([{ step_id: 'run:2' }]);
  });

  it('a missing table is said to be missing', async () => {
    const transport = transports.create({ prefix, autoCreate: false });
    await expect(transport.dispatch(requestOf(1))).rejects.toMatchObject({ code: 'MISSING_TABLE' });
  });
});

/** How many statements it ran in the next `ms`. */
async function statementsWithin(executor: WatchedExecutor, ms: number): Promise<number> {
  const [count, since] = [executor.texts.length, Date.now()];
  await until('the time is over', () => Date.now() - since >= ms);
  return executor.texts.length - count;
}
