import mysql from 'mysql2/promise';
import { taskOf } from '../../../lib/conformance/transport.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { raw } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { SqlTaskDispatcher, SqlTaskSource } from '../../../lib/worker/transport.sql.js';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/db-transports.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const tables = tablesWithPrefix('durable');
const GROUPS = Array.from({ length: 20 }, (_, i) => `g${i}`);

interface Transport {
  source: SqlTaskSource;
  dispatcher: SqlTaskDispatcher;
}

/** How long statements take does not depend on the ORM. */
const once = { only: ({ orm }: Backend) => orm === 'typeorm' };

describeDatabases(
  'a long backlog',
  (at) => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let source: SqlTaskSource;
    let dispatcher: SqlTaskDispatcher;

    beforeAll(async () => {
      backend = await at.open();
      db = executorOf(backend, backend.handle);
      ({ source, dispatcher } = await transportOf('durable'));
    });
    afterAll(() => backend.close());

    async function transportOf(prefix: string): Promise<Transport> {
      const own = tablesWithPrefix(prefix);
      await migrate(db, own, { part: 'transport' });
      const notifier = createNotifier(db, prefix, () => {});
      return { source: new SqlTaskSource(db, own, notifier), dispatcher: new SqlTaskDispatcher(db, own, notifier) };
    }

    async function fill(to: SqlTaskDispatcher, count: number): Promise<void> {
      for (let at = 0; at < count; at += 5_000) {
        const tasks = Array.from({ length: Math.min(5_000, count - at) }, (_, i) => {
          const name = GROUPS[(at + i) % GROUPS.length] ?? '';
          return taskOf(at + i, { name, group: name });
        });
        await to.dispatch(tasks);
      }
    }

    const claim = (from: SqlTaskSource) =>
      from.claim({
        workerId: 'w',
        groups: GROUPS.map((group) => ({ group, limit: 1 })),
        names: GROUPS,
        limit: 10,
        leaseMs: 30_000,
      });

    async function backlogOf(prefix: string, count: number): Promise<Transport> {
      const transport = await transportOf(prefix);
      await fill(transport.dispatcher, count);
      const results = 'step_id, run_id, seq, status, output, created_at';
      await db.run(
        raw(
          `INSERT INTO ${prefix}_transport_results (${results}) SELECT step_id, run_id, seq, 'completed', '1', created_at FROM ${prefix}_transport_tasks`,
        ),
      );
      return transport;
    }

    /** How long each takes where the machine does not make it slow; in turn, so that it is as busy for all of them. */
    async function fastMs(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
      const times = works.map((): number[] => []);
      for (let n = 0; n < 31; n++)
        for (const [i, work] of works.entries()) {
          const from = performance.now();
          await work();
          times[i]!.push(performance.now() - from);
        }
      // A machine that is busy answers late to anything; what looks at a whole backlog is never fast.
      return times.map((own) => own.sort((a, b) => a - b)[3] ?? 0);
    }

    it('T18: a claim and a reading of answers cost the same with 100,000 rows as with 1,000', async () => {
      const [few, many] = [await backlogOf('few', 1_000), await backlogOf('durable', 100_000)];
      const [claimFew = 0, claimMany] = await fastMs([() => claim(few.source), () => claim(many.source)]);
      const [peekFew = 0, peekMany] = await fastMs([() => few.dispatcher.peek(10), () => many.dispatcher.peek(10)]);
      // A sort or a scan of the backlog takes 20 ms and more.
      expect(claimMany).toBeLessThan(2 * claimFew + 3);
      expect(peekMany).toBeLessThan(2 * peekFew + 3);
      expect((await claim(many.source)).length).toBe(10);
    });

    // PostgreSQL locks no gaps.
    if (at.db === 'postgres') return;
    it('T19: at REPEATABLE READ too, a claim locks what it takes, and producers never wait', async () => {
      await backend.query('TRUNCATE TABLE durable_transport_tasks');
      await fill(dispatcher, 2_000);
      const { host, port, user, password, database } = backend;
      const foreign = await mysql.createConnection({ host, port, user, password, database });
      // A foreign worker in the middle of its claim, as the contract writes it, on a session as servers have it by default.
      await foreign.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await foreign.query('SET SESSION innodb_lock_wait_timeout = 1');
      await foreign.beginTransaction();
      const [taken] = await foreign.query<mysql.RowDataPacket[]>(
        `SELECT * FROM durable_transport_tasks WHERE grp = 'g0' AND (claimed_at IS NULL OR claimed_at < 5) ORDER BY created_at LIMIT 10 FOR UPDATE SKIP LOCKED`,
      );
      expect(taken).toHaveLength(10);
      try {
        const others = await source.claim({
          workerId: 'w',
          groups: [{ group: 'g0', limit: 50 }],
          names: GROUPS,
          limit: 50,
          leaseMs: 30_000,
        });
        expect(others).toHaveLength(50);
        const theirs = new Set(taken.map(({ step_id }) => String(step_id)));
        expect(others.some(({ stepId }) => theirs.has(stepId))).toBe(false);
      } finally {
        await foreign.rollback();
      }
      // And the other way round: while ours is in the middle of a claim, producers and other workers go on.
      await foreign.beginTransaction();
      let during: Promise<unknown> | undefined;
      const transaction = db.transaction.bind(db);
      const halfway: SqlExecutor = Object.assign(Object.create(db) as SqlExecutor, {
        transaction: <T>(work: (tx: Parameters<Parameters<SqlExecutor['transaction']>[0]>[0]) => Promise<T>) =>
          transaction(async (tx) => {
            const done = await work(tx);
            await (during = produceAndClaim());
            return done;
          }),
      });
      const produceAndClaim = async () => {
        await foreign.query(
          `INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, attempt, status, created_at) VALUES ('p:1', 'p', 1, 'g1', 'g1', 1, 'pending', 1)`,
        );
        const [rows] = await foreign.query<mysql.RowDataPacket[]>(
          `SELECT * FROM durable_transport_tasks WHERE grp = 'g1' AND claimed_at IS NULL ORDER BY created_at LIMIT 10 FOR UPDATE SKIP LOCKED`,
        );
        expect(rows).toHaveLength(10);
      };
      const ours = new SqlTaskSource(
        halfway,
        tables,
        createNotifier(db, tables.prefix, () => {}),
      );
      const request = { workerId: 'w', names: GROUPS, limit: 10, leaseMs: 30_000 };
      expect(await ours.claim({ ...request, groups: [{ group: 'g1', limit: 10 }] })).toHaveLength(10);
      await during;
      await foreign.rollback();
      // An empty claim locks nothing either.
      await foreign.beginTransaction();
      expect(await ours.claim({ ...request, groups: [{ group: 'empty', limit: 10 }], names: ['empty'] })).toEqual([]);
      await foreign.rollback();
      await foreign.end();
    });
  },
  once,
);
