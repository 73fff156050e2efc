import * as claims from '../../../lib/engine/runs.sql.js';
import type { ClaimRuns } from '../../../lib/engine/runs.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { raw, sql, type Statement } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { newRun } from '../../contract/conformance/fixtures.js';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { sized } from '../../support/tiers.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const BACKLOG = sized(300_000, 60_000);
const ONE_TO_NINE = Array.from({ length: 9 }, (_, d) => `UNION ALL SELECT ${d + 1}`).join(' ');

/** How long statements take does not depend on the ORM. */
const once = { only: ({ orm }: Backend) => orm === 'typeorm' };

describeDatabases(
  `a backlog of ${BACKLOG} runs (N2)`,
  (at) => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let storage: OpenStorage;
    const request: ClaimRuns = {
      nodeId: 'node',
      namespace: '',
      limit: 10,
      which: 'due',
      workflows: [
        { name: 'order', version: 1 },
        { name: 'pay', version: 1 },
      ],
    };

    beforeAll(async () => {
      backend = await at.open();
      db = executorOf(backend);
      storage = await sqlStorage(backend);
      await storage.roster.beat({ id: 'node', namespace: '', roles: 'engine' }, 3_600_000);
    });
    afterAll(async () => {
      await storage?.close();
      await backend?.close();
    });

    /** `count` more of one workflow, due or all in one line. */
    async function fill(kind: 'due' | 'in line', from: number, count: number): Promise<void> {
      const postgres = db.dialect.family === 'postgres';
      const digits = ['a', 'b', 'c', 'e', 'f', 'g'].map((name) => `(SELECT 0 AS d ${ONE_TO_NINE}) AS ${name}`);
      const value = 'a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + 100000 * g.d + 1';
      const numbers = postgres
        ? `(SELECT generate_series(1, ${count}) AS n) AS n`
        : `(SELECT ${value} AS n FROM ${digits.join(' CROSS JOIN ')} HAVING n <= ${count}) AS n`;
      const id = postgres ? `'r' || (n.n + ${from})` : `CONCAT('r', n.n + ${from})`;
      const columns =
        'id, namespace, workflow, version, priority, input, notifies, status, epoch, settled, crashes, created_at';
      const order = kind === 'due' ? 'n.n, NULL, NULL' : `NULL, n.n + ${from}, 'limiter-of-a'`;
      await db.run(
        raw(
          `INSERT INTO durable_runs (${columns}, wake_at, turn, limiter)
         SELECT ${id}, '', 'order', 1, 0, '1', 0, 'pending', 0, 0, 0, 1, ${order} FROM ${numbers}`,
        ),
      );
      await db.run(raw(postgres ? 'VACUUM ANALYZE durable_runs' : 'ANALYZE TABLE durable_runs'));
    }

    async function fastMs(work: () => Promise<unknown>): Promise<number> {
      const times: number[] = [];
      for (let n = 0; n < 31; n++) {
        const from = performance.now();
        await work();
        times.push(performance.now() - from);
      }
      // A machine that is busy answers late to anything; what looks at a whole backlog is never fast.
      return Math.min(...times);
    }

    async function planOf(statement: Statement): Promise<string> {
      return JSON.stringify((await db.run(sql`EXPLAIN ${statement}`)).rows);
    }

    it('is claimed in the same time as a short one, and a start of another key does not wait for it', async () => {
      const limiter = { limiter: 'b', namespace: '', name: 'order', key: 'b', limits: {} };
      const claiming = () => fastMs(() => storage.store.claim(request));
      const starting = () => fastMs(() => storage.catalog.create([newRun(`n${Math.random()}`, { limiter })]));
      await fill('in line', 0, 2_000);
      const short = { inLine: await claiming(), start: await starting() };
      await fill('in line', 2_000, BACKLOG / 2);
      const long = { inLine: await claiming(), start: await starting() };
      const turn = await storage.store.claim({ ...request, limit: 100 });
      expect(turn.some(({ id }) => id.startsWith('n'))).toBe(true);
      await fill('due', 500_000, 2_000);
      const shortDue = await claiming();
      await fill('due', 502_000, BACKLOG / 2);
      const longDue = await claiming();
      const ms = (n: number) => `${n.toFixed(2)} ms`;
      process.stdout.write(
        `${at.db}, of 2,000 and of ${BACKLOG} runs: a claim of 10 in line ${ms(short.inLine)}, ${ms(long.inLine)}; ` +
          `of 10 due ${ms(shortDue)}, ${ms(longDue)}; a start of another key ${ms(short.start)}, ${ms(long.start)}\n`,
      );
      // A sort or a scan of the backlog takes 50 ms and more; the rest is what else the machine does.
      for (const [few, many] of [
        [short.inLine, long.inLine],
        [shortDue, longDue],
        [short.start, long.start],
      ] as const)
        expect(many).toBeLessThan(3 * few + 25);
    });

    it('EXPLAIN names both indexes', async () => {
      const scope = { tables: tablesWithPrefix('durable'), dialect: db.dialect, now: () => db.dialect.now };
      const statements =
        db.dialect.family === 'postgres'
          ? [claims.claimRuns(scope, request)]
          : [
              claims.selectClaimable(scope, request),
              claims.lockClaimable(scope, request),
              claims.lockInTurn(scope, request),
            ];
      const plan = (await Promise.all(statements.map(planOf))).join();
      expect(plan).toMatch(/durable_runs_due/);
      expect(plan).toMatch(/durable_runs_turn/);
      if (db.dialect.family === 'postgres') expect(plan).not.toMatch(/Seq Scan on durable_runs|Sort Key/);
      else expect(plan).not.toMatch(/filesort/);
    });
  },
  once,
);
