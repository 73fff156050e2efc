import { ManualClock } from '../../../lib/core/time.js';
import type { LostAttempt } from '../../../lib/worker/task-source.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { memoryStorage, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { claim, commit, newRun, signIn, writeOf } from '../conformance/fixtures.js';

type Fixture = Pick<OpenStorage, 'lostAttempts' | 'store' | 'catalog' | 'control' | 'roster'>;

const clock = new ManualClock();
const LEASE_MS = 1_000;

/** What the history of one step says of the workers that it may have ended. */
const cases: { name: string; run(fixture: Fixture): Promise<void> }[] = [
  {
    name: 'counts each lost attempt of workers that never signed in: their names may be the same',
    run: async (fixture) => {
      const { lose } = await begin(fixture);
      expect([await lose(1, 'py'), await lose(2, 'py'), await lose(3, null)]).toEqual([1, 2, 3]);
      expect(await lose(3, null)).toBe(3);
    },
  },
  {
    name: 'counts a process once, and not while it is signed in',
    run: async (fixture) => {
      const { lose, beat } = await begin(fixture);
      for (const id of ['a', 'b']) await beat(id);
      expect(await lose(1, 'a')).toBe(0);
      clock.advance(LEASE_MS);
      expect([await lose(2, 'b'), await lose(3, 'a'), await lose(4, 'py')]).toEqual([2, 2, 3]);
    },
  },
  {
    name: 'counts no process that was there after it had lost the attempt, even if it has ended since',
    run: async (fixture) => {
      const { lose, beat } = await begin(fixture);
      for (const id of ['frozen', 'dead']) await beat(id);
      clock.advance(LEASE_MS);
      expect([await lose(1, 'frozen'), await lose(2, 'dead')]).toEqual([1, 2]);
      clock.advance(1);
      await beat('frozen');
      clock.advance(LEASE_MS);
      expect(await lose(3, 'py')).toBe(2);
      // It is one more time.
      expect(await lose(4, 'frozen')).toBe(3);
    },
  },
  {
    name: 'begins again after an attempt that was not lost',
    run: async (fixture) => {
      const { lose, beat, keep } = await begin(fixture);
      await beat('a');
      clock.advance(LEASE_MS);
      expect([await lose(1, 'a'), await lose(3, 'b')]).toEqual([1, 3]);
      await keep(2);
      expect(await lose(3, 'b')).toBe(1);
    },
  },
];

async function begin(fixture: Fixture) {
  const { lostAttempts, roster, catalog } = fixture;
  await catalog.create([newRun('r')]);
  return {
    /** The attempt has failed by itself. */
    keep: async (attempt: number) => {
      const at = { ...fixture, clock };
      await signIn(at);
      const [run] = await claim(at);
      const times = { askedAt: null, startedAt: null, finishedAt: clock.now() };
      const attempts = [{ seq: 0, attempt, outcome: 'failed' as const, ...times, worker: 'a', error: '{}' }];
      expect(await commit(at, writeOf(run!, { extras: { attempts } }))).toEqual([]);
    },
    beat: (id: string) => roster.beat({ id, namespace: '', roles: 'worker' }, LEASE_MS),
    lose: async (attempt: number, worker: string | null): Promise<number> => {
      const lost: LostAttempt = { runId: 'r', seq: 0, attempt, worker, finishedAt: clock.now(), error: '{}' };
      const [losses] = await lostAttempts.record([lost]);
      return losses!;
    },
  };
}

describe('lost attempts in memory', () => {
  it.each(cases)('$name', ({ run }) => run(memoryStorage(clock)));
});

describeDatabases('lost attempts in SQL', (at) => {
  let backend: OpenBackend;
  let storage: OpenStorage;

  beforeAll(async () => {
    backend = await at.open({ poolMax: 5 });
    storage = await sqlStorage(backend, { clock });
  });
  beforeEach(() =>
    backend.script(['runs', 'step_attempts', 'nodes'].map((table) => `DELETE FROM durable_${table}`).join(';\n')),
  );
  afterAll(async () => {
    await storage.close();
    await backend.close();
  });

  it.each(cases)('$name', ({ run }) => run(storage));
});
