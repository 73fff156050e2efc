import { Intake, NOTHING_HELD } from '../../../lib/acts/holds.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { ManualClock } from '../../../lib/core/time.js';
import { gate } from '../../support/gate.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const ownerOf = async ({ storage }: Process, id: string) => (await storage.catalog.find([id]))[0]!.owner;

describeHouses('a process that ends', (house) => {
  it('begins no transaction whose BEGIN is under way, and gives the run back', async () => {
    const held = new Intake(NOTHING_HELD);
    let works = 0;
    const order = (ctx: WorkflowContext) => ctx.transaction('pay', () => ++works, { retry: 1 });
    const before = (call: string) => void (call === 'transactions.begin' && held.end());
    const one = await house().boot({ workflows: { order }, held, hooks: { before } });
    const { id } = await one.client.start('order');
    await until('it is given back', async () => held.isEnding && (await ownerOf(one, id)) === null);
    expect(works).toBe(0);
    const other = await house().boot({ workflows: { order } });
    expect(await other.client.result(id)).toBe(1);
  });

  it('plays no run whose claim is under way, and gives it back', async () => {
    const held = new Intake(NOTHING_HELD);
    const played: string[] = [];
    const after = (call: string, _: unknown, answer: unknown) => {
      if (call === 'store.claim' && (answer as unknown[]).length > 0) held.end();
    };
    const one = await house().boot({ workflows: { order: async () => played.push('one') }, held, hooks: { after } });
    const { id } = await one.client.start('order');
    await until('it is given back', async () => held.isEnding && (await ownerOf(one, id)) === null);
    expect(played).toEqual([]);
    const other = await house().boot({ workflows: { order: async () => played.push('other') } });
    await other.client.result(id);
    expect(played).toEqual(['other']);
  });

  it('neither completes nor fails a run by code that sees the end', async () => {
    const held = new Intake(NOTHING_HELD);
    const begun = gate();
    const over = gate();
    const seeing = async (ctx: WorkflowContext, throws: boolean) => {
      const { signal } = ctx;
      await ctx.step('first', async () => {
        begun.open();
        await over.opened;
      });
      if (throws) signal.throwIfAborted();
      return signal.aborted;
    };
    const workflows = {
      throws: (ctx: WorkflowContext) => seeing(ctx, true),
      returns: (ctx: WorkflowContext) => seeing(ctx, false),
    };
    const one = await house().boot({ workflows, held });
    const ids = [(await one.client.start('throws')).id, (await one.client.start('returns')).id];
    await begun.opened;
    held.end();
    over.open();
    for (const id of ids) await until('it is given back', async () => (await ownerOf(one, id)) === null);
    const other = await house().boot({ workflows });
    for (const id of ids) expect(await other.client.result(id)).toBe(false);
  });

  const UNSTORABLE = () => () => 1;
  type Fails = (step: (work: () => unknown) => Promise<unknown>, ctx: WorkflowContext) => Promise<unknown>;
  it.each<[string, Fails, RegExp]>([
    ['whose output has no JSON', (step) => step(UNSTORABLE), /^SerializationError: The output of step "pay" /],
    ['whose output is too large', (step) => step(() => 'x'.repeat(2_000_000)), /^PayloadTooLargeError: /],
    ['that calls ctx', (step, ctx) => step(() => ctx.sleep('pause', 1)), /^ContextMisuseError: /],
  ])('keeps a step %s as one that is done, and nobody does it again', async (_, fails, detail) => {
    const held = new Intake(NOTHING_HELD);
    const begun = gate();
    const over = gate();
    let works = 0;
    const order = (ctx: WorkflowContext) =>
      fails(
        (work) =>
          ctx.step('pay', async () => {
            works++;
            begun.open();
            await over.opened;
            return work();
          }),
        ctx,
      );
    const one = await house().boot({ workflows: { order }, held });
    const { id } = await one.client.start('order');
    await begun.opened;
    held.end();
    over.open();
    await until('it is given back', async () => (await ownerOf(one, id)) === null);
    const other = await house().boot({ workflows: { order } });
    const { reasonDetail } = await until('it is blocked', async () => {
      const status = await other.client.getStatus(id);
      return status.reason === 'programming_error' && status;
    });
    expect(reasonDetail).toMatch(detail);
    expect(works).toBe(1);
  });

  it('keeps a compensation that calls ctx as one that is done', async () => {
    const held = new Intake(NOTHING_HELD);
    const begun = gate();
    const over = gate();
    let works = 0;
    const order = async (ctx: WorkflowContext) => {
      const compensate = async () => {
        works++;
        begun.open();
        await over.opened;
        await ctx.sleep('pause', 1);
      };
      await ctx.step('pay', () => 1, { compensate });
      ctx.fail('undo it');
    };
    const one = await house().boot({ workflows: { order }, held });
    const { id } = await one.client.start('order');
    await begun.opened;
    held.end();
    over.open();
    await until('it is given back', async () => (await ownerOf(one, id)) === null);
    const other = await house().boot({ workflows: { order } });
    await until('it is blocked', async () => (await other.client.getStatus(id)).reason === 'programming_error');
    expect(works).toBe(1);
  });

  it('gives back a transaction whose output cannot be stored, since it is rolled back', async () => {
    const held = new Intake(NOTHING_HELD);
    const begun = gate();
    const over = gate();
    const order = (output: unknown) => (ctx: WorkflowContext) =>
      ctx.transaction('pay', async () => {
        begun.open();
        await over.opened;
        return output;
      });
    const one = await house().boot({ workflows: { order: order(UNSTORABLE) }, held });
    const { id } = await one.client.start('order');
    await begun.opened;
    held.end();
    over.open();
    await until('it is given back', async () => (await ownerOf(one, id)) === null);
    const other = await house().boot({ workflows: { order: order('paid') } });
    expect(await other.client.result(id)).toBe('paid');
  });

  it('undoes nothing of a run whose replay it has not ended, and the next one does', async () => {
    const held = new Intake(NOTHING_HELD);
    const undone: string[] = [];
    const order = async (ctx: WorkflowContext) => {
      for (const name of ['a', 'b', 'c']) await ctx.step(name, () => 1, { compensate: () => void undone.push(name) });
      await ctx.remote('wait');
    };
    const first = await house().boot({ workflows: { order } });
    const { id } = await first.client.start('order');
    const asked = async () => (await first.client.getStatus(id, { history: true })).history?.length === 4;
    await until('it waits', asked);
    await first.stop();
    // The histories are read before the code is replayed.
    const after = (call: string) => void (call === 'store.histories' && setImmediate(() => held.end()));
    const one = await house().boot({ workflows: { order }, held, hooks: { after } });
    await one.client.cancel(id);
    await until('it is given back', async () => held.isEnding && (await ownerOf(one, id)) === null);
    const before = [...undone];
    expect(before.length).toBeLessThan(3);
    const other = await house().boot({ workflows: { order } });
    await other.client.result(id).catch(() => undefined);
    expect((await other.client.getStatus(id)).status).toBe('cancelled');
    expect(undone).toEqual(['c', 'b', 'a']);
  });
});

const clock = new ManualClock();

describeHouses(
  'a schedule in a process that ends',
  (house) => {
    it('begins nothing, and fires in the next one', async () => {
      const held = new Intake(NOTHING_HELD);
      let looks = 0;
      const after = (call: string) => void (call === 'schedules.look' && looks++);
      const workflows = { report: async () => 'done' };
      const one = await house().boot({ workflows, held, hooks: { after } });
      await one.schedules.create('report', { id: 'r', every: '10m' });
      await until('it looks', () => looks > 0);
      held.end();
      clock.advance(11 * 60_000);
      const runs = async () => (await one.storage.catalog.list({ namespace: '', workflow: 'report', limit: 9 })).runs;
      await one.stop();
      expect(await runs()).toEqual([]);
      await house().boot({ workflows });
      await until('it fires', async () => (await runs()).length === 1);
    });
  },
  { clock },
);
