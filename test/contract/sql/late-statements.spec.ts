import { DatabaseError, InvalidTransactionError } from '../../../lib/core/errors.js';
import {
  type JoinedTransaction,
  ownSessionsOr,
  type SqlConnection,
  type SqlExecutor,
} from '../../../lib/sql/executor.js';
import { raw, sql, type Statement } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { inAppTransaction, inNested } from '../../support/app-transactions.js';
import { describeBackends, type OpenBackend, type OpenHandle } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes a table of its own');

/** Of each transaction: one in each turn of the event loop while it ends, and after. */
const TURNS = 150;

const ignore = (): void => undefined;

let texts = 0;
/** A text that no connection has prepared yet. */
const insert = (n: number): Statement =>
  sql`INSERT INTO late_rows (id, body) VALUES (${n}, ${'late'}) ${raw(`/* ${++texts} */`)}`;

describeBackends('a statement that nobody awaits inside of its transaction', (at) => {
  let backend: OpenBackend;
  let db: SqlExecutor;
  const late: Promise<unknown>[] = [];
  beforeAll(async () => {
    backend = await at.open({ poolMax: 2 });
    db = executorOf(backend);
    await backend.query('CREATE TABLE late_rows (id integer NOT NULL, body varchar(20))');
  });
  afterAll(() => backend.close());

  const rows = async () => {
    while (late.length > 0) await Promise.all(late.splice(0));
    return (await backend.query<{ n: number | string }>('SELECT COUNT(*) AS n FROM late_rows'))[0];
  };

  /** Asks for one in each turn from now on, or from the next one. */
  const asking = (tx: SqlConnection, isNow = true) => {
    let n = 0;
    const inTurn = (): void => void late.push(new Promise<void>((resolve) => setImmediate(() => resolve(next()))));
    const next = () => {
      late.push(tx.run(insert(n)).catch(ignore));
      if (++n < TURNS) inTurn();
    };
    if (isNow) next();
    else inTurn();
  };

  /** PostgreSQL refuses by itself what comes after a failure. */
  const REFUSED = expect.any(at.db === 'postgres' ? DatabaseError : InvalidTransactionError) as unknown;
  const refusal = (error: unknown): unknown => error;
  const ROLLED_BACK = new Error('rolled back');

  it.each(['the pool', 'its own sessions'])('is not committed beside it, in one of ours in %s', async (where) => {
    const sessions = where === 'the pool' ? db : ownSessionsOr(db);
    for (let n = 0; n < 5; n++) {
      const ended = sessions.transaction(async (tx) => {
        await tx.run(sql`SELECT 1`);
        asking(tx);
        throw ROLLED_BACK;
      });
      await expect(ended).rejects.toBe(ROLLED_BACK);
    }
    expect(Number((await rows())!.n)).toBe(0);
  });

  it.each(['an idle one', 'one with another statement under way'])(
    'is not committed beside it, in one of the app: %s',
    async (what) => {
      for (let n = 0; n < 5; n++) {
        const ended = inAppTransaction(at.orm, backend.handle, async ({ handle, query }) => {
          const tx = db.join(handle);
          await tx.run(sql`SELECT 1`);
          if (what !== 'an idle one') late.push(query('SELECT 2').catch(ignore));
          asking(tx);
          throw ROLLED_BACK;
        });
        await expect(ended).rejects.toBe(ROLLED_BACK);
      }
      expect(Number((await rows())!.n)).toBe(0);
    },
  );

  it('is not committed with the rest of it, behind a savepoint that is rolled back to', async () => {
    for (let n = 0; n < 5; n++)
      await inAppTransaction(at.orm, backend.handle, async (outer) => {
        const first = db.join(outer.handle);
        await first.run(sql`SELECT 1`);
        const ended = inNested(at.orm, outer.handle, async (handle) => {
          asking(db.join(handle));
          asking(db.join(handle), false);
          throw ROLLED_BACK;
        });
        await expect(ended).rejects.toBe(ROLLED_BACK);
        await inNested(at.orm, outer.handle, async (handle) => void (await db.join(handle).run(sql`SELECT 2`)));
        await first.run(sql`SELECT 3`);
        await db.join(outer.handle).run(sql`SELECT 4`);
      });
    expect(Number((await rows())!.n)).toBe(0);
  });

  it('is not committed with the rest of it, behind a savepoint inside of one that is rolled back to', async () => {
    for (let n = 0; n < 5; n++)
      await inAppTransaction(at.orm, backend.handle, async (outer) => {
        const ended = inNested(at.orm, outer.handle, async (handle) => {
          const inner: SqlConnection[] = [];
          await inNested(at.orm, handle, async (nested) => void inner.push(db.join(nested), db.join(nested)));
          asking(inner[0]!);
          asking(inner[1]!, false);
          throw ROLLED_BACK;
        });
        await expect(ended).rejects.toBe(ROLLED_BACK);
        await db.join(outer.handle).run(sql`SELECT 3`);
      });
    expect(Number((await rows())!.n)).toBe(0);
  });

  it('is not done with the last statements of a commit, once its savepoint is rolled back to', async () => {
    await inAppTransaction(at.orm, backend.handle, async (outer) => {
      const inner: JoinedTransaction[] = [];
      const ended = inNested(at.orm, outer.handle, async (handle) => {
        inner.push(db.join(handle));
        await inNested(at.orm, handle, async (nested) => void inner.push(db.join(nested)));
        throw ROLLED_BACK;
      });
      await expect(ended).rejects.toBe(ROLLED_BACK);
      const added = inner.map((tx) => tx.beforeCommit!((last) => last.run(insert(1)).then(ignore)));
      expect(added).toEqual([false, false]);
    });
    expect(Number((await rows())!.n)).toBe(0);
  });

  it('joins no other one, from a savepoint that was released', async () => {
    const inner: SqlConnection[] = [];
    await inAppTransaction(at.orm, backend.handle, (outer) =>
      inNested(at.orm, outer.handle, async (handle) => void inner.push(db.join(handle), db.join(handle))),
    );
    const other = (tx: SqlConnection) =>
      inAppTransaction(at.orm, backend.handle, async ({ query }) => {
        await query('SELECT 3');
        await expect(tx.run(insert(1))).rejects.toThrow(InvalidTransactionError);
        await query('SELECT 4');
      });
    await Promise.all(inner.map(other));
    expect(Number((await rows())!.n)).toBe(0);
  });

  it('joins no other one that begins on its connection', async () => {
    for (let n = 0; n < 5; n++) {
      const ended = inAppTransaction(at.orm, backend.handle, async ({ handle }) => {
        asking(db.join(handle));
        throw ROLLED_BACK;
      });
      await expect(ended).rejects.toBe(ROLLED_BACK);
      await Promise.all([1, 2].map(() => inAppTransaction(at.orm, backend.handle, ({ query }) => query('SELECT 3'))));
    }
    expect(Number((await rows())!.n)).toBe(0);
  });

  it('is not committed by itself after a deadlock whose error the code has caught', async () => {
    await backend.query('CREATE TABLE locked_rows (id integer PRIMARY KEY, n integer NOT NULL)');
    await backend.query('INSERT INTO locked_rows VALUES (1, 0), (2, 0)');
    const [first, second] = [gate(), gate()];
    const victims: unknown[] = [];
    const deadlocked = (own: typeof first, other: typeof first, ids: readonly number[]) =>
      inAppTransaction(at.orm, backend.handle, async ({ handle, query }) => {
        await query(`UPDATE locked_rows SET n = n + 1 WHERE id = ${ids[0]}`);
        own.open();
        await other.opened;
        const tx = db.join(handle);
        // The last statements of the commit.
        expect(tx.beforeCommit!((last) => last.run(insert(4)).then(ignore))).toBe(true);
        const update = raw(`UPDATE locked_rows SET n = n + 1 WHERE id = ${ids[1]} AND n >= `);
        // The second one is queued behind the first, or sent once that has failed.
        const [updated, ...inserted] = await Promise.allSettled([
          tx.run(sql`${update}${0}`),
          tx.run(insert(1)),
          tx.run(insert(2)),
        ]);
        if (updated.status === 'fulfilled') throw ROLLED_BACK;
        victims.push(...inserted, await tx.run(insert(3)).then(() => 'sent', refusal));
      });
    const ended = await Promise.allSettled([deadlocked(first, second, [1, 2]), deadlocked(second, first, [2, 1])]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(victims).toEqual([
      { status: 'rejected', reason: REFUSED },
      { status: 'rejected', reason: REFUSED },
      REFUSED,
    ]);
    expect(Number((await rows())!.n)).toBe(0);
  });
});

describeBackends(
  'a statement that nobody awaits, in the first transaction of a connection to a primary with replicas',
  (at) => {
    let backend: OpenBackend;
    let app: OpenHandle;
    beforeAll(async () => {
      backend = await at.open();
      const { host, port, user, password, database } = backend;
      const server = { host, port, username: user, password, database };
      app = await backend.connect({ orm: { replication: { master: server, slaves: [server] } } });
      await backend.query('CREATE TABLE late_rows (id integer NOT NULL, body varchar(20))');
    });
    afterAll(async () => {
      await app.close();
      await backend.close();
    });

    it('is not committed with the rest of it, behind a savepoint that is rolled back to', async () => {
      const db = typeOrmExecutor(app.handle as object);
      const error = new Error('rolled back');
      await inAppTransaction(at.orm, app.handle, async (outer) => {
        let late: SqlConnection | undefined;
        const ended = inNested(at.orm, outer.handle, (handle) => {
          late = db.join(handle);
          return Promise.reject(error);
        });
        await expect(ended).rejects.toBe(error);
        await expect(late!.run(insert(1))).rejects.toThrow(InvalidTransactionError);
      });
      expect(await backend.query('SELECT id FROM late_rows')).toEqual([]);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);

interface MikroFork {
  fork(options?: { freshEventManager: boolean }): MikroFork;
  transactional(work: (em: MikroFork) => Promise<void>): Promise<void>;
  getConnection(): { transactional(work: (context: object) => Promise<void>): Promise<void> };
  setTransactionContext(context: object): void;
}

describeBackends(
  'the last statements of a commit',
  (at) => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let em: MikroFork;
    beforeAll(async () => {
      backend = await at.open({ poolMax: 2 });
      db = executorOf(backend);
      em = (backend.handle as { em: MikroFork }).em;
      await backend.query('CREATE TABLE late_rows (id integer NOT NULL, body varchar(20))');
    });
    beforeEach(() => backend.query('DELETE FROM late_rows'));
    afterAll(() => backend.close());

    const added = (handle: MikroFork) => void db.join(handle).beforeCommit!((last) => last.run(insert(1)).then(ignore));
    const count = async () =>
      Number((await backend.query<{ n: number | string }>('SELECT COUNT(*) AS n FROM late_rows'))[0]!.n);
    const nested = (work: () => Promise<void>) =>
      em.fork({ freshEventManager: true }).transactional(async (outer) => {
        await outer.transactional((inner) => Promise.resolve(added(inner)));
        await work();
      });

    it('are sent where a fork has subscribers of its own', async () => {
      await nested(() => Promise.resolve());
      expect(await count()).toBe(1);
    });

    it('are not sent where the transaction around a savepoint is rolled back', async () => {
      const error = new Error('rolled back');
      await expect(nested(() => Promise.reject(error))).rejects.toBe(error);
      expect(await count()).toBe(0);
    });

    it('are sent where a transaction tells nobody', async () => {
      const fork = em.fork();
      await fork.getConnection().transactional((context) => {
        fork.setTransactionContext(context);
        return Promise.resolve(added(fork));
      });
      expect(await count()).toBe(1);
    });
  },
  { only: ({ orm }) => orm === 'mikro-orm' },
);
