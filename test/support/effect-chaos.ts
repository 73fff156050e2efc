import { setTimeout as pause } from 'node:timers/promises';
import { NonRetryableEffectError } from '../../lib/core/errors.js';
import { RetryAfterError } from '../../lib/core/run-errors.js';
import type { EffectStorage } from '../../lib/effects/entries.js';
import { sqlEffectStorage } from '../../lib/effects/entries.sql.js';
import { type AbandonedEffect, scheduleUntil } from '../../lib/effects/handlers.js';
import { createNotifier } from '../../lib/sql/notifier.js';
import { write } from './app-transactions.js';
import type { Backend } from './backends.js';
import { type Call, effectsOn, type RunningEffects } from './effect-runners.js';
import type { EffectsDatabase } from './effects-database.js';
import { executorOf } from './engine-storage.js';

export const HANDLERS = ['crm', 'mail', 'billing'];
/** Shorter than most calls. */
const LEASE_MS = 60;
const CALL_MS = 150;

/** Processes with faults of every kind, and what they did. */
export interface Chaos {
  readonly runners: RunningEffects[];
  /** Ids of entries whose abandonment was told, as often as it was. */
  readonly told: string[];
  /** What was not written, since the claim did not hold. */
  readonly lost: () => number;
  /** From now on nothing goes wrong. */
  calm(): void;
  stop(): Promise<void>;
}

/** The same numbers for the same seed, though not for the same calls. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A process that does not notice for a while that it stands still, as its renewals say they were made; and a database that refuses. */
function faulty(storage: EffectStorage, next: () => number, isCalm: () => boolean): EffectStorage {
  const { claims, settlements } = storage;
  const standing = Object.create(claims) as typeof claims;
  standing.extend = async (held) =>
    !isCalm() && next() < 0.6 ? held.map((claim) => ({ ...claim, renewed: true })) : claims.extend(held);
  return {
    ...storage,
    claims: standing,
    settlements: {
      settle: async (...given) => {
        if (!isCalm() && next() < 0.05) throw new Error('refused');
        return settlements.settle(...given);
      },
    },
  };
}

const callOf =
  (next: () => number, isCalm: () => boolean): Call =>
  async () => {
    if (isCalm()) return undefined;
    await pause(next() * CALL_MS);
    const drawn = next();
    if (drawn < 0.15) throw new Error('away');
    if (drawn < 0.2) throw new RetryAfterError(Math.floor(next() * 20));
    if (drawn < 0.25) return scheduleUntil(Date.now() + next() * 50);
    if (drawn < 0.27) throw new NonRetryableEffectError('for good');
    return undefined;
  };

/** Starts so many runners with pools of their own on one database, and the listeners that a test looks for. */
export async function effectChaos(at: Backend, database: EffectsDatabase, processes: number): Promise<Chaos> {
  let calm = false;
  let lost = 0;
  const told: string[] = [];
  const isCalm = () => calm;
  const next = random(17);
  const erase = async (subject: string, tx: unknown) => {
    await write(at.orm, tx, `INSERT INTO completed VALUES ('${subject}')`);
    if (!calm && next() < 0.1) throw new Error('the completion fails');
  };
  const runners: RunningEffects[] = [];
  const notifiers: { stop(): Promise<void> }[] = [];
  for (let n = 0; n < processes; n++) {
    const db = executorOf({ orm: at.orm, handle: await database.backend.another({ poolMax: 6 }) });
    const notifier = createNotifier(db, 'durable', () => undefined);
    notifier.start();
    notifiers.push(notifier);
    const runner = effectsOn(faulty(sqlEffectStorage(db, database.tables, notifier), next, isCalm), {
      handlers: Object.fromEntries(HANDLERS.map((name) => [name, callOf(next, isCalm)])),
      policy: { attempts: 6, leaseMs: LEASE_MS, backoff: { delay: 5, maxDelay: 20 } },
      onComplete: { erase },
      onAbandoned: { erase: ({ entryId }: AbandonedEffect) => told.push(entryId) },
      options: { concurrency: 20, batchSize: 10 },
    });
    runner.telemetry.on('effects.lease-lost', () => lost++);
    runners.push(runner);
  }
  for (const { runner } of runners) runner.start();
  return {
    runners,
    told,
    lost: () => lost,
    calm: () => void (calm = true),
    stop: async () => {
      await Promise.all(runners.map(({ runner }) => runner.stop()));
      await Promise.all(notifiers.map((notifier) => notifier.stop()));
    },
  };
}
