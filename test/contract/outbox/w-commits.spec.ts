import type { MikroORM } from '@mikro-orm/core';
import type { DataSource } from 'typeorm';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/db-transports.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { sql } from '../../../lib/sql/statement.js';

interface Manual {
  /** For `join`. */
  handle: unknown;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Opens a savepoint, and ends the innermost one. */
  savepoint?(): Promise<void>;
  end(): Promise<void>;
}

/** A transaction that an app opens and ends by hand. */
async function begin(backend: OpenBackend): Promise<Manual> {
  if (backend.orm === 'mikro-orm') {
    const em = (backend.handle as MikroORM).em.fork();
    await em.begin();
    return { handle: em, commit: () => em.commit(), rollback: () => em.rollback(), end: () => Promise.resolve() };
  }
  const runner = (backend.handle as DataSource).createQueryRunner();
  await runner.startTransaction();
  return {
    handle: runner,
    commit: () => runner.commitTransaction(),
    rollback: () => runner.rollbackTransaction(),
    savepoint: () => runner.startTransaction(),
    end: () => runner.release(),
  };
}

describeDatabases('what comes before a commit by hand', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 4 });
    executor = executorOf(backend, backend.handle);
    await backend.query('CREATE TABLE written (name varchar(20))');
  });
  beforeEach(() => backend.query('DELETE FROM written'));
  afterAll(() => backend.close());

  const add = (handle: unknown, name: string) =>
    expect(
      executor.join(handle).beforeCommit?.(async (tx) => {
        await tx.run(sql`INSERT INTO written (name) VALUES (${name})`);
      }),
    ).toBe(true);
  const written = async () => (await backend.query('SELECT name FROM written')).map(({ name }) => name);

  it('is written with it', async () => {
    const manual = await begin(backend);
    add(manual.handle, 'kept');
    expect(await written()).toEqual([]);
    await manual.commit();
    await manual.end();
    expect(await written()).toEqual(['kept']);
  });

  it('is gone with a rollback, also for the next transaction of the same handle', async () => {
    const manual = await begin(backend);
    add(manual.handle, 'lost');
    await manual.rollback();
    await manual.end();
    const next = await begin(backend);
    add(next.handle, 'kept');
    await next.commit();
    await next.end();
    expect(await written()).toEqual(['kept']);
  });

  it('fails it, so that the app rolls back', async () => {
    const manual = await begin(backend);
    await executor.join(manual.handle).run(sql`INSERT INTO written (name) VALUES ('lost')`);
    executor.join(manual.handle).beforeCommit?.(() => Promise.reject(new RangeError('mine')));
    await expect(manual.commit()).rejects.toThrow(RangeError);
    await manual.rollback();
    await manual.end();
    expect(await written()).toEqual([]);
  });

  if (at.orm !== 'typeorm') return;

  it('is kept by savepoints that are released, and lost with those rolled back', async () => {
    const { handle, commit, rollback, savepoint = () => Promise.resolve(), end } = await begin(backend);
    add(handle, 'outer');
    await savepoint();
    add(handle, 'released');
    await savepoint();
    add(handle, 'lost');
    await rollback();
    await commit();
    await savepoint();
    await savepoint();
    add(handle, 'lost too');
    await commit();
    await rollback();
    expect(await written()).toEqual([]);
    await commit();
    await end();
    expect((await written()).sort()).toEqual(['outer', 'released']);
  });

  it('is written, too, when a subscriber of the app asks for it at the last moment', async () => {
    const dataSource = backend.handle as DataSource;
    let asked = 0;
    const subscriber = {
      beforeTransactionCommit: async ({ queryRunner }: { queryRunner: { query(text: string): Promise<unknown> } }) => {
        if (asked++ > 0) return;
        await queryRunner.query('SELECT 1');
        const late = executor.join(queryRunner);
        const work = (name: string) => sql`INSERT INTO written (name) VALUES (${name})`;
        if (!late.beforeCommit?.(async (tx) => void (await tx.run(work('in time'))))) await late.run(work('at once'));
      },
    };
    dataSource.subscribers.push(subscriber);
    const manual = await begin(backend);
    await manual.commit();
    await manual.end();
    dataSource.subscribers.splice(dataSource.subscribers.indexOf(subscriber), 1);
    expect(await written()).toHaveLength(1);
  });
});
