import { sqlEffectStorage } from '../../../lib/effects/entries.sql.js';
import type { EffectStorage } from '../../../lib/effects/entries.js';
import {
  ABANDONED,
  calls,
  claim,
  type EffectsFixture,
  effectsOn,
  enqueue,
  ERASE,
  failed,
  handler,
  LEASE_MS,
  SUCCEEDED,
} from '../../contract/conformance/effects.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { sql } from '../../../lib/sql/statement.js';
import { describeDatabases } from '../../support/backends.js';
import { numbersTable } from '../../support/crowded-tables.js';
import { type EffectsDatabase, effectsDatabase } from '../../support/effects-database.js';
import { explained } from '../../support/explaining-executor.js';
import { until } from '../../support/until.js';

const ROWS = 20_000;

/** Most have ended or wait for a time far off; some have a handler that nobody has, some belong to one subject. */
async function crowdEffects({ backend }: EffectsDatabase): Promise<void> {
  const [text, mod] = backend.db === 'postgres' ? ['varchar', 'n % 10'] : ['char', 'MOD(n, 10)'];
  const one = (from: number, to: number, columns: string, values: string) => `
    INSERT INTO durable_effects (entry_id, operation, subject, handler, enqueued_at, ref, ${columns})
    SELECT CONCAT('018f0000-0000-7000-8000-', LPAD(CAST(n AS ${text}(12)), 12, '0')), 'erase',
      CASE WHEN n <= 2000 THEN 'big' ELSE CONCAT('user-', n) END, 'mail', n, '1', ${values}
    FROM numbers WHERE ${mod} BETWEEN ${from} AND ${to}`;
  await backend.query(one(0, 4, 'status, ready, open, finished_at', `'succeeded', NULL, 0, 1`));
  await backend.query(one(5, 7, 'status, ready, next_attempt_at', `'scheduled', 0, 9000000000000 + n`));
  await backend.query(one(8, 8, 'status, ready, finished_at', `'abandoned', NULL, 1`));
  await backend.query(one(9, 9, 'status', `'pending'`));
  await backend.query(`UPDATE durable_effects SET handler = 'other' WHERE status = 'pending'`);
  await backend.query(
    `INSERT INTO durable_effect_audit (event_id, type, operation, subject, details, recorded_at)
     SELECT CONCAT('e-', n), 'effect_succeeded', 'erase', CONCAT('another-', n), '{}', n FROM numbers`,
  );
}

/** Everything that can be asked of the ports, but for what counts all there is. */
async function life(fixture: EffectsFixture): Promise<void> {
  const { claims, settlements, insight, requeue, removal, audit } = fixture.storage;
  const group = { operation: 'erase', subject: 'big' };
  await enqueue(fixture, calls('a', 'b', 'c', 'd', 'e'), group);
  const [a, b, c, d, e] = await claim(fixture, 10, [handler('mail'), handler('nobody')]);
  await claims.extend([a!, b!, c!].map(({ claim: held }) => ({ ...held, leaseMs: LEASE_MS })));
  await settlements.settle(a!, SUCCEEDED);
  await settlements.settle(b!, ABANDONED);
  await settlements.settle(c!, failed(5));
  await settlements.settle(d!, { status: 'scheduled', until: 0, delayMs: 5 });
  await claims.release([e!.claim]);
  await claims.extend([a!, e!].map(({ claim: lost }) => ({ ...lost, leaseMs: LEASE_MS })));
  fixture.clock.advance(5);
  const again = await claim(fixture);
  expect(again).toHaveLength(3);
  await requeue.requeue([b!.claim.entryId]);
  expect(await insight.isComplete(group)).toBe(false);
  await enqueue(fixture, calls('only'), ERASE);
  for (const one of await claim(fixture)) await settlements.settle(one, SUCCEEDED, async () => undefined);
  expect(await insight.listAbandoned(10)).toHaveLength(10);
  expect(await insight.listScheduled(10)).toHaveLength(10);
  expect(await insight.unclaimed(1)).toMatchObject([{ handler: 'other' }]);
  expect(await audit.read(ERASE)).toHaveLength(2);
  for (const status of ['succeeded', 'abandoned'] as const)
    expect((await removal.purge({ status, olderThanMs: 0, limit: 5 })).purged).toBe(5);
  expect(await removal.purgeAudit(0, 5)).toBe(5);
}

describeDatabases(
  'effects among many others',
  (at) => {
    let database: EffectsDatabase;
    beforeAll(async () => {
      database = await effectsDatabase(at);
      await numbersTable(database.backend.query, ROWS);
      // Else it may be analysed while it is filled.
      if (at.db === 'postgres')
        await database.backend.query('ALTER TABLE durable_effects SET (autovacuum_enabled = false)');
    });
    afterAll(() => database?.close());

    it('every statement goes by an index, whatever the planner knows', async () => {
      const found: string[] = [];
      for (const analysed of [false, true]) {
        await database.empty();
        await crowdEffects(database);
        for (const table of analysed ? ['durable_effects', 'durable_effect_audit'] : [])
          await database.backend.query(`ANALYZE ${at.db === 'postgres' ? '' : 'TABLE '}${table}`);
        const watched = explained(database.db, new Set());
        const fixture = database.fixture();
        const now = () => sql`${fixture.clock.now()}`;
        const hints = createNotifier(database.db, 'durable', () => undefined);
        const storage: EffectStorage = sqlEffectStorage(watched.executor, database.tables, hints, { now });
        await life({ ...fixture, storage });
        for (const { statement, scanned, text } of watched.scans) found.push(`${statement}: ${scanned}\n${text}`);
        expect(watched.looked).toBeGreaterThan(at.db === 'postgres' ? 14 : 20);
      }
      expect(found).toEqual([]);
    });

    if (at.db !== 'postgres') return;

    it('claims and renewals change nothing that is indexed', async () => {
      // Counts of others may come late, so it has a database of its own.
      const own = await effectsDatabase(at);
      // Room for three versions of each row, so that nothing but an index can send one to another page.
      await own.backend.query('ALTER TABLE durable_effects SET (fillfactor = 25)');
      await own.backend.query('VACUUM FULL durable_effects');
      const { storage } = own;
      const refs = Array.from({ length: 500 }, (_, n) => `${n}`);
      await effectsOn({ storage, clock: own.fixture().clock }).enqueue({ ...ERASE, calls: calls(...refs) });
      const counts = async () => {
        const [row] = await own.backend.query<{ total: string; hot: string }>(
          `SELECT n_tup_upd AS total, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = 'durable_effects'`,
        );
        return { total: Number(row?.total), hot: Number(row?.hot) };
      };
      const before = await counts();
      const claimed = await claim({ storage }, 1_000);
      await storage.claims.extend(claimed.map(({ claim: held }) => ({ ...held, leaseMs: LEASE_MS })));
      // Backends tell what they did when they have been idle for a moment.
      const after = await until('1,000 updates are counted', async () => {
        await own.db.run(sql`SELECT 1 AS one`);
        const now = await counts();
        return now.total - before.total >= 1_000 && now;
      });
      const others = after.total - before.total - (after.hot - before.hot);
      await own.close();
      expect(others).toBeLessThan(50);
    });

    it('plans that were kept from an empty table scan no long one', async () => {
      // Counts of others may come late here, too.
      const own = await effectsDatabase(at);
      const { query } = own.backend;
      await query('ALTER TABLE durable_effects SET (autovacuum_enabled = false)');
      await query('VACUUM durable_effects');
      await numbersTable(query, ROWS);
      const fixture = own.fixture();
      const settleAll = async (subject: string) => {
        await enqueue(fixture, calls('a', 'b', 'c'), { operation: 'erase', subject });
        const [a, b, c] = await claim(fixture);
        await fixture.storage.settlements.settle(a!, failed(0));
        for (const one of [b!, c!, ...(await claim(fixture))])
          await fixture.storage.settlements.settle(one, SUCCEEDED, async () => undefined);
      };
      for (let n = 0; n < 8; n++) await settleAll(`before-${n}`);
      await crowdEffects(own);
      for (let n = 0; n < 8; n++) await settleAll(`after-${n}`);
      // What a statement reads is counted together with what it writes.
      const scanned = await until('everything is counted', async () => {
        await own.db.run(sql`SELECT 1 AS one`);
        const [row] = await query<{ inserted: string; updated: string; scanned: string }>(
          `SELECT n_tup_ins AS inserted, n_tup_upd AS updated, seq_tup_read AS scanned FROM pg_stat_user_tables WHERE relname = 'durable_effects'`,
        );
        const counted = Number(row?.inserted) === ROWS + 48 && Number(row?.updated) >= ROWS / 10 + 144;
        return counted && { rows: Number(row?.scanned) };
      });
      await own.close();
      // What crowded the table has scanned it once.
      expect(scanned.rows).toBeLessThan(2 * ROWS);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
