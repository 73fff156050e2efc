import { sqlValueCases } from '../../../lib/conformance/sql-executor.js';
import { sqlTransactionCases } from '../../../lib/conformance/sql-executor-transactions.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { type Backend, describeBackends, type OpenHandle } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';
import { openTypeOrm } from '../../support/open-typeorm.js';
import { type PrepareRefuser, startPrepareRefuser } from '../../support/prepare-refuser.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes tables of its own');

const MYSQL_FAMILY = { only: ({ db }: Backend) => db !== 'postgres' };

/** Another text for each number. */
const numbered = (n: number) => sql`SELECT ${n} AS n, ${raw(String(n))} AS text_number`;

describeBackends(
  'prepared statements',
  (at) => {
    let database: FreshDatabase;
    let refuser: PrepareRefuser;
    const opened: OpenHandle[] = [];
    const open = async (poolMax: number): Promise<SqlExecutor> => {
      const through = { ...database, host: '127.0.0.1', port: refuser.port };
      const app = await (at.orm === 'typeorm' ? openTypeOrm : openMikroOrm)(through, { poolMax });
      opened.push(app);
      return executorOf({ orm: at.orm, handle: app.handle });
    };

    beforeAll(async () => {
      database = await createDatabase(at.db);
      refuser = await startPrepareRefuser(database);
    });
    beforeEach(() => void Object.assign(refuser, { refusing: false, asked: 0, closed: 0 }));
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((app) => app.close()));
    });
    afterAll(async () => {
      await refuser?.close();
      await database?.close();
    });

    it('are few on a connection: the oldest is closed', async () => {
      const executor = await open(1);
      const kept = () => refuser.asked - refuser.closed;
      for (let n = 0; n < 100; n++) await executor.run(numbered(n));
      await executor.run(sql`SELECT 1`);
      expect([refuser.asked, kept()]).toEqual([100, 32]);
      // The last ones are still there.
      for (let n = 68; n < 100; n++) expect((await executor.run(numbered(n))).rows).toEqual([{ n, text_number: n }]);
      expect(refuser.asked).toBe(100);
      // One that was closed is prepared again, and takes the place of the one that was used longest ago.
      await executor.run(numbered(0));
      await executor.run(numbered(69));
      expect([refuser.asked, kept()]).toEqual([101, 32]);
      await executor.run(numbered(68));
      expect([refuser.asked, kept()]).toEqual([102, 32]);
    });

    it('are none, for a while, on a connection whose server has no place for more', async () => {
      const executor = await open(1);
      refuser.refusing = true;
      const ran = async (times: number) => {
        for (let n = 0; n < times; n++) expect((await executor.run(numbered(n % 3))).rows).toHaveLength(1);
        return refuser.asked;
      };
      expect(await ran(501)).toBe(1);
      expect(await ran(1)).toBe(2);
      refuser.refusing = false;
      expect(await ran(500)).toBe(2);
      expect(await ran(3)).toBe(5);
    });

    it('are the right ones, where several are sent on one connection at once', async () => {
      const executor = await open(1);
      const numbers = Array.from({ length: 40 }, (_, n) => n % 4);
      const answers = await executor.transaction((tx) => Promise.all(numbers.map((n) => tx.run(numbered(n)))));
      expect(answers.map(({ rows }) => rows)).toEqual(numbers.map((n) => [{ n, text_number: n }]));
      const failing = sql`SELECT ${1} AS n FROM missing_table`;
      const both = await Promise.allSettled([executor.run(failing), executor.run(numbered(1))]);
      expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    });

    it('go on in a transaction in which one was refused', async () => {
      const executor = await open(1);
      await executor.run(sql`CREATE TABLE entries (entry varchar(20))`);
      const insert = (entry: string) => sql`INSERT INTO entries (entry) VALUES (${entry})`;
      await executor.transaction(async (tx) => {
        await tx.run(insert('before'));
        refuser.refusing = true;
        await tx.run(sql`INSERT INTO entries (entry) VALUES (${'refused'}), (${'it\'s \\ "quoted"'})`);
      });
      await executor.ormTransaction((_, tx) => tx.run(insert('joined')));
      expect(await database.query('SELECT entry FROM entries')).toEqual(
        ['before', 'refused', 'it\'s \\ "quoted"', 'joined'].map((entry) => ({ entry })),
      );
    });

    it('are not needed by anything: values and transactions are the same without', async () => {
      refuser.refusing = true;
      const [executor, another] = [await open(6), await open(6)];
      const unused = () => Promise.reject(new Error('has no part in these cases'));
      const fixture = { executor, another, appTransaction: unused, nestedTransaction: unused, notTransactions: [] };
      for (const conformance of [...sqlValueCases, ...sqlTransactionCases]) await conformance.run(fixture);
      expect(refuser.asked).toBeGreaterThan(2);
    });

    it('are not needed by an engine and a worker', async () => {
      refuser.refusing = true;
      const storage = await sqlStorageOn(await open(4));
      const parts = engineParts(storage);
      parts.define('order', async (ctx) => {
        const first = await ctx.step('one', () => ({ text: `it's "quoted" \\` }));
        const [second] = await Promise.all([ctx.remote<unknown>('echo', first), ctx.executeChild('child', null)]);
        await ctx.sleep('nap', 1);
        return second;
      });
      parts.define('child', async (ctx) => ctx.step('one', () => 1));
      const worker = workerOn(storage, { echo: (input) => input });
      await parts.start();
      expect(await parts.client.startAndWait('order', null)).toEqual({ text: `it's "quoted" \\` });
      expect(refuser.asked).toBeGreaterThan(0);
      await worker.stop();
      await parts.stop();
      await storage.close();
    });
  },
  MYSQL_FAMILY,
);
