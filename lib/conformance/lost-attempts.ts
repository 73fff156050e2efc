import assert from 'node:assert/strict';
import type { LostAttempt, LostAttempts } from '../worker/lost-attempts.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { alone, claim, newRun, signIn, writeOf } from './run-store.js';

export interface LostAttemptsFixture extends EngineStorageFixture {
  /** On the same storage. */
  lostAttempts: LostAttempts;
}

const lost = (runId: string, attempt: number, fields: Partial<LostAttempt> = {}): LostAttempt => ({
  runId,
  seq: 0,
  attempt,
  worker: `wörker ${attempt}`,
  finishedAt: attempt * 10,
  error: '{"message":"ü"}',
  ...fields,
});

/** Guarantees of the record of attempts whose workers died. */
export const lostAttemptsConformance: ConformanceCase<LostAttemptsFixture>[] = [
  {
    name: 'lost attempts are in the history of their run, and those in a row are counted',
    async run({ storage, clock, lostAttempts }) {
      const at = { ...storage, clock };
      await storage.catalog.create([newRun('a')]);
      await signIn(at);
      const [run] = await claim(at);
      assert.deepEqual(await lostAttempts.record([]), []);
      assert.deepEqual(await lostAttempts.record([lost('a', 1)]), [1]);
      assert.deepEqual(await lostAttempts.record([lost('a', 2, { worker: null }), lost('a', 1, { seq: 5 })]), [2, 1]);
      const failed = { attempt: 3, outcome: 'failed', askedAt: 1, startedAt: 2, finishedAt: 3, worker: 'w' } as const;
      const extras = { attempts: [{ seq: 0, ...failed, error: '{}' }] };
      await storage.store.commit([writeOf(run!, { extras })], alone);
      assert.deepEqual(await lostAttempts.record([lost('a', 4)]), [1]);
      // Again, after its reply was lost.
      assert.deepEqual(await lostAttempts.record([lost('a', 4)]), [1]);
      const attempts = await storage.insight.attempts('a');
      assert.deepEqual(
        attempts.map(({ seq, attempt, outcome, worker }) => [seq, attempt, outcome, worker]),
        [
          [0, 1, 'lost', 'wörker 1'],
          [0, 2, 'lost', null],
          [0, 3, 'failed', 'w'],
          [0, 4, 'lost', 'wörker 4'],
          [5, 1, 'lost', 'wörker 1'],
        ],
      );
      const times = { askedAt: null, startedAt: null, finishedAt: 10 };
      assert.deepEqual(attempts[0], { ...lost('a', 1), outcome: 'lost', ...times });
    },
  },
  {
    name: 'lost attempts of runs that do not exist are dropped',
    async run({ storage, lostAttempts }) {
      await lostAttempts.record([lost('nobody', 1)]);
      assert.deepEqual(await storage.insight.attempts('nobody'), []);
    },
  },
];
