import { DatabaseError } from '../../../lib/core/errors.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { type BootOptions, describeHouses, type Process } from '../../support/processes.js';
import { outsideWorld, type OutsideWorld } from '../../support/step-effects.js';
import { until } from '../../support/until.js';

const erasing = (subject: string, calls = 2) => ({
  operation: 'erase',
  subject,
  calls: Array.from({ length: calls }, (_, n) => ({ handler: 'stripe', ref: `ref-${n}` })),
});
const enqueues = (writes: unknown): boolean =>
  (writes as readonly RunWrite[]).some(({ extras }) => (extras?.enqueues?.length ?? 0) > 0);

const body = async (ctx: WorkflowContext, subject: string) => {
  const before = await ctx.step('before', () => 1);
  const ids = await ctx.effects(erasing(subject));
  const after = await ctx.step('after', () => 2);
  return [before, ids, after];
};

describeHouses('ctx.effects', (house) => {
  let world: OutsideWorld;
  beforeEach(async () => {
    world = await outsideWorld(house().backend);
  });
  const boot = (options: BootOptions) => house().boot({ stepEffects: () => world.effects, ...options });
  const calls = async (subject: string) => (await world.calls()).filter((call) => call.subject === subject);
  const enqueued = (subject: string, n = 2) =>
    until(`${n} calls for ${subject}`, async () => {
      const found = await calls(subject);
      return found.length === n && found;
    });
  const succeedAll = async (subject: string, { storage }: Process) => {
    for (const { id, done } of await calls(subject)) if (!done) await world.succeed(id, storage);
  };

  it('goes on when all calls have succeeded, with their ids, and says what it waits for meanwhile', async () => {
    const process = await boot({ workflows: { order: body } });
    const run = await process.client.start('order', 'anna', { id: 'r1' });
    const [first, second] = await enqueued('anna');
    expect((await process.client.explain('r1')).waitingFor).toMatchObject([
      {
        kind: 'effects',
        operation: 'erase',
        subject: 'anna',
        seq: 1,
        name: 'erase',
        entries: [first!.id, second!.id],
      },
    ]);
    const { history } = await process.client.getStatus('r1', { history: true });
    expect(history).toMatchObject([{}, { kind: 'signal', name: 'erase', status: 'pending', output: null }]);
    await world.succeed(second!.id, process.storage);
    expect((await process.client.getStatus('r1', { history: true })).history).toHaveLength(2);
    await world.succeed(first!.id, process.storage);
    const ids = [first!.id, second!.id];
    expect(await run.result({ timeout: '120s' })).toEqual([1, ids, 2]);
    expect((await process.client.getStatus('r1', { history: true })).history![1]).toMatchObject({ output: ids });
  });

  it('is complete at once without calls, and takes a name', async () => {
    const process = await boot({
      workflows: { order: (ctx) => ctx.effects('nothing', erasing('anna', 0)) },
    });
    expect(await process.client.startAndWait('order', null, { id: 'r1', timeout: '120s' })).toEqual([]);
    expect((await process.client.getStatus('r1', { history: true })).history).toMatchObject([
      { kind: 'signal', name: 'nothing', status: 'completed', output: [] },
    ]);
  });

  it('wakes a run that is parked, whoever plays it then', async () => {
    const first = await boot({ workflows: { order: body }, residencyMs: 1 });
    await first.client.start('order', 'anna', { id: 'r1' });
    await until('it is parked', async () => (await first.client.getStatus('r1')).status === 'suspended');
    first.kill();
    const outside = await boot({ engine: false });
    await succeedAll('anna', outside);
    const second = await boot({ workflows: { order: body } });
    const ids = (await calls('anna')).map(({ id }) => id);
    expect(await second.client.result('r1', { timeout: '120s' })).toEqual([1, ids, 2]);
  });

  it('enqueues once and goes on wherever its process dies (P1, P2)', async () => {
    let commits = Number.POSITIVE_INFINITY;
    for (let dies = 1; dies <= commits; dies++) {
      for (const when of ['before', 'after'] as const) {
        let count = 0;
        const at = (moment: 'before' | 'after') => (call: string) => {
          if (call !== 'store.commit') return;
          if (moment === 'before') count++;
          if (moment === when && count === dies) dead.kill();
        };
        const subject = `s-${dies}-${when}`;
        const workflows = { order: body };
        const hooks = { before: at('before'), after: at('after'), wholeTransactions: house().kind === 'memory' };
        const dead: Process = await boot({ workflows, hooks });
        const outside = await boot({ engine: false });
        // The other one may die before it hears that its run has started.
        await outside.client.start('order', subject, { id: subject });
        const isOver = async () => {
          if (dead.alive) await succeedAll(subject, outside);
          return !dead.alive || (await outside.client.getStatus(subject)).status === 'completed';
        };
        await until('it has died, or ended', isOver);
        if (dead.alive) commits = Math.min(commits, count);
        if (dead.alive) dead.kill();
        await house().bury(dead);
        const heir = await boot({ workflows });
        await until('it has ended', async () => {
          await succeedAll(subject, outside);
          return (await outside.client.getStatus(subject)).status === 'completed';
        });
        const ids = (await calls(subject)).map(({ id }) => id);
        expect({ dies, when, output: await heir.client.result(subject) }).toEqual({
          dies,
          when,
          output: [1, ids, 2],
        });
        expect(ids).toHaveLength(2);
        heir.kill();
        await house().bury(heir);
      }
    }
    expect(commits).toBeGreaterThan(2);
  });

  it('enqueues once when the reply to its commit is lost', async () => {
    let lost = 0;
    const process = await boot({
      workflows: { order: body },
      hooks: {
        after: (call, [writes]) => {
          if (call === 'store.commit' && enqueues(writes) && lost++ === 0)
            throw new DatabaseError('The connection was lost', true);
        },
      },
    });
    const subjects = ['anna', 'ben', 'carl'];
    const runs = await Promise.all(subjects.map((subject) => process.client.start('order', subject)));
    for (const subject of subjects) await enqueued(subject);
    for (const subject of subjects) await succeedAll(subject, process);
    await Promise.all(runs.map((run) => run.result({ timeout: '120s' })));
    expect(lost).toBeGreaterThan(1);
    expect(await world.calls()).toHaveLength(6);
  });

  it('misses no completion that comes at any moment', async () => {
    const processes = [await boot({ workflows: { order: body } }), await boot({ workflows: { order: body } })];
    const subjects = Array.from({ length: 40 }, (_, n) => `subject-${n}`);
    const runs = await Promise.all(
      subjects.map((subject, n) => processes[n % 2]!.client.start('order', subject, { id: subject })),
    );
    let over = false;
    const succeeding = (async () => {
      while (!over) {
        const open = (await world.calls()).filter(({ done }) => !done);
        await Promise.all(open.slice(0, 8).map(({ id }, n) => world.succeed(id, processes[n % 2]!.storage)));
        if (open.length === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const outputs = await Promise.all(runs.map((run) => run.result({ timeout: '120s' })));
    over = true;
    await succeeding;
    for (const [n, [, ids]] of (outputs as [number, string[], number][]).entries())
      expect(ids).toEqual((await calls(subjects[n]!)).map(({ id }) => id));
  });

  it('is not complete with calls that came after the group was looked at', async () => {
    const process = await boot({ workflows: { order: body } });
    const first = await process.client.start('order', 'anna', { id: 'r1' });
    const [one, two] = await enqueued('anna');
    await world.succeed(one!.id, process.storage);
    // Its transaction has found the group complete when the next calls come.
    await world.succeed(two!.id, process.storage, () => world.add('late', 'erase', 'anna'));
    const second = await process.client.start('order', 'anna', { id: 'r2' });
    await enqueued('anna', 5);
    expect((await process.client.explain('r1')).waitingFor).toMatchObject([{ kind: 'effects' }]);
    await succeedAll('anna', process);
    // Both with the completion of all.
    await Promise.all([first.result({ timeout: '120s' }), second.result({ timeout: '120s' })]);
  });

  it('has nothing to hear once its run was cancelled, and the calls go on', async () => {
    const process = await boot({ workflows: { order: body } });
    const run = await process.client.start('order', 'anna', { id: 'r1' });
    await enqueued('anna');
    await run.cancel();
    await expect(run.result({ timeout: '120s' })).rejects.toMatchObject({ name: 'WorkflowCancelledError' });
    await succeedAll('anna', process);
    expect((await calls('anna')).map(({ done }) => done)).toEqual([true, true]);
    // What was for the first life of the id is nothing to the next.
    await process.client.delete('r1');
    const again = await process.client.start('order', 'anna', { id: 'r1' });
    await enqueued('anna', 4);
    expect(await process.client.getStatus('r1')).toMatchObject({ finishedAt: null });
    await succeedAll('anna', process);
    await again.result({ timeout: '120s' });
  });

  it('refuses what cannot be made, and blocks where there are no effects', async () => {
    const workflows = {
      bad: (ctx: WorkflowContext) => ctx.effects({ operation: 'erase', subject: 'anna' } as never),
      order: body,
    };
    const process = await boot({ workflows });
    await process.client.start('bad', null, { id: 'bad' });
    await until('it is blocked', async () => (await process.client.getStatus('bad')).reason === 'programming_error');
    await process.stop();
    process.kill();
    const without = await house().boot({ workflows });
    await without.client.start('order', 'ben', { id: 'r1' });
    const { reasonDetail } = await until('it is blocked', async () => {
      const status = await without.client.getStatus('r1');
      return status.reason === 'programming_error' && status;
    });
    expect(reasonDetail).toMatch(/^ConfigurationError: ctx\.effects needs.*effects: \{\}/);
    await without.stop();
    without.kill();
    const having = await boot({ workflows });
    await enqueued('ben');
    await succeedAll('ben', having);
    await having.client.result('r1', { timeout: '120s' });
  });
});
