import assert from 'node:assert/strict';
import type { ScheduleRecord, ScheduleStore } from '../../../lib/engine/schedules.js';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { EngineStorageFixture } from './fixtures.js';

const record = (id: string, more: Partial<ScheduleRecord> = {}): ScheduleRecord => ({
  id,
  namespace: '',
  workflow: 'report',
  declared: false,
  spec: '{}',
  input: null,
  paused: false,
  nextAt: null,
  firedAt: null,
  lastRunId: null,
  bufferedAt: null,
  createdAt: 1,
  ...more,
});

/** As it is listed. */
const listed = (...given: Parameters<typeof record>) => ({ ...record(...given), lastStatus: null });

const insert = (store: ScheduleStore, ...records: ScheduleRecord[]) => store.insert(() => records);
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id);
const due = (limit = 10, except: readonly string[] = []) => ({
  namespace: '',
  due: { workflows: ['report', 'other'], except, limit },
});
const look = { namespace: '', workflows: ['report', 'other'], except: [] };

/** Guarantees for schedules of engines. */
export const scheduleStoreConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'late schedules are those whose time has passed for so long, the latest first',
    async run({ storage: { schedules }, clock }) {
      const now = clock.now();
      const [a, b] = [record('a', { nextAt: now - 1_000 }), record('b', { nextAt: now - 2_000 })];
      const others = [record('c', { nextAt: now - 999 }), record('d'), record('e', { nextAt: 1, namespace: 'other' })];
      await insert(schedules, a, b, ...others, record('f', { nextAt: 1, paused: true }));
      assert.deepEqual(await schedules.late('', 1_000, 10), [b, a]);
      assert.deepEqual(await schedules.late('', 1_000, 1), [b]);
    },
  },
  {
    name: 'a schedule is added once, and is read unchanged',
    async run({ storage: { schedules }, clock }) {
      const full = record('a', {
        declared: true,
        spec: '{"t":"ü😀"}',
        input: '"x"',
        nextAt: 2 ** 42,
        firedAt: 5,
        lastRunId: 'a@1',
        bufferedAt: 7,
      });
      let given = 0;
      assert.equal(await schedules.insert((now) => ((given = now), [full, record('b', { paused: true })])), 2);
      assert.equal(given, clock.now());
      assert.equal(await insert(schedules, record('a', { spec: 'other' }), record('c')), 1);
      assert.deepEqual(await schedules.list({ namespace: '' }), [
        { ...full, lastStatus: null },
        listed('b', { paused: true }),
        listed('c'),
      ]);
    },
  },
  {
    name: 'schedules are listed by id, page by page, of one namespace',
    async run({ storage: { schedules } }) {
      await insert(schedules, ...['d', 'a', 'c', 'B'].map((id) => record(id)), record('e', { workflow: 'other' }));
      await insert(schedules, record('a', { namespace: 'eu', declared: true }));
      const list = async (query: object) => idsOf(await schedules.list({ namespace: '', ...query }));
      assert.deepEqual(await list({}), ['B', 'a', 'c', 'd', 'e']);
      assert.deepEqual(await list({ afterId: 'a', limit: 2 }), ['c', 'd']);
      assert.deepEqual(await list({ ids: ['e', 'a', 'x'] }), ['a', 'e']);
      assert.deepEqual(await list({ workflows: ['other'] }), ['e']);
      assert.deepEqual(await list({ declared: true }), []);
      assert.deepEqual(await list({ namespace: 'eu', declared: true }), ['a']);
      assert.equal(await schedules.remove('', ['a', 'B', 'x']), 2);
      assert.deepEqual(await list({}), ['c', 'd', 'e']);
      assert.deepEqual(await list({ namespace: 'eu' }), ['a']);
    },
  },
  {
    name: 'due schedules are locked, the earliest first, and are set to the returned state',
    async run({ storage: { schedules }, clock }) {
      const now = clock.now();
      await insert(schedules, record('late', { nextAt: now }), record('later', { nextAt: now + 1 }), record('never'));
      await insert(
        schedules,
        record('early', { nextAt: now - 9 }),
        record('soon', { nextAt: now - 1, workflow: 'other' }),
      );
      await insert(
        schedules,
        record('foreign', { nextAt: 1, workflow: 'x' }),
        record('far', { nextAt: 1, namespace: 'eu' }),
      );
      const seen: string[][] = [];
      const held = await schedules.change(due(2), async (locked, at) => {
        seen.push(idsOf(locked));
        assert.equal(at, now);
        const [first] = locked;
        return first
          ? [{ ...first, nextAt: null, firedAt: 3, lastRunId: 'r', bufferedAt: 4, paused: true, spec: 'new' }]
          : [];
      });
      assert.equal(held, 2);
      assert.deepEqual(seen, [['early', 'soon']]);
      const [early] = await schedules.list({ namespace: '', ids: ['early'] });
      assert.deepEqual(
        early,
        listed('early', { firedAt: 3, lastRunId: 'r', bufferedAt: 4, paused: true, spec: 'new' }),
      );
      await schedules.change(due(10, ['soon']), async (locked) => (assert.deepEqual(idsOf(locked), ['late']), []));
      assert.equal(await schedules.change(due(10, ['soon', 'late']), async () => assert.fail('nothing is due')), 0);
    },
  },
  {
    name: 'a change that throws is not written',
    async run({ storage: { schedules } }) {
      await insert(schedules, record('a', { nextAt: 1 }));
      const change = schedules.change(due(), async () => {
        throw new Error('no');
      });
      await assert.rejects(change, /no/);
      assert.equal((await schedules.look(look)).at, 1);
    },
  },
  {
    name: 'a locked schedule is locked by only one caller',
    async run({ storage: { schedules } }) {
      await insert(schedules, record('a', { nextAt: 1 }), record('b', { nextAt: 2 }));
      let others: Promise<number>[] = [];
      let inside = 0;
      await schedules.change({ namespace: '', ids: ['a'] }, async ([a]) => {
        inside++;
        others = [1, 2, 3].map(() =>
          schedules.change({ namespace: '', ids: ['a'] }, async ([again]) => {
            inside++;
            return [{ ...again!, firedAt: (again!.firedAt ?? 0) + 1 }];
          }),
        );
        // Time enough for one who does not wait: each of these asks the database as often as that would.
        for (let n = 0; n < 5; n++) await schedules.list({ namespace: '', ids: ['a'] });
        assert.equal(inside, 1);
        return [{ ...a!, firedAt: 10 }];
      });
      assert.deepEqual(await Promise.all(others), [1, 1, 1]);
      assert.equal((await schedules.list({ namespace: '', ids: ['a'] }))[0]?.firedAt, 13);
    },
  },
  {
    name: 'a look returns the next time, and the runs that firings wait for; a list the statuses of last runs',
    async run({ storage: { schedules, catalog, control } }) {
      const run = (id: string) => ({
        id,
        namespace: '',
        workflow: 'report',
        version: 1,
        input: 'null',
        priority: 0,
        delayMs: 0,
      });
      assert.deepEqual(await schedules.look(look), { at: null, buffered: [] });
      await catalog.create([run('open'), { ...run('over'), scheduleId: 'c' }]);
      await control.close('over', 'cancelled', async () => {});
      await insert(schedules, record('a', { nextAt: 50 }), record('b', { nextAt: 30, workflow: 'other' }));
      await insert(schedules, record('c', { nextAt: 40, bufferedAt: 1, lastRunId: 'over' }));
      await insert(
        schedules,
        record('d', { bufferedAt: 1, lastRunId: 'open' }),
        record('e', { bufferedAt: 1, lastRunId: 'x' }),
      );
      await insert(schedules, record('z', { nextAt: 1, bufferedAt: 1, workflow: 'x' }));
      const seen = await schedules.look(look);
      assert.equal(seen.at, 30);
      assert.deepEqual(
        [...seen.buffered].sort((a, b) => (a.id < b.id ? -1 : 1)),
        [
          { id: 'c', runId: 'over', over: true },
          { id: 'd', runId: 'open', over: false },
          { id: 'e', runId: 'x', over: true },
        ],
      );
      assert.deepEqual(await schedules.look({ ...look, except: ['b', 'c', 'd', 'e'] }), { at: 50, buffered: [] });
      await schedules.change({ namespace: '', ids: ['a', 'c', 'd', 'nobody'] }, async (locked) => {
        assert.deepEqual(
          locked.map(({ lastStatus }) => lastStatus),
          [null, 'cancelled', 'pending'],
        );
        return [];
      });
      const found = await schedules.list({ namespace: '', ids: ['a', 'c', 'd', 'e'] });
      assert.deepEqual(
        found.map(({ lastStatus }) => lastStatus),
        [null, 'cancelled', 'pending', null],
      );
      assert.equal((await catalog.find(['over']))[0]?.scheduleId, 'c');
    },
  },
  {
    name: 'changes in a transaction that rolls back have no effect',
    async run({ storage: { schedules }, transaction }) {
      if (!transaction) return;
      await insert(schedules, record('a'), record('b'));
      const work = transaction(async (tx) => {
        assert.equal(await schedules.insert(() => [record('c')], tx), 1);
        assert.equal(await schedules.remove('', ['b'], tx), 1);
        await schedules.change({ namespace: '', ids: ['a'] }, async ([a]) => [{ ...a!, nextAt: 1 }], tx);
        throw new Error('rolled back');
      });
      await assert.rejects(work, /rolled back/);
      assert.deepEqual(await schedules.list({ namespace: '' }), [listed('a'), listed('b')]);
    },
  },
  {
    name: 'listeners are notified of changed plans until they unsubscribe',
    async run({ storage: { schedules } }) {
      let heard = 0;
      const end = schedules.onChanged(() => void heard++);
      const hears = async (work: () => Promise<unknown>) => {
        const before = heard;
        await work();
        assert.ok(heard > before);
      };
      const change = (change: Partial<ScheduleRecord>) =>
        schedules.change({ namespace: '', ids: ['a'] }, async ([a]) => [{ ...a!, ...change }]);
      await hears(() => insert(schedules, record('a')));
      await hears(() => change({ spec: '{"t":1}' }));
      await hears(() => change({ paused: true }));
      await hears(() => change({ bufferedAt: 5 }));
      await hears(() => schedules.remove('', ['a']));
      end();
      const before = heard;
      await insert(schedules, record('b'));
      assert.equal(heard, before);
    },
  },
  {
    name: 'and at the commit, if the transaction belongs to the caller',
    async run({ storage: { schedules }, transaction }) {
      if (!transaction) return;
      let heard = 0;
      const end = schedules.onChanged(() => void heard++);
      await transaction(async (tx) => {
        await schedules.insert(() => [record('a')], tx);
        assert.equal(heard, 0);
      }).finally(end);
      assert.ok(heard > 0);
    },
  },
];
