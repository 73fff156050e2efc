import { sqlEffectStorage } from '../../../lib/effects/entries.sql.js';
import type { EffectStorage } from '../../../lib/effects/entries.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { sql } from '../../../lib/sql/statement.js';
import {
  calls,
  claim,
  claimOne,
  type EffectsFixture,
  effectsOn,
  enqueue,
  ERASE,
  holdingSink,
  LEASE_MS,
  SUCCEEDED,
  typesOf,
} from '../conformance/effects.js';
import { inAppTransaction, write } from '../../support/app-transactions.js';
import { describeDatabases } from '../../support/backends.js';
import { type CommitCutter, startCommitCutter } from '../../support/commit-cutter.js';
import { type EffectsDatabase, effectsDatabase } from '../../support/effects-database.js';
import { executorOf } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { holdingWithin } from '../../support/holding-executor.js';
import { lockWaiter } from '../../support/lock-waiters.js';
import { until } from '../../support/until.js';

interface Nesting {
  transaction?(work: (inner: unknown) => Promise<void>): Promise<void>;
  transactional?(work: (inner: unknown) => Promise<void>): Promise<void>;
}

describeDatabases('effects and commits', (at) => {
  let database: EffectsDatabase;
  let cutter: CommitCutter;
  let fixture: EffectsFixture;
  let app: unknown;

  beforeAll(async () => {
    database = await effectsDatabase(at);
    ({ handle: app } = database.backend);
    await database.backend.query('CREATE TABLE users (id integer PRIMARY KEY)');
    await database.backend.query('CREATE TABLE erased (subject varchar(40))');
    cutter = await startCommitCutter(database.backend, 'effect_audit');
  });
  afterAll(async () => {
    await database?.close();
    await cutter?.close();
  });
  beforeEach(async () => {
    await database.empty();
    for (const table of ['users', 'erased']) await database.backend.query(`DELETE FROM ${table}`);
    fixture = database.fixture();
  });

  const erased = async () => (await database.backend.query('SELECT subject FROM erased')).map(({ subject }) => subject);
  const statuses = async () => (await database.rows()).map(({ status }) => status);
  const note = async ({ subject }: { subject: string }, tx: unknown) =>
    void (await write(at.orm, tx, `INSERT INTO erased (subject) VALUES ('${subject}')`));

  /** A claim that has locked what it takes, and does not go on. */
  const claiming = async (limit: number) => {
    const late = holdingWithin(database.db, 'entry_id');
    const { tables, notifier } = database;
    const storage = sqlEffectStorage(late.executor, tables, notifier, { now: () => sql`${fixture.clock.now()}` });
    const claimed = claim({ storage }, limit);
    await late.held;
    return { claimed, letGo: () => late.letGo() };
  };

  it('a claim in progress locks nothing that others hold: their claims are renewed meanwhile', async () => {
    await enqueue(fixture, calls('a', 'b', 'c', 'd'));
    const held = await claim(fixture, 2);
    const { claimed, letGo } = await claiming(1);
    const renewals = held.map(({ claim: { entryId, token } }) => ({ entryId, token, leaseMs: LEASE_MS }));
    const renewed = (await fixture.storage.claims.extend(renewals)).map(({ renewed: isRenewed }) => isRenewed);
    letGo();
    expect([renewed, (await claimed).length]).toEqual([[true, true], 1]);
  });

  it('a claim in progress keeps nobody from what stands behind any number of entries that it has locked', async () => {
    await enqueue(fixture, calls(...'abcdefgh'));
    const { claimed, letGo } = await claiming(6);
    const others = await claim(fixture, 1);
    letGo();
    expect([others.length, (await claimed).length]).toEqual([1, 6]);
  });

  it('I1 calls commit with rows of the app, and roll back with them', async () => {
    const place = (id: number, fails: boolean) =>
      inAppTransaction(at.orm, app, async ({ handle, query }) => {
        await query(`INSERT INTO users (id) VALUES (${id})`);
        await effectsOn(fixture).enqueue({ ...ERASE, calls: calls(`${id}`) }, { transaction: handle });
        if (fails) throw new Error('no');
      });
    await place(1, false);
    await expect(place(2, true)).rejects.toThrow('no');
    expect(await database.backend.query('SELECT id FROM users')).toEqual([{ id: 1 }]);
    expect((await claim(fixture)).map(({ ref }) => ref)).toEqual(['"1"']);
  });

  it('I1 what was enqueued in a savepoint that is rolled back never was', async () => {
    const add = (transaction: unknown, ref: string) =>
      effectsOn(fixture).enqueue({ ...ERASE, calls: calls(ref) }, { transaction });
    await inAppTransaction(at.orm, app, async ({ handle }) => {
      await add(handle, 'outer');
      const outer = handle as Nesting;
      const nested = (work: (inner: unknown) => Promise<void>) =>
        at.orm === 'typeorm' ? outer.transaction?.(work) : outer.transactional?.(work);
      await nested(async (inner) => void (await add(inner, 'inner')));
      const failing = nested(async (inner) => {
        await add(inner, 'lost');
        throw new Error('back to the savepoint');
      });
      await expect(failing).rejects.toThrow('back to the savepoint');
    });
    expect((await claim(fixture)).map(({ ref }) => ref)).toEqual(['"outer"', '"inner"']);
  });

  it('I20 what a completion wrote commits with the success, and is gone when it throws', async () => {
    await enqueue(fixture, calls('a'));
    const claimed = await claimOne(fixture);
    const { settlements } = fixture.storage;
    const failing = settlements.settle(claimed, SUCCEEDED, async (group, tx) => {
      await note(group, tx);
      throw new Error('after the write');
    });
    await expect(failing).rejects.toThrow('after the write');
    expect([await erased(), await statuses(), await typesOf(fixture)]).toEqual([[], ['in_flight'], []]);
    await settlements.settle(claimed, SUCCEEDED, note);
    expect([await erased(), await statuses()]).toEqual([['user-1'], ['succeeded']]);
  });

  it('I20 a completion that goes on in a transaction that is over fails, and nobody is told of a success', async () => {
    await enqueue(fixture, calls('a'));
    const claimed = await claimOne(fixture);
    const told: string[] = [];
    const { settlements } = fixture.withSink({
      append: async (events) => void told.push(...events.map(({ type }) => type)),
    });
    const failing = settlements.settle(claimed, SUCCEEDED, async (group, tx) => {
      await note(group, tx);
      await write(at.orm, tx, 'INSERT INTO nowhere (id) VALUES (1)').catch(() => undefined);
      // As the server does by itself: at the COMMIT on PostgreSQL, at once after a deadlock on the others.
      if (at.db !== 'postgres') await write(at.orm, tx, 'ROLLBACK');
    });
    await expect(failing).rejects.toMatchObject({ name: 'DatabaseError' });
    expect([await erased(), await statuses(), told]).toEqual([[], ['in_flight'], []]);
    expect(await settlements.settle(claimed, SUCCEEDED, note)).toBe('completed');
    expect([await erased(), told]).toEqual([['user-1'], ['effect_succeeded', 'operation_completed']]);
  });

  it('I19 while a completion runs no other of the group is settled, and claims pass by', async () => {
    await enqueue(fixture, calls('a', 'b'));
    const [a, b] = await claim(fixture);
    const { settlements } = fixture.storage;
    await settlements.settle(a!, SUCCEEDED);
    const [began, goOn] = [gate(), gate()];
    const completing = settlements.settle(b!, SUCCEEDED, async (group, tx) => {
      began.open();
      await goOn.opened;
      await note(group, tx);
    });
    await began.opened;
    await enqueue(fixture, calls('c'));
    fixture.clock.advance(2 * LEASE_MS);
    // The lease of the one that is being settled is over as well: nobody gets it.
    expect((await claim(fixture)).map(({ ref }) => ref)).toEqual(['"c"']);
    goOn.open();
    expect(await completing).toBe('completed');
    expect(await erased()).toEqual(['user-1']);
  });

  it('I24 what is enqueued while a settlement waits for another of its group is one more to wait for', async () => {
    await enqueue(fixture, calls('a', 'b'));
    const [a, b] = await claim(fixture);
    const { sink, arrived, release } = holdingSink();
    const first = fixture.withSink(sink).settlements.settle(a!, SUCCEEDED);
    await arrived;
    const second = fixture.storage.settlements.settle(b!, SUCCEEDED);
    await lockWaiter(database.backend);
    await enqueue(fixture, calls('c'));
    release();
    expect(await Promise.all([first, second])).toEqual(['settled', 'settled']);
    expect(await fixture.storage.settlements.settle(await claimOne(fixture), SUCCEEDED)).toBe('completed');
  });

  it.each(['before commit', 'after commit'] as const)('a connection lost %s: it succeeds once', async (cut) => {
    const handle = await database.backend.another({ orm: { port: cutter.port } });
    const db = executorOf({ orm: at.orm, handle });
    const now = () => sql`${fixture.clock.now()}`;
    const hints = createNotifier(db, 'durable', () => undefined);
    const there: EffectStorage = sqlEffectStorage(db, database.tables, hints, { now });
    await enqueue(fixture, calls('a'));
    const claimed = await claimOne(fixture);
    const before = cutter.cuts;
    cutter.arm(cut);
    await expect(there.settlements.settle(claimed, SUCCEEDED, note)).rejects.toMatchObject({ transient: true });
    expect(cutter.cuts).toBe(before + 1);
    // Whether it has committed is not known; the lease, and who still holds it, tell.
    fixture.clock.advance(LEASE_MS);
    if (cut === 'after commit') expect(await claim(fixture)).toEqual([]);
    // The row is locked until the server has noticed that nobody is there any more.
    const found = async () => (await claim(fixture))[0];
    const again = cut === 'before commit' ? [await until('it is claimed again', found)] : [];
    for (const one of again) await fixture.storage.settlements.settle(one, SUCCEEDED, note);
    expect(await fixture.storage.settlements.settle(claimed, SUCCEEDED, note)).toBe('lost');
    expect([await erased(), await statuses()]).toEqual([['user-1'], ['succeeded']]);
    expect(await typesOf(fixture)).toEqual(['effect_succeeded', 'operation_completed']);
  });

  it('by the clock of the database', async () => {
    const { storage } = database;
    const now = async () =>
      Number((await database.db.run<{ now: number }>(sql`SELECT ${database.db.dialect.now} AS now`)).rows[0]?.now);
    const before = await now();
    await effectsOn({ storage, clock: fixture.clock }).enqueue({ ...ERASE, calls: calls('a') });
    await claimOne({ storage });
    const [row] = await database.rows();
    expect(row?.dueAt).toBeGreaterThanOrEqual(before + LEASE_MS);
    expect(row?.dueAt).toBeLessThanOrEqual((await now()) + LEASE_MS);
    expect(await claim({ storage })).toEqual([]);
  });
});
