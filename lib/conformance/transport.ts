import assert from 'node:assert/strict';
import { groupOf, stepIdOf, type StepTask } from '../core/protocol.js';
import type { ManualClock } from '../core/time.js';
import type { TaskDispatcher } from '../engine/tasks.js';
import {
  type AnswerLeases,
  type ClaimedTask,
  type ClaimRequest,
  type TaskReport,
  type TaskSource,
} from '../worker/task-source.js';
import { LAPSED_MS, type TasksQuery, type WaitingCursor, type WaitingTasks } from '../worker/waiting-tasks.js';
import { UnclaimedTasks } from '../worker/worker.js';
import { type ConformanceCase, valuesOf } from './case.js';

/** Both halves of one transport, over empty storage whose clock is `clock`. */
export interface TransportFixture {
  dispatcher: TaskDispatcher;
  source: TaskSource;
  leases: AnswerLeases;
  clock: ManualClock;
}

/** Rows as programs in other languages write and read them. */
export interface ForeignRows {
  insert(table: 'tasks' | 'results', row: Record<string, string | number | null>): Promise<void>;
  select(table: 'tasks' | 'results'): Promise<Record<string, unknown>[]>;
}

export type SharedTablesFixture = TransportFixture & { foreign: ForeignRows };

export const LEASE_MS = 30_000;

export const taskOf = (seq: number, fields: Partial<StepTask> = {}): StepTask => {
  const { runId = 'run', name = 'charge' } = fields;
  return {
    runId,
    seq,
    name,
    stepId: stepIdOf(runId, seq),
    group: groupOf(name),
    input: '{"n":1}',
    attempt: 1,
    ...fields,
  };
};

export const claim = (
  { source }: Pick<TransportFixture, 'source'>,
  { groups = ['charge'], names, limit = 10, quota = limit, workerId = 'w1' }: ClaimOptions = {},
): Promise<ClaimedTask[]> =>
  source.claim({
    workerId,
    groups: groups.map((group) => ({ group, limit: quota })),
    names: names ?? groups,
    limit,
    leaseMs: LEASE_MS,
  } satisfies ClaimRequest);

export interface ClaimOptions {
  groups?: string[];
  names?: string[];
  limit?: number;
  /** Per group. */
  quota?: number;
  workerId?: string;
}

export const reportOf = (task: ClaimedTask, fields: Partial<TaskReport> = {}): TaskReport => ({
  claim: task.claim,
  runId: task.runId,
  seq: task.seq,
  attempt: task.attempt,
  status: 'completed',
  output: '"done"',
  error: null,
  startedAt: task.claim.claimedAt,
  ...fields,
});

export const first = async (claiming: Promise<ClaimedTask[]>): Promise<ClaimedTask> => {
  const [task, ...others] = await claiming;
  assert.ok(task, 'a task was expected');
  assert.equal(others.length, 0);
  return task;
};

/** Tasks that are offered to a worker of this process, and those that it has begun, with the time of their claim. */
function offered(
  { dispatcher, source, clock }: TransportFixture,
  tasks: readonly StepTask[],
  isAccepted: (task: StepTask) => boolean = () => true,
) {
  const begun: [seq: number, at: number | undefined][] = [];
  const stop = source.onOffers?.((task) =>
    isAccepted(task)
      ? {
          claimedBy: `w0#a.${task.seq}`,
          begin: (claimedAt) => void begun.push([task.seq, claimedAt]),
          end: () => undefined,
        }
      : undefined,
  );
  const end = dispatcher.offer?.(tasks, clock.now());
  stop?.();
  return { end, begun };
}

export const seqs = (rows: readonly { seq: number }[]): number[] => valuesOf('seq', rows);

/** A claim may start after tasks that were claimed before: tasks that become free there are found anyway. */
const transportOlderTasksConformance: ConformanceCase<TransportFixture>[] = [
  {
    name: 'groups are listed page by page, with what waits, what is in hand, and what nobody renews',
    async run(at) {
      const groups = (query: object = {}) => at.source.groups?.({ after: '', limit: 10, atMost: 10, ...query });
      // A transport may omit it.
      if (!(await groups())) return;
      const from = at.clock.now();
      await at.dispatcher.dispatch([taskOf(0, { group: 'ü' }), taskOf(1, { group: 'ü' }), taskOf(2, { group: 'b' })]);
      const [lost] = await claim(at, { groups: ['ü'], names: ['charge'], limit: 1 });
      at.clock.advance(LAPSED_MS - 1_000);
      await at.dispatcher.dispatch([taskOf(3, { group: 'b' })]);
      const [held] = await claim(at, { groups: ['b'], names: ['charge'], limit: 1 });
      at.clock.advance(1_000);
      assert.ok(lost && held);
      const b = { group: 'b', waiting: 1, since: from + LAPSED_MS - 1_000, inHand: 1, lapsed: 0, more: false };
      const ue = { group: 'ü', waiting: 1, since: from, inHand: 0, lapsed: 1, more: false };
      assert.deepEqual(await groups(), [b, ue]);
      assert.deepEqual(await groups({ limit: 1 }), [b]);
      assert.deepEqual(await groups({ after: 'b' }), [ue]);
      assert.deepEqual(valuesOf('more', (await groups({ atMost: 1 }))!), [true, true]);
      assert.deepEqual(await groups({ after: 'ü' }), []);
      const idle = (group: string) => ({ group, waiting: 0, since: null, inHand: 0, lapsed: 0, more: false });
      const also = ['a', 'b', 'c'];
      assert.deepEqual(await groups({ also }), [idle('a'), b, idle('c'), ue]);
      assert.deepEqual(await groups({ also, limit: 2 }), [idle('a'), b]);
      assert.deepEqual(await groups({ also, after: 'b', limit: 1 }), [idle('c')]);
    },
  },
  {
    name: 'tasks are listed page by page, by each filter and by all of them together',
    async run(at) {
      const list = at.source.list?.bind(at.source);
      // A transport may omit it.
      if (!list) return;
      const seqsOf = async (query: Partial<TasksQuery> = {}): Promise<number[][]> => {
        const { tasks, next } = await list({ olderThanMs: 0, limit: 10, ...query });
        const others = next ? await seqsOf({ ...query, after: next }) : [];
        return [tasks.map(({ seq }) => seq), ...others];
      };
      const from = at.clock.now();
      await at.dispatcher.dispatch([taskOf(0, { group: 'ü' }), taskOf(1, { group: 'ü' }), taskOf(2, { group: 'b' })]);
      await claim(at, { groups: ['ü'], names: ['charge'], limit: 1, workerId: 'w' });
      at.clock.advance(LAPSED_MS);
      await at.dispatcher.dispatch([taskOf(3, { group: 'b', name: 'refund' }), taskOf(4, { group: 'b' })]);
      // The name of one worker may begin with the mark of another.
      await claim(at, { groups: ['b'], names: ['refund'], limit: 1, workerId: 'w#1' });
      assert.deepEqual(await seqsOf(), [[2, 3, 4, 0, 1]]);
      assert.deepEqual(await seqsOf({ limit: 2 }), [[2, 3], [4, 0], [1]]);
      assert.deepEqual(await seqsOf({ group: 'b' }), [[2, 3, 4]]);
      assert.deepEqual(await seqsOf({ group: 'b', limit: 1 }), [[2], [3], [4]]);
      assert.deepEqual(await seqsOf({ name: 'refund' }), [[3]]);
      assert.deepEqual(await seqsOf({ worker: 'w' }), [[0]]);
      assert.deepEqual(await seqsOf({ worker: 'w#1' }), [[3]]);
      assert.deepEqual(await seqsOf({ status: 'waiting' }), [[2, 4, 1]]);
      assert.deepEqual(await seqsOf({ status: 'inHand' }), [[3]]);
      assert.deepEqual(await seqsOf({ status: 'lapsed', worker: 'w', name: 'charge', group: 'ü' }), [[0]]);
      assert.deepEqual(await seqsOf({ olderThanMs: 1 }), [[2, 0, 1]]);
      assert.deepEqual(await seqsOf({ group: 'none' }), [[]]);
      const [refund] = (await list({ name: 'refund', olderThanMs: 0, limit: 1 })).tasks;
      const { stepId, runId } = taskOf(3);
      const asked = { stepId, runId, seq: 3, name: 'refund', group: 'b', attempt: 1, createdAt: from + LAPSED_MS };
      assert.deepEqual(refund, { ...asked, status: 'inHand', worker: 'w#1', claimedAt: from + LAPSED_MS });
    },
  },
  {
    name: 'an expired task is found even if newer ones were claimed since',
    async run(at) {
      await dispatchTwo(at);
      const [, newer] = await claim(at);
      at.clock.advance(LEASE_MS + 1);
      await at.source.extend([newer!.claim]);
      assert.deepEqual(seqs(await claim(at, { workerId: 'w2' })), [1]);
    },
  },
  {
    name: 'a released task is found at once even if newer ones were claimed since',
    async run(at) {
      const stop = at.source.onTasks(() => {});
      try {
        await dispatchTwo(at);
        const [older, newer] = await claim(at);
        await at.source.release([older!.claim]);
        assert.deepEqual(seqs(await claim(at, { workerId: 'w2' })), [1]);
        assert.deepEqual(await at.source.report([reportOf(newer!)]), [true]);
      } finally {
        stop();
      }
    },
  },
];

async function dispatchTwo({ dispatcher, clock }: TransportFixture): Promise<void> {
  await dispatcher.dispatch([taskOf(1)]);
  clock.advance(100);
  await dispatcher.dispatch([taskOf(2)]);
}

/** A look from the beginning. */
const waiting = async ({ source }: TransportFixture, groups?: string[]): Promise<WaitingTasks[]> => {
  const { tasks } = await source.waiting({ olderThanMs: 30_000, cursor: undefined, ...(groups && { groups }) });
  return tasks.sort((a, b) => (`${a.group}:${a.name}` < `${b.group}:${b.name}` ? -1 : 1));
};

const LOOK_MS = 15_000;

/** Looks at once and then every 15 s; returns the names that were reported, look by look. */
async function reports(at: TransportFixture, looks: number, between: () => Promise<unknown>): Promise<string[][]> {
  const unclaimed = new UnclaimedTasks({ source: at.source, clock: at.clock });
  const found: string[][] = [];
  for (let look = 0; look < looks; look++) {
    if (look > 0) {
      await between();
      at.clock.advance(LOOK_MS);
    }
    found.push((await unclaimed.look(30_000)).map(({ name, runId }) => `${name} of ${runId}`).sort());
  }
  return found;
}

/** Guarantees for whoever looks for tasks that nobody begins. */
const waitingTasksConformance: ConformanceCase<TransportFixture>[] = [
  {
    name: 'tasks that wait are found in any group, by name, with the oldest that nobody has claimed',
    async run(at) {
      await at.dispatcher.dispatch([
        taskOf(1, { name: 'new', group: 'g' }),
        taskOf(2, { name: 'new', group: 'g' }),
        taskOf(3, { name: 'old', group: 'g' }),
        taskOf(4, { name: 'old', group: 'g' }),
        taskOf(5, { name: 'x', group: 'h' }),
      ]);
      const since = at.clock.now();
      at.clock.advance(29_999);
      assert.deepEqual(await waiting(at), []);
      await at.dispatcher.dispatch([taskOf(6, { name: 'newer', group: 'g' }), taskOf(7, { name: 'y', group: 'i' })]);
      at.clock.advance(1);
      const [held] = await claim(at, { groups: ['g'], names: ['old'], limit: 1 });
      const [oldest, runId, attempt] = [(seq: number) => taskOf(seq).stepId, taskOf(1).runId, 1];
      const found = (name: string, group: string, seq: number, more: Partial<WaitingTasks>) => ({
        name,
        group,
        count: 1,
        isClaimed: false,
        oldest: { stepId: oldest(seq), runId, attempt },
        since,
        waitedMs: 30_000,
        ...more,
      });
      const other = held!.seq === 3 ? 4 : 3;
      const expected = [
        found('new', 'g', 1, { count: 2 }),
        found('old', 'g', other, { isClaimed: true }),
        found('x', 'h', 5, {}),
      ];
      assert.deepEqual(await waiting(at), expected);
      assert.deepEqual(await waiting(at, ['h', 'i']), expected.slice(2));
    },
  },
  {
    name: 'a task still waits until it is claimed, reported, withdrawn, or sent again at another attempt',
    async run(at) {
      await at.dispatcher.dispatch([1, 2, 3, 4, 5].map((seq) => taskOf(seq)));
      const asked = [1, 2, 3, 4, 5, 6].map((seq) => ({ stepId: taskOf(seq).stepId, attempt: 1 }));
      assert.deepEqual(await at.source.stillWaiting(asked), asked.slice(0, 5));
      const [first, second] = await claim(at, { limit: 2 });
      await at.source.report([reportOf(first!)]);
      const free = asked.filter(({ stepId }) => ![first!.stepId, second!.stepId].includes(stepId)).slice(0, 3);
      assert.deepEqual(await at.source.stillWaiting(asked), free);
      await at.dispatcher.withdraw([free[0]!.stepId]);
      await at.dispatcher.dispatch([{ ...taskOf(Number(free[1]!.stepId.split(':').at(-1))), attempt: 2 }]);
      assert.deepEqual(await at.source.stillWaiting(asked), [free[2]]);
      assert.deepEqual(await at.source.stillWaiting([]), []);
      await at.source.release([second!.claim]);
      const left = (await at.source.stillWaiting(asked)).map(({ stepId }) => stepId).sort();
      assert.deepEqual(left, [second!.stepId, free[2]!.stepId].sort());
    },
  },
  {
    name: 'tasks are reported when nobody has begun the oldest one from one look to the next',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1, { name: 'a', group: 'g' }), taskOf(2, { name: 'b', group: 'h' })]);
      at.clock.advance(LOOK_MS);
      const named = ['a', 'b'].map((name) => `${name} of ${taskOf(1).runId}`);
      assert.deepEqual(await reports(at, 2, async () => undefined), [[], named]);
    },
  },
  {
    name: 'tasks that somebody begins are not reported, although they wait for long and none is claimed at a look',
    async run(at) {
      await at.dispatcher.dispatch(Array.from({ length: 20 }, (_, n) => taskOf(n, { name: 'slow', group: 'g' })));
      at.clock.advance(60_000);
      const one = async () => {
        const [task] = await claim(at, { groups: ['g'], names: ['slow'], limit: 1 });
        await at.source.report([reportOf(task!)]);
      };
      assert.deepEqual((await reports(at, 6, one)).flat(), []);
    },
  },
  {
    name: 'tasks behind older ones of their group that somebody begins are not reported before it is their turn',
    async run(at) {
      await at.dispatcher.dispatch(Array.from({ length: 8 }, (_, n) => taskOf(n, { name: 'extract', group: 'g' })));
      at.clock.advance(1);
      await at.dispatcher.dispatch([taskOf(100, { name: 'transform', group: 'g' })]);
      at.clock.advance(60_000);
      const begin = async (limit: number) => {
        const tasks = await claim(at, { groups: ['g'], names: ['extract'], limit });
        await at.source.report(tasks.map((task) => reportOf(task)));
      };
      assert.deepEqual((await reports(at, 6, () => begin(1))).flat(), []);
      await begin(8);
      assert.deepEqual((await reports(at, 2, async () => undefined)).flat(), [`transform of ${taskOf(1).runId}`]);
    },
  },
  {
    name: 'nothing stays hidden: looks that go on come to all groups, and to all tasks of a group',
    async run(at) {
      const groups = Array.from({ length: 130 }, (_, n) =>
        taskOf(n, { name: 'x', group: `g${String(n).padStart(3, '0')}` }),
      );
      const crowd = Array.from({ length: 250 }, (_, n) => taskOf(1_000 + n, { name: 'many', group: 'a' }));
      await at.dispatcher.dispatch(groups);
      await at.dispatcher.dispatch(crowd);
      at.clock.advance(1);
      await at.dispatcher.dispatch([taskOf(2_000, { name: 'last', group: 'a' })]);
      at.clock.advance(30_000);
      const seen = new Set<string>();
      let cursor: WaitingCursor | undefined;
      for (let look = 0; look < 60 && seen.size < 132; look++) {
        const page = await at.source.waiting({ olderThanMs: 30_000, cursor });
        for (const { group, name } of page.tasks) seen.add(`${group} ${name}`);
        cursor = page.cursor;
      }
      assert.equal(seen.size, 132);
      assert.ok(seen.has('a last'));
    },
  },
];

/** Guarantees of every transport about tasks: dispatch, claim, extend, release, and their fences. */
export const transportTasksConformance: ConformanceCase<TransportFixture>[] = [
  ...transportOlderTasksConformance,
  ...waitingTasksConformance,
  {
    name: 'a task arrives as it was dispatched, once',
    async run(at) {
      const task = taskOf(7, { input: '{"a":[1,"ü😀",null,"\\u0000"]}', attempt: 3, name: 'Pay:Now', group: 'pay@eu' });
      await at.dispatcher.dispatch([task]);
      const {
        claim: lease,
        reclaimed,
        waitedMs = 0,
        ...arrived
      } = await first(claim(at, { groups: ['pay@eu'], names: ['Pay:Now'] }));
      assert.deepEqual(arrived, task);
      assert.equal(reclaimed, false);
      assert.ok(waitedMs >= 0, 'it was not claimed before it was due');
      assert.equal(lease.stepId, task.stepId);
      assert.equal(lease.claimedAt, at.clock.now());
      assert.deepEqual(await claim(at, { groups: ['pay@eu'], names: ['Pay:Now'], workerId: 'w2' }), []);
    },
  },
  {
    name: 'an empty list of tasks is no error',
    async run({ dispatcher }) {
      await dispatcher.dispatch([]);
    },
  },
  {
    name: 'claims exactly the limit, the oldest first',
    async run(at) {
      for (let seq = 0; seq < 12; seq++) {
        await at.dispatcher.dispatch([taskOf(seq)]);
        at.clock.advance(1);
      }
      assert.deepEqual(seqs(await claim(at, { limit: 5 })), [0, 1, 2, 3, 4]);
      assert.deepEqual(seqs(await claim(at, { limit: 5 })), [5, 6, 7, 8, 9]);
      assert.deepEqual(seqs(await claim(at, { limit: 5 })), [10, 11]);
    },
  },
  {
    name: 'claims from many groups at once, from each at most its limit',
    async run(at) {
      const groups = ['a', 'b', 'c'];
      await at.dispatcher.dispatch(groups.flatMap((name, i) => [0, 1, 2, 3].map((n) => taskOf(10 * i + n, { name }))));
      const tasks = await claim(at, { groups, quota: 3, limit: 7 });
      assert.equal(tasks.length, 7);
      for (const group of groups) assert.ok(tasks.filter((task) => task.group === group).length <= 3);
      assert.equal((await claim(at, { groups, quota: 4, limit: 100 })).length, 5);
    },
  },
  {
    name: 'groups and names match exactly: case, accents, spaces, prefixes',
    async run(at) {
      const names = ['Charge', 'charge', 'chargé', 'charge ', 'charge@eu', 'char'];
      await at.dispatcher.dispatch(names.map((name, seq) => taskOf(seq, { name, group: name })));
      assert.deepEqual(valuesOf('group', await claim(at, { groups: ['charge'] })), ['charge']);
      assert.deepEqual(valuesOf('name', await claim(at, { groups: ['charge '] })), ['charge ']);
      assert.deepEqual(await claim(at, { groups: ['chargé'], names: ['charge'] }), []);
      assert.deepEqual(await claim(at, { groups: ['%', 'Char'] }), []);
    },
  },
  {
    name: 'does not claim tasks of other names in the group',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1, { name: 'new', group: 'g' }), taskOf(2, { name: 'old', group: 'g' })]);
      assert.deepEqual(seqs(await claim(at, { groups: ['g'], names: ['old'], limit: 1 })), [2]);
      assert.deepEqual(seqs(await claim(at, { groups: ['g'], names: ['new'] })), [1]);
    },
  },
  {
    name: '20 concurrent claims: no task twice, none left, no limit exceeded',
    async run(at) {
      await at.dispatcher.dispatch(Array.from({ length: 200 }, (_, seq) => taskOf(seq)));
      const claimed: number[] = [];
      const work = async (workerId: string): Promise<void> => {
        for (;;) {
          const tasks = await claim(at, { workerId, limit: 7 });
          assert.ok(tasks.length <= 7, `${tasks.length} tasks`);
          claimed.push(...seqs(tasks));
          if (claimed.length >= 200) return;
        }
      };
      await Promise.all(Array.from({ length: 20 }, (_, n) => work(`w${n}`)));
      assert.equal(new Set(claimed).size, 200);
      assert.equal(claimed.length, 200);
    },
  },
  {
    name: 'P3: a task whose lease expired is claimed by another worker with the next attempt, and the old claim is fenced',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1)]);
      const old = await first(claim(at, { workerId: 'w1' }));
      at.clock.advance(LEASE_MS);
      assert.deepEqual(await claim(at, { workerId: 'w2' }), []);
      at.clock.advance(1);
      const next = await first(claim(at, { workerId: 'w2' }));
      assert.equal(next.attempt, 2);
      assert.equal(next.reclaimed, true);
      assert.deepEqual(await at.source.extend([old.claim]), []);
      assert.deepEqual(await at.source.report([reportOf(old)]), [false]);
      await at.source.release([old.claim]);
      assert.deepEqual(await claim(at, { workerId: 'w3' }), []);
      assert.deepEqual((await at.dispatcher.peek(10)).answers, []);
      assert.deepEqual(await at.source.report([reportOf(next)]), [true]);
    },
  },
  {
    name: 'P3: a worker that claims its own lost task again cannot use the old claim',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1)]);
      const old = await first(claim(at));
      at.clock.advance(LEASE_MS + 1);
      await at.dispatcher.dispatch([taskOf(2)]);
      const [next, other] = (await claim(at)).sort((a, b) => a.seq - b.seq);
      assert.ok(next && other);
      // Nor together with one from the same claim.
      assert.equal((await at.source.extend([old.claim, other.claim])).length, 1);
      assert.deepEqual(await at.source.report([old, other].map((task) => reportOf(task))), [false, true]);
      assert.deepEqual(await at.source.extend([old.claim]), []);
      assert.deepEqual(await at.source.report([reportOf(next)]), [true]);
    },
  },
  {
    name: 'a higher priority goes before tasks that were sent that many seconds earlier; a low one hides no other tasks',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), { ...taskOf(2), priority: -5 }]);
      at.clock.advance(9_000);
      await at.dispatcher.dispatch([{ ...taskOf(3), priority: 10 }, taskOf(4), { ...taskOf(5), priority: -1_000 }]);
      const order: number[] = [];
      for (let n = 0; n < 5; n++) order.push((await first(claim(at, { limit: 1 }))).seq);
      assert.deepEqual(order, [3, 1, 2, 4, 5]);
      await at.dispatcher.dispatch([taskOf(6)]);
      assert.equal((await first(claim(at, { limit: 1 }))).seq, 6);
    },
  },
  {
    name: 'an extended lease starts anew, and only held claims are extended',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(2), taskOf(3)]);
      const claims = (await claim(at)).map((task) => task.claim);
      await at.source.report([
        reportOf({ ...taskOf(2), reclaimed: false, claim: claims.find(({ stepId }) => stepId === 'run:2')! }),
      ]);
      at.clock.advance(LEASE_MS);
      const extended = await at.source.extend(claims);
      assert.deepEqual(extended.map(({ stepId }) => stepId).sort(), ['run:1', 'run:3']);
      at.clock.advance(LEASE_MS);
      assert.deepEqual(await claim(at, { workerId: 'w2' }), []);
      const again = await at.source.extend(extended);
      assert.equal(again.length, 2);
      at.clock.advance(LEASE_MS + 1);
      assert.equal((await claim(at, { workerId: 'w2' })).length, 2);
    },
  },
  {
    name: 'returns the lost claims, without changing any lease',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(2), taskOf(3), taskOf(4), taskOf(5)]);
      const tasks = await claim(at);
      const claims = tasks.map((task) => task.claim);
      const lost = async () => (await at.source.lostClaims(claims)).map(({ stepId }) => stepId).sort();
      assert.deepEqual(await lost(), []);
      await at.dispatcher.withdraw(['run:1']);
      await at.source.report(tasks.filter(({ seq }) => seq === 2).map((task) => reportOf(task)));
      await at.dispatcher.dispatch([taskOf(3, { attempt: 2 })]);
      assert.deepEqual(await lost(), ['run:1', 'run:2', 'run:3']);
      at.clock.advance(LEASE_MS);
      // Compares the stamp known so far: a renewal in between only increases it.
      assert.equal((await at.source.extend(claims.filter(({ stepId }) => stepId === 'run:4'))).length, 1);
      assert.deepEqual(await lost(), ['run:1', 'run:2', 'run:3']);
      at.clock.advance(1);
      assert.deepEqual(seqs(await claim(at, { workerId: 'w2' })).sort(), [3, 5]);
      assert.deepEqual(await lost(), ['run:1', 'run:2', 'run:3', 'run:5']);
      assert.deepEqual(await at.source.lostClaims([]), []);
    },
  },
  {
    name: 'a released task may be claimed at once, at the same attempt',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(2)]);
      const tasks = await claim(at);
      await at.source.release(tasks.map((task) => task.claim));
      const again = await claim(at, { workerId: 'w2' });
      assert.deepEqual(
        again.map(({ attempt, reclaimed }) => ({ attempt, reclaimed })),
        Array(2).fill({ attempt: 1, reclaimed: false }),
      );
      assert.deepEqual(await at.source.extend(tasks.map((task) => task.claim)), []);
    },
  },
  {
    name: 'T3, T4: a higher attempt replaces the row and frees it; the same or a lower one changes nothing',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1, { input: '"one"' })]);
      const zombie = await first(claim(at));
      await at.dispatcher.dispatch([taskOf(1, { input: '"same"' })]);
      assert.deepEqual(await claim(at, { workerId: 'w2' }), []);
      at.clock.advance(5);
      await at.dispatcher.dispatch([taskOf(1, { input: '"two"', attempt: 2 })]);
      assert.deepEqual(await at.source.extend([zombie.claim]), []);
      assert.deepEqual(await at.source.report([reportOf(zombie)]), [false]);
      const next = await first(claim(at, { workerId: 'w2' }));
      assert.deepEqual([next.attempt, next.input, next.reclaimed], [2, '"two"', false]);
      await at.dispatcher.dispatch([taskOf(1, { input: '"late"', attempt: 1 })]);
      assert.deepEqual(await at.source.report([reportOf(next)]), [true]);
    },
  },
  {
    name: 'a task that a worker of this process accepts arrives as claimed, and begins with its dispatch',
    async run(at) {
      const [task, other] = [taskOf(1), taskOf(2)];
      const { end, begun } = offered(at, [task, other], ({ seq }) => seq === 1);
      // A transport may omit it.
      if (!end) return;
      await at.dispatcher.dispatch([task, other]);
      end();
      assert.deepEqual(begun, [[1, at.clock.now()]]);
      assert.deepEqual(seqs(await claim(at)), [2]);
      const held = { stepId: task.stepId, claimedBy: 'w0#a.1', claimedAt: at.clock.now() };
      at.clock.advance(LEASE_MS - 1);
      const [claimed] = await at.source.extend([held]);
      assert.deepEqual(claimed, { ...held, claimedAt: at.clock.now() });
      at.clock.advance(LEASE_MS + 1);
      const [lost] = (await claim(at, { workerId: 'w2' })).filter(({ seq }) => seq === 1);
      assert.deepEqual([lost?.attempt, lost?.reclaimed, lost?.lostBy], [2, true, 'w0']);
    },
  },
  {
    name: 'an offer that has ended before its dispatch is none: anybody may claim the task, and nobody looks for it',
    async run(at) {
      const task = taskOf(1);
      const { end, begun } = offered(at, [task]);
      end?.();
      await at.dispatcher.dispatch([task]);
      at.dispatcher.dispatched?.([task]);
      assert.deepEqual([begun, seqs(await claim(at))], [[], [1]]);
    },
  },
  {
    name: 'an accepted task that was there already does not begin unseen, nor does one whose commit had no reply',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1)]);
      const known = taskOf(1);
      const first = offered(at, [known]);
      await at.dispatcher.dispatch([known]);
      first.end?.();
      assert.deepEqual(seqs(await claim(at)), [1]);
      assert.deepEqual(
        first.begun.filter(([, when]) => when !== undefined),
        [],
      );
      const sent = taskOf(2);
      const second = offered(at, [sent]);
      second.end?.();
      at.dispatcher.dispatched?.([sent]);
      if (second.end) assert.deepEqual(second.begun, [[2, undefined]]);
    },
  },
  {
    name: 'the same step twice in one dispatch: the highest attempt is stored',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(1, { attempt: 3, input: '3' }), taskOf(1, { attempt: 2 })]);
      const task = await first(claim(at));
      assert.deepEqual([task.attempt, task.input], [3, '3']);
    },
  },
  {
    name: 'withdrawn tasks are deleted, and claims of them are lost',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(2), taskOf(3)]);
      const [held] = await claim(at, { limit: 1 });
      assert.ok(held);
      await at.dispatcher.withdraw(['run:1', 'run:2', 'run:none']);
      const left = await claim(at, { workerId: 'w2' });
      assert.deepEqual([...seqs(left), ...(held.seq === 3 ? [3] : [])], [3]);
      if (held.seq !== 3) assert.deepEqual(await at.source.report([reportOf(held)]), [false]);
    },
  },
  {
    name: 'returns the steps that have neither a task nor an answer',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(2), taskOf(3, { name: 'other' })]);
      await at.source.report((await claim(at, { limit: 1 })).map((task) => reportOf(task)));
      const asked = ['run:1', 'run:2', 'run:3', 'run:4', 'run:5'];
      assert.deepEqual(await at.dispatcher.lost(asked), ['run:4', 'run:5']);
      assert.deepEqual(await at.dispatcher.lost([]), []);
    },
  },
  {
    name: 'notifies listeners of new tasks, with their groups',
    async run(at) {
      const heard: (readonly string[] | undefined)[] = [];
      const unsubscribe = at.source.onTasks((groups) => heard.push(groups));
      await at.dispatcher.dispatch([taskOf(1, { name: 'a' }), taskOf(2, { name: 'b' })]);
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(
        heard.some((groups) => !groups || ['a', 'b'].every((group) => groups.includes(group))),
        JSON.stringify(heard),
      );
      unsubscribe();
    },
  },
  {
    name: '1,000 tasks in one dispatch, one claim, one extension and one report',
    async run(at) {
      await at.dispatcher.dispatch(
        Array.from({ length: 1_000 }, (_, seq) => taskOf(seq, { input: JSON.stringify('x'.repeat(500)) })),
      );
      const tasks = await claim(at, { limit: 1_000 });
      assert.equal(new Set(seqs(tasks)).size, 1_000);
      at.clock.advance(1);
      const claims = await at.source.extend(tasks.map((task) => task.claim));
      assert.equal(claims.length, 1_000);
      const renewed = new Map(claims.map((lease) => [lease.stepId, lease]));
      const held = await at.source.report(tasks.map((task) => reportOf(task, { claim: renewed.get(task.stepId)! })));
      assert.ok(held.every(Boolean));
      assert.equal((await at.dispatcher.peek(2_000)).answers.length, 1_000);
    },
  },
];
