import { setTimeout as pause } from 'node:timers/promises';
import type { AbandonedEffect } from '../../../lib/effects/handlers.js';
import { NonRetryableEffectError } from '../../../lib/core/errors.js';
import { write } from '../../support/app-transactions.js';
import { describeDatabases } from '../../support/backends.js';
import { effectsOn, type RunningEffects } from '../../support/effect-runners.js';
import { type EffectsDatabase, effectsDatabase } from '../../support/effects-database.js';
import { gate } from '../../support/gate.js';
import { signedIn } from '../../support/signed-in.js';
import { until } from '../../support/until.js';

const SUBJECTS = 60;
const KILLS = 4;
/** So many calls begin before the next kill and no more, so that there is something left for the last one to hit. */
const CALLS_PER_KILL = 20;

describeDatabases('a runner whose connections are killed', (at) => {
  let database: EffectsDatabase;
  let running: RunningEffects;
  let calls = 0;
  const kills = Array.from({ length: KILLS }, () => gate());
  const told: string[] = [];

  /** All but those of the witness, who looks at the database from outside. */
  async function killConnections(): Promise<void> {
    const { query } = database.backend;
    if (at.db === 'postgres') {
      await query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
         AND pid <> pg_backend_pid() AND query LIKE '%durable_%'`,
      );
      return;
    }
    const rows = await query<{ id: string }>(
      `SELECT id FROM information_schema.processlist
       WHERE db = database() AND id <> connection_id() AND ${signedIn(at.db)}`,
    );
    for (const { id } of rows) await query(`KILL CONNECTION ${id}`).catch(() => undefined);
  }

  beforeAll(async () => {
    database = await effectsDatabase(at);
    await database.backend.query('CREATE TABLE completed (subject VARCHAR(50))');
    database.notifier.start();
    const handlers = {
      crm: async (ref: string) => {
        await kills[Math.floor(calls++ / CALLS_PER_KILL) - 1]?.opened;
        await pause(Math.random() * 20);
        if (ref === 'refused') throw new NonRetryableEffectError('no');
      },
    };
    const erase = async (subject: string, tx: unknown) => {
      await write(at.orm, tx, `INSERT INTO completed VALUES ('${subject}')`);
    };
    running = effectsOn(database.storage, {
      handlers,
      onComplete: { erase },
      onAbandoned: { erase: ({ entryId }: AbandonedEffect) => told.push(entryId) },
      policy: { leaseMs: 5_000, attempts: 100, backoff: { delay: 10 } },
      options: { concurrency: 10, batchSize: 10, pollMs: 100 },
    });
  });
  afterAll(async () => {
    await running?.runner.stop();
    await database?.close();
  });

  it('goes on by itself: each subject completes once, each abandonment is told once', async () => {
    const { effects, runner } = running;
    const refused: string[] = [];
    for (let n = 0; n < SUBJECTS; n++) {
      const refs = ['one', 'two', ...(n % 10 === 0 ? ['refused'] : [])];
      const subject = `person-${n}`;
      const of = refs.map((ref) => ({ handler: 'crm', ref }));
      const ids = await effects.enqueue({ operation: 'erase', subject, calls: of });
      if (n % 10 === 0) refused.push(ids[2]!);
    }
    runner.start();
    for (const kill of kills) {
      const seen = calls;
      await until('something goes on', () => calls > seen);
      await killConnections();
      kill.open();
    }
    const count = SUBJECTS * 2;
    await until(
      'all have ended',
      async () => {
        const open = `SELECT entry_id FROM durable_effects WHERE status NOT IN ('succeeded', 'abandoned')`;
        return (await database.backend.query(open)).length === 0;
      },
      { everyMs: 100 },
    );
    await until('all was told', () => told.length >= refused.length);
    expect([...told].sort()).toEqual([...refused].sort());
    const rows = await database.backend.query<{ subject: string }>('SELECT subject FROM completed');
    const whole = Array.from({ length: SUBJECTS }, (_, n) => `person-${n}`).filter((_, n) => n % 10 !== 0);
    expect(rows.map(({ subject }) => subject).sort()).toEqual(whole.sort());
    const audit = await database.backend.query<{ type: string; n: number | string }>(
      'SELECT type, count(*) AS n FROM durable_effect_audit GROUP BY type ORDER BY type',
    );
    expect(audit.map(({ type, n }) => [type, Number(n)])).toEqual([
      ['effect_abandoned', refused.length],
      ['effect_succeeded', count],
      ['operation_completed', whole.length],
    ]);
  });
});
