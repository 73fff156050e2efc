import assert from 'node:assert/strict';
import { UnclaimedTasks } from '../worker/unclaimed-tasks.js';
import type { WaitingCursor, WaitingTasks } from '../worker/waiting-tasks.js';
import type { ConformanceCase } from './case.js';
import { claim, reportOf, taskOf, type TransportFixture } from './transport.js';

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
export const waitingTasksConformance: ConformanceCase<TransportFixture>[] = [
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
