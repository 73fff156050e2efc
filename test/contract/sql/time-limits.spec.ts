import { QuestionTimeoutError } from '../../../lib/core/errors.js';
import { stopwatch, timeLeft, withinTime } from '../../../lib/core/time.js';

import { type SqlConnection, type SqlExecutor, type SqlTransaction, timeLimited } from '../../../lib/sql/executor.js';
import { raw, render, type Statement } from '../../../lib/sql/statement.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes tables of its own');

/** An executor that tells of the limits, in ms, that statements bring to the server. */
function limitsOf(executor: SqlExecutor, note: (ms: number) => void): SqlExecutor {
  const on = (connection: SqlConnection): SqlConnection['run'] => {
    return <Row>(statement: Statement) => {
      const { text, params } = render(statement, executor.dialect);
      const inText = /(?:MAX_EXECUTION_TIME\(|max_statement_time\s*=\s*)([\d.]+)/.exec(text)?.[1];
      if (text.includes('statement_timeout')) note(Number(params[0]));
      else if (inText) note(Number(inText) * (executor.dialect.name === 'mariadb' ? 1_000 : 1));
      return connection.run<Row>(statement);
    };
  };
  return Object.assign(Object.create(executor) as SqlExecutor, {
    dialect: executor.dialect,
    run: on(executor),
    transaction: <T>(work: (tx: SqlTransaction) => Promise<T>) =>
      executor.transaction((tx) =>
        work({ dialect: tx.dialect, afterCommit: (listener) => tx.afterCommit(listener), run: on(tx) }),
      ),
  });
}

const late = (cause?: unknown) => new QuestionTimeoutError('test', 300, { cause });

describeBackends('a read with a time limit', (at) => {
  let backend: OpenBackend;
  let db: SqlExecutor;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 2 });
    db = timeLimited(executorOf(backend));
  });
  afterAll(() => backend?.close());

  const sleeping = (seconds: number) => (at.db === 'postgres' ? `pg_sleep(${seconds})` : `SLEEP(${seconds})`);
  const underWay = async (): Promise<number> => {
    const list =
      at.db === 'postgres'
        ? `SELECT query AS text FROM pg_stat_activity WHERE state = 'active' AND datname = current_database()`
        : `SELECT info AS text FROM information_schema.processlist WHERE info IS NOT NULL AND db = DATABASE()`;
    const rows = await backend.query(list);
    return rows.filter(({ text }) => String(text).includes('asleep')).length;
  };
  /** Not SLEEP alone: MySQL returns 1 for it when the time is over, and no error. */
  const slow = `FROM (SELECT 1 AS n UNION ALL SELECT 2) AS two WHERE ${sleeping(60)} ${at.db === 'postgres' ? 'IS NOT NULL' : '= 5'}`;
  const texts = {
    'a plain one': `SELECT 1 AS asleep ${slow}`,
    'one of several parts': `(SELECT 'it''s (1' AS asleep LIMIT 1) UNION ALL (SELECT 'b' ${slow} LIMIT 1)`,
    'one with others before it': `WITH one AS (SELECT 1 AS n) SELECT n AS asleep ${slow}`,
  };

  it.each(Object.entries(texts))('%s is ended by the server', async (_name, text) => {
    const asked = withinTime(300, () => db.run(raw(text)), late);
    await expect(asked).rejects.toThrow(QuestionTimeoutError);
    await until('the server ends it', async () => (await underWay()) === 0);
  });

  it('that is part of a transaction is ended too', async () => {
    const read: Statement = raw(`SELECT 1 AS asleep ${slow}`);
    const asked = withinTime(300, () => db.transaction((tx) => tx.run(read)), late);
    await expect(asked).rejects.toThrow(QuestionTimeoutError);
    await until('the server ends it', async () => (await underWay()) === 0);
  });

  it('leaves no limit on the connection', async () => {
    const limit = {
      postgres: `current_setting('statement_timeout')`,
      mysql: '@@max_execution_time',
      mariadb: '@@max_statement_time',
    };
    const read = () => db.run(raw(`SELECT ${limit[at.db]} AS most, ${sleeping(0.1)} AS asleep`));
    await withinTime(60_000, () => db.run(raw('SELECT 1 AS one')), late);
    // More than there are connections, each of which is busy meanwhile.
    for (const { rows } of await Promise.all([read(), read(), read()]))
      expect(Number((rows as { most: unknown }[])[0]!.most)).toBe(0);
  });

  it('that had to wait for a connection has what is left of its time', async () => {
    const limits: number[] = [];
    const noting = limitsOf(executorOf(backend), (ms) => limits.push(ms));
    const [both, free] = [gate(), gate()];
    let held = 0;
    const hold = () =>
      noting.transaction(async () => {
        if (++held === 2) both.open();
        await free.opened;
      });
    const holding = [hold(), hold()];
    await both.opened;
    const began = stopwatch.now();
    const asked = withinTime(60_000, () => timeLimited(noting).run(raw('SELECT 1 AS one')), late);
    await until('it has waited', () => stopwatch.now() - began > 500);
    free.open();
    expect((await asked).rows).toEqual([{ one: 1 }]);
    await Promise.all(holding);
    expect(limits).toHaveLength(1);
    expect(limits[0]).toBeLessThanOrEqual(59_501);
  });

  it('and statements that write are as before', async () => {
    await backend.query('CREATE TABLE written (n integer)');
    await withinTime(60_000, () => db.run(raw('INSERT INTO written (n) VALUES (1)')), late);
    expect((await db.run(raw('SELECT n FROM written'))).rows).toEqual([{ n: 1 }]);
  });

  it('has the limit of the work around it', async () => {
    const inner = await withinTime(60_000, () => withinTime(600_000, async () => timeLeft(), late), late);
    expect(inner).toBeLessThanOrEqual(60_000);
    expect(timeLeft()).toBeUndefined();
  });
});
