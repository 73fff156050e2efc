import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { KEEP_LAPSED_MS, MINUTE_MS, MOST_LAPSED, processOf } from '../../../lib/engine/nodes.js';
import type { LostAttempt, LostAttempts } from '../../../lib/worker/task-source.js';
import {
  alone,
  claim,
  claimOf,
  type EngineStorageFixture,
  find,
  ids,
  newRun,
  NODE_LEASE_MS,
  signIn,
  writeOf,
} from './fixtures.js';

const at = ({ storage, clock }: EngineStorageFixture) => ({ ...storage, clock });
const pulse = ({ storage }: EngineStorageFixture, id: string) =>
  storage.roster.pulse({ id, namespace: '', roles: 'engine' }, NODE_LEASE_MS);

/** Guarantees for processes that detect each other's death. */
export const nodeRosterConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a pulse signs in, and returns the time and the owned runs',
    async run(fixture) {
      const here = at(fixture);
      assert.deepEqual(await pulse(fixture, 'node'), {
        now: fixture.clock.now(),
        draining: false,
        owned: [],
        orphans: false,
        lapsed: [],
        nextLapse: Infinity,
        elsewhere: [],
        ended: { count: 0, lastAt: 0 },
      });
      await here.catalog.create([newRun('a'), newRun('b'), newRun('c')]);
      assert.deepEqual(ids(await claim(here, { limit: 3 })).sort(), ['a', 'b', 'c']);
      await here.store.release([claimOf({ id: 'b', epoch: 1 })], false);
      fixture.clock.advance(NODE_LEASE_MS - 1);
      const { owned, now } = await pulse(fixture, 'node');
      assert.equal(now, fixture.clock.now());
      assert.deepEqual(
        owned.sort((a, b) => (a.runId < b.runId ? -1 : 1)),
        [claimOf({ id: 'a', epoch: 1 }), claimOf({ id: 'c', epoch: 1 })],
      );
      fixture.clock.advance(NODE_LEASE_MS - 1);
      assert.equal(await here.roster.reap(10), 0, 'it was renewed');
    },
  },
  {
    name: 'a pulse reports runs whose owners have lapsed or never signed in, as long as there are any',
    async run(fixture) {
      const here = at(fixture);
      await here.catalog.create([newRun('a'), newRun('b')]);
      for (const id of ['x', 'y']) {
        await signIn(here, id);
        assert.equal((await claim(here, { nodeId: id, limit: 1 })).length, 1);
      }
      assert.equal((await pulse(fixture, 'other')).orphans, false);
      await here.roster.leave('y');
      assert.equal((await pulse(fixture, 'other')).orphans, true);
      assert.equal(await here.roster.reap(10), 1);
      assert.equal((await pulse(fixture, 'other')).orphans, false);
      fixture.clock.advance(NODE_LEASE_MS);
      assert.equal((await pulse(fixture, 'other')).orphans, true);
      assert.equal((await pulse(fixture, 'x')).orphans, false, 'it is back');
      assert.deepEqual(
        [await here.roster.reap(10), (await find(here, 'b')).owner !== (await find(here, 'a')).owner],
        [0, true],
      );
    },
  },
  {
    name: 'a pulse tells of nodes with workers that have just lapsed, and not signed off',
    async run({ storage: { roster }, clock, ...fixture }) {
      const lapsed = async () =>
        (await pulse({ storage: { roster }, clock, ...fixture } as EngineStorageFixture, 'w')).lapsed;
      const others = { w: 'worker', w2: 'engine,worker', left: 'worker', engine: 'engine' };
      for (const [id, roles] of Object.entries(others)) await roster.beat({ id, namespace: '', roles }, NODE_LEASE_MS);
      await roster.leave('left');
      assert.deepEqual(await lapsed(), []);
      clock.advance(NODE_LEASE_MS);
      assert.deepEqual(await lapsed(), ['w2']);
      assert.deepEqual(await roster.dead(['w2', 'nobody']), [], 'without sessions nobody knows');
      clock.advance(MINUTE_MS);
      assert.deepEqual(await lapsed(), []);
    },
  },
  {
    name: 'a pulse tells when the next lease of another node ends that has missed a heartbeat',
    async run(fixture) {
      const { roster } = fixture.storage;
      const next = async () => (await pulse(fixture, 'node')).nextLapse;
      const from = fixture.clock.now();
      for (const [id, leaseMs] of Object.entries({ sooner: 4, later: 8 }))
        await roster.beat({ id, namespace: 'other', roles: 'worker' }, leaseMs);
      assert.equal(await next(), Infinity);
      fixture.clock.advance(3);
      assert.equal(await next(), from + 4);
      fixture.clock.advance(2);
      assert.equal(await next(), from + 8);
      await roster.leave('later');
      assert.equal(await next(), Infinity);
    },
  },
  {
    name: 'a pulse tells of the other engines of its namespace that have ended',
    async run(fixture) {
      const { roster } = fixture.storage;
      const ended = async () => (await pulse(fixture, 'node')).ended;
      const others = { left: 'engine,worker', lapses: 'engine', worker: 'worker' };
      for (const [id, roles] of Object.entries(others)) await roster.beat({ id, namespace: '', roles }, NODE_LEASE_MS);
      await roster.beat({ id: 'elsewhere', namespace: 'other', roles: 'engine' }, 1);
      fixture.clock.advance(1);
      assert.deepEqual(await ended(), { count: 0, lastAt: 0 });
      await roster.leave('worker');
      await roster.leave('left');
      const first = { count: 1, lastAt: fixture.clock.now() };
      assert.deepEqual(await ended(), first);
      fixture.clock.advance(NODE_LEASE_MS);
      assert.deepEqual(await ended(), { count: 2, lastAt: fixture.clock.now() - 1 });
      await roster.beat({ id: 'lapses', namespace: '', roles: 'engine' }, NODE_LEASE_MS);
      assert.deepEqual(await ended(), first, 'it is back');
    },
  },
  {
    name: 'a lapsed node may not claim, whether its row still exists or not',
    async run(fixture) {
      const here = at(fixture);
      await signIn(here);
      await here.catalog.create([newRun('a')]);
      fixture.clock.advance(NODE_LEASE_MS + KEEP_LAPSED_MS);
      assert.deepEqual(await claim(here), []);
      await here.roster.strikeOff();
      assert.deepEqual((await here.roster.nodes()).nodes, []);
      assert.deepEqual(await claim(here), []);
      await signIn(here);
      await here.roster.strikeOff();
      assert.deepEqual(ids(await claim(here)), ['a']);
    },
  },
  {
    name: 'a node lives from its beat until its lease ends or it leaves, and an unknown one does not',
    async run(fixture) {
      const { roster } = fixture.storage;
      for (const id of ['stays', 'leaves']) await signIn(at(fixture), id);
      const lives = async () => {
        const asked = ['stays', 'leaves', 'unknown'];
        const living = await roster.living(asked);
        return asked.map((id) => living.includes(id));
      };
      assert.deepEqual(await lives(), [true, true, false]);
      await roster.leave('leaves');
      fixture.clock.advance(NODE_LEASE_MS - 1);
      assert.deepEqual(await lives(), [true, false, false]);
      fixture.clock.advance(1);
      assert.deepEqual(await lives(), [false, false, false]);
    },
  },
  {
    name: 'a node is written down with what it serves, and keeps its start through its beats',
    async run(fixture) {
      const { roster } = fixture.storage;
      assert.deepEqual(await roster.nodes(), { now: fixture.clock.now(), nodes: [] });
      const serves = {
        workflows: { order: [2, 3], 'it "quotes" \\': [1] },
        codes: { order: { 2: 'a', 3: 'b' }, 'it "quotes" \\': { 1: 'c' } },
        groups: { billing: ['charge'] },
        concurrency: 50,
        destinations: ['broker'],
        effects: ['mail'],
      };
      const node = { id: 'api', namespace: 'shop', roles: 'engine,worker,relay,effects', serves };
      const known = { ...node, version: '1.2.3', build: 'abc' };
      const pool = { used: 2, most: null, waiting: 1 };
      const load = { steps: 3, residents: 7, eventLoopP99Ms: 12.5, pool, errors: 2, notifications: 'polling' } as const;
      // What it serves may change, as more handlers are registered.
      const { now: startedAt } = await roster.beat({ ...known, serves: { groups: {} } }, NODE_LEASE_MS);
      fixture.clock.advance(3_000);
      await roster.pulse({ ...known, load: () => load }, NODE_LEASE_MS);
      await roster.beat({ id: 'bare', namespace: '', roles: '' }, 1);
      const { now, nodes } = await roster.nodes();
      const [api, bare] = nodes.map(({ host: _host, pid: _pid, ...rest }) => rest);
      assert.equal(nodes.length, 2);
      assert.deepEqual(
        nodes.map(({ host, pid }) => [host, pid]),
        nodes.map(() => [processOf().host, processOf().pid]),
      );
      assert.deepEqual(api, {
        ...known,
        load,
        draining: null,
        startedAt,
        seenAt: now,
        expiresAt: now + NODE_LEASE_MS,
        leftAt: null,
      });
      const times = { startedAt: now, seenAt: now, expiresAt: now + 1, leftAt: null };
      assert.deepEqual(bare, {
        id: 'bare',
        namespace: '',
        roles: '',
        serves: {},
        load: null,
        draining: null,
        ...times,
      });
    },
  },
  {
    name: 'a live node that is set to drain hears of it at each beat until it is resumed, also once it was gone',
    async run({ storage, clock }) {
      const { roster, acts } = storage;
      const node = { id: 'node', namespace: '', roles: 'engine' };
      const set = (id: string, by: { actor: string; reason: string } | null) =>
        acts.within(undefined, (tx) => roster.setDraining(id, by, tx));
      const heard = async () => [
        (await roster.pulse(node, NODE_LEASE_MS)).draining,
        (await roster.beat(node, NODE_LEASE_MS)).draining,
      ];
      const written = async () => (await roster.nodes()).nodes.find(({ id }) => id === 'node')?.draining;
      await roster.beat({ ...node, id: 'other' }, NODE_LEASE_MS);
      assert.deepEqual(await heard(), [false, false]);
      const ada = { actor: 'ada', reason: 'it "leaks" \\' };
      const since = clock.now();
      assert.equal(await set('node', ada), null);
      assert.deepEqual(await heard(), [true, true]);
      clock.advance(1_000);
      const bob = { actor: 'bob', reason: 'again' };
      assert.deepEqual(await set('node', bob), { since, ...ada });
      assert.deepEqual(await written(), { since, ...bob });
      clock.advance(NODE_LEASE_MS);
      assert.equal(await set('node', ada), undefined, 'its lease has ended');
      assert.deepEqual(await heard(), [true, true], 'it is back');
      assert.equal((await roster.pulse({ ...node, id: 'other' }, NODE_LEASE_MS)).draining, false);
      assert.deepEqual(await set('node', null), { since, ...bob });
      assert.equal(await set('node', null), null);
      assert.deepEqual([await heard(), await written()], [[false, false], null]);
      await roster.leave('node');
      assert.equal(await set('node', ada), undefined, 'it has left');
      assert.equal(await set('unknown', ada), undefined);
    },
  },
  {
    name: 'a node that has left, or died, is remembered for a day, and one that is back is alive',
    async run(fixture) {
      const { roster } = fixture.storage;
      for (const id of ['left', 'dead', 'back']) await signIn(at(fixture), id);
      fixture.clock.advance(1_000);
      await roster.leave('left');
      await roster.leave('back');
      await roster.leave('unknown');
      const left = fixture.clock.now();
      fixture.clock.advance(60_000);
      await signIn(at(fixture), 'back');
      await roster.strikeOff();
      const { now, nodes } = await roster.nodes();
      assert.deepEqual(
        nodes.map(({ id, expiresAt, leftAt }) => [id, expiresAt, leftAt]),
        [
          ['back', now + NODE_LEASE_MS, null],
          ['dead', left - 1_000 + NODE_LEASE_MS, null],
          ['left', left, left],
        ],
      );
      fixture.clock.advance(KEEP_LAPSED_MS - 60_000);
      await roster.strikeOff();
      assert.deepEqual(
        (await roster.nodes()).nodes.map(({ id }) => id),
        ['back', 'dead'],
      );
    },
  },
  {
    name: 'of many nodes that have ended, the last are remembered, and all that are alive',
    async run(fixture) {
      const { roster } = fixture.storage;
      await roster.beat({ id: 'alive', namespace: '', roles: '' }, 600_000);
      for (let n = 0; n <= MOST_LAPSED; n++) await roster.beat({ id: `n${n}`, namespace: '', roles: '' }, 1_000 + n);
      fixture.clock.advance(60_000);
      await roster.strikeOff();
      const { nodes } = await roster.nodes();
      assert.equal(nodes.length, MOST_LAPSED + 1);
      assert.ok(!nodes.some(({ id }) => id === 'n0'));
    },
  },
];

/** Guarantees of what processes have counted. */
export const samplesConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a process has one sample per minute, the first one counts, and samples are read by time',
    async run({ storage: { samples }, clock }) {
      const first = clock.now() - (clock.now() % MINUTE_MS);
      const body = '{"counts":{"run.completed ü😀":1}}';
      const sampleOf = (node: string, text = body, namespace = '') => ({ namespace, node, body: text });
      await samples.write(sampleOf('b'));
      await samples.write(sampleOf('a', '{}'));
      await samples.write(sampleOf('b', '{"late":1}'));
      await samples.write(sampleOf('c', '{}', 'other'));
      clock.advance(MINUTE_MS);
      await samples.write(sampleOf('b', '{}'));
      const query = { namespace: '', from: first, until: first + 2 * MINUTE_MS, limit: 10 };
      const [a, b, later] = [
        { minute: first, node: 'a', body: '{}' },
        { minute: first, node: 'b', body },
        { minute: first + MINUTE_MS, node: 'b', body: '{}' },
      ];
      assert.deepEqual(await samples.range(query), [a, b, later]);
      assert.deepEqual(await samples.range({ ...query, limit: 2 }), [a, b]);
      assert.deepEqual(await samples.range({ ...query, limit: 2, keep: 'last' }), [b, later]);
      assert.deepEqual(await samples.range({ ...query, until: first + MINUTE_MS }), [a, b]);
      assert.deepEqual(await samples.range({ ...query, from: first + 1 }), [later]);
    },
  },
  {
    name: 'old samples are purged, oldest first, in all namespaces',
    async run({ storage: { samples }, clock }) {
      const from = 0;
      for (const [node, namespace] of [
        ['a', ''],
        ['b', 'other'],
        ['c', ''],
      ] as const) {
        await samples.write({ namespace, node, body: '{}' });
        clock.advance(MINUTE_MS);
      }
      assert.equal(await samples.purge(10 * MINUTE_MS, 10), 0);
      clock.advance(10 * MINUTE_MS);
      assert.equal(await samples.purge(10 * MINUTE_MS, 2), 2);
      const left = await samples.range({ namespace: '', from, until: clock.now(), limit: 10 });
      assert.deepEqual(
        left.map(({ node }) => node),
        ['c'],
      );
    },
  },
];

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
      assert.deepEqual(await lostAttempts.record([lost('nobody', 1)]), [undefined]);
      assert.deepEqual(await storage.insight.attempts('nobody'), []);
    },
  },
];
