import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import { transportOlderTasksConformance } from './transport-older-tasks.js';
import { waitingTasksConformance } from './waiting-tasks.js';
import { claim, first, LEASE_MS, reportOf, seqs, taskOf, type TransportFixture } from './transport.js';

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
      assert.deepEqual(
        (await claim(at, { groups: ['charge'] })).map(({ group }) => group),
        ['charge'],
      );
      assert.deepEqual(
        (await claim(at, { groups: ['charge '] })).map(({ name }) => name),
        ['charge '],
      );
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
