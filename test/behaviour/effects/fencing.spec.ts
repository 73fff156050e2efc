import { DatabaseError } from '../../../lib/core/errors.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { ClaimedEffect, EffectStorage, Settlement } from '../../../lib/effects/entries.js';
import { sqlEffectStorage } from '../../../lib/effects/entries.sql.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { sql } from '../../../lib/sql/statement.js';
import {
  ABANDONED,
  calls,
  effectsOn,
  failed,
  handler,
  LEASE_MS,
  SUCCEEDED,
} from '../../contract/conformance/effects.js';
import { write } from '../../support/app-transactions.js';
import { describeDatabases } from '../../support/backends.js';
import { type EffectsDatabase, effectsDatabase } from '../../support/effects-database.js';
import { executorOf } from '../../support/engine-storage.js';

const SUBJECTS = 40;
const CALLS = 4;
const PROCESSES = 5;

/** The same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describeDatabases('scenario 17: effects whose leases are shorter than their calls', (at) => {
  let database: EffectsDatabase;
  const clock = new ManualClock();
  const processes: EffectStorage[] = [];

  beforeAll(async () => {
    database = await effectsDatabase(at);
    const id = at.db === 'postgres' ? 'bigserial' : 'bigint AUTO_INCREMENT';
    await database.backend.query(`CREATE TABLE done (id ${id} PRIMARY KEY, subject varchar(40))`);
    for (let n = 0; n < PROCESSES; n++) {
      const db = executorOf({ orm: at.orm, handle: await database.backend.another({ poolMax: 4 }) });
      const hints = createNotifier(db, 'durable', () => undefined);
      processes.push(sqlEffectStorage(db, database.tables, hints, { now: () => sql`${clock.now()}` }));
    }
  });
  afterAll(() => database?.close());

  const count = { settled: 0, lost: 0 };
  /** Who has each entry. */
  const latest = new Map<string, string>();

  /** A connection could not be had in time, or was lost: nobody tells what it came to. */
  function leftToItsLease(error: unknown): void {
    if (!(error instanceof DatabaseError && error.transient)) throw error;
  }

  /** One process that takes what is due, and comes to the end of some of what it holds: late, for the most part. */
  async function turn(storage: EffectStorage, held: ClaimedEffect[], next: () => number): Promise<void> {
    const request = { nodeId: 'p', handlers: [{ ...handler('mail'), attempts: 1_000 }], limit: 6 };
    const claimed = await storage.claims.claim(request);
    for (const { claim } of claimed) latest.set(claim.entryId, claim.token);
    held.push(...claimed);
    const renewed = held.filter(() => next() < 0.1).map(({ claim }) => ({ ...claim, leaseMs: LEASE_MS }));
    await storage.claims.extend(renewed);
    const ended = held.filter(() => next() < 0.25);
    held.splice(0, held.length, ...held.filter((one) => !ended.includes(one)));
    await Promise.all(ended.map((one) => settle(storage, one, outcome(next())).catch(leftToItsLease)));
  }

  function outcome(drawn: number): Settlement {
    if (drawn < 0.7) return SUCCEEDED;
    if (drawn < 0.85) return failed(LEASE_MS / 10);
    if (drawn < 0.93) return { status: 'scheduled', until: clock.now() + LEASE_MS / 5, delayMs: 0 };
    return ABANDONED;
  }

  async function settle({ settlements }: EffectStorage, claimed: ClaimedEffect, settlement: Settlement): Promise<void> {
    const late = latest.get(claimed.claim.entryId) !== claimed.claim.token;
    const settled = await settlements.settle(claimed, settlement, async ({ subject }, tx) => {
      await write(at.orm, tx, `INSERT INTO done (subject) VALUES ('${subject}')`);
    });
    if (late) expect(settled).toBe('lost');
    count[settled === 'lost' ? 'lost' : 'settled']++;
  }

  /** What was given up gets another chance, until all have succeeded. */
  async function untilAllSucceed(next: () => number): Promise<void> {
    const [first] = processes;
    const held = processes.map((): ClaimedEffect[] => []);
    for (let turns = 0; turns < 500; turns++) {
      await Promise.all(processes.map((storage, n) => turn(storage, held[n] ?? [], next)));
      clock.advance(Math.floor(next() * LEASE_MS * 1.5));
      const given = (await first?.insight.listAbandoned(100)) ?? [];
      await first?.requeue.requeue(given.map(({ entryId }) => entryId));
      if ((await first?.insight.statusCounts())?.succeeded === SUBJECTS * CALLS) return;
    }
    throw new Error('They have not all succeeded');
  }

  it('one success for each entry, one completion for each subject, and nothing of those who were late', async () => {
    const [first] = processes;
    const subjects = Array.from({ length: SUBJECTS }, (_, n) => `user-${n}`);
    const refs = Array.from({ length: CALLS }, (_, n) => `ref-${n}`);
    for (const subject of subjects)
      await effectsOn({ storage: first!, clock }).enqueue({ operation: 'erase', subject, calls: calls(...refs) });
    await untilAllSucceed(random(17));

    expect(count.lost).toBeGreaterThan(20);
    const done = await database.backend.query('SELECT subject FROM done ORDER BY id');
    expect(done.map(({ subject }) => subject).sort()).toEqual([...subjects].sort());
    const recorded = await database.backend.query<{ type: string; entry_id: string | null; subject: string }>(
      'SELECT type, entry_id, subject FROM durable_effect_audit',
    );
    const of = (type: string) => recorded.filter((event) => event.type === type);
    expect(of('effect_succeeded')).toHaveLength(SUBJECTS * CALLS);
    expect(new Set(of('effect_succeeded').map(({ entry_id: id }) => id)).size).toBe(SUBJECTS * CALLS);
    expect(new Set(of('operation_completed').map(({ subject }) => subject)).size).toBe(SUBJECTS);
    expect(of('operation_completed')).toHaveLength(SUBJECTS);
    expect(of('effect_requeued')).toHaveLength(of('effect_abandoned').length);
    const rows = await database.rows();
    expect(rows.every(({ status, token, dueAt }) => status === 'succeeded' && token === null && dueAt === null)).toBe(
      true,
    );
  });
});
