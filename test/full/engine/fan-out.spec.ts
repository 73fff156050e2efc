import type { Transaction } from '../../../lib/core/transaction.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import { gate } from '../../support/gate.js';
import { describeSqlHouses, type Process } from '../../support/processes.js';

const PARTS = 40;
const text = 'x'.repeat(900_000);
const texts = Array.from({ length: PARTS }, () => text);

/** Ends a transaction without a trace. */
class RolledBack extends Error {}

describeSqlHouses('a fan-out of 36 MB', (house) => {
  /** Tells of each commit of the run `big` that dispatches tasks or starts children. */
  const boot = (asks: (write: RunWrite, isDone: boolean) => void): Promise<Process> => {
    const askingIn = (call: string, [writes]: readonly unknown[]) =>
      call === 'store.commit'
        ? (writes as RunWrite[]).filter(({ tasks, extras }) => tasks.length > 0 || extras?.children?.length)
        : [];
    const tell = (isDone: boolean) => (call: string, args: readonly unknown[]) =>
      askingIn(call, args).forEach((write) => write.runId === 'big' && asks(write, isDone));
    return house().boot({
      workflows: {
        children: async (ctx: WorkflowContext) => (await ctx.all<number>('child', texts)).length,
        child: async (_: WorkflowContext, { length }: string) => length,
        remote: async (ctx: WorkflowContext) =>
          (await Promise.all(texts.map((part) => ctx.remote('measure', part)))).length,
        small: async (ctx: WorkflowContext, part: string) =>
          (await ctx.step('here', () => part.length)) + (await ctx.remote<number>('measure', part)),
        steady: async (ctx: WorkflowContext) => {
          for (let n = 0; !isOver; n++) await ctx.step('one', () => void steps++);
        },
      },
      handlers: { measure: (part) => String(part).length },
      hooks: { before: tell(false), after: tell(true) },
    });
  };
  let steps: number;
  let isOver: boolean;
  beforeEach(() => {
    [steps, isOver] = [0, false];
  });

  it('of children is one commit, which keeps nobody from beginning and ending, however long it takes', async () => {
    const [holds, begun, ends] = [gate(), gate(), gate()];
    const sizes: number[] = [];
    const process = await boot(({ extras }, isDone) => {
      if (isDone) sizes.push(extras!.children!.length);
      else begun.open();
    });
    const { catalog, transactions } = process.storage;
    const last = { id: `big.${PARTS - 1}`, workflow: 'child', version: 1, namespace: '', input: 'null', priority: 0 };
    const held = transactions.begin(async (_, tx: Transaction) => {
      // The last child has its id from here, as far as the commit can see: it waits for the end of this transaction.
      await catalog.create([{ ...last, delayMs: 60_000 }], tx);
      holds.open();
      await ends.opened;
      throw new RolledBack();
    });
    await Promise.race([holds.opened, held]);
    try {
      await process.client.start('children', null, { id: 'big' });
      await begun.opened;
      for (let n = 0; n < 20; n++)
        expect(await process.client.startAndWait('small', 'ab', { timeout: '120s' })).toBe(4);
      expect(sizes).toEqual([]);
    } finally {
      ends.open();
      await expect(held).rejects.toBeInstanceOf(RolledBack);
    }
    expect(await process.client.result('big', { timeout: '120s' })).toBe(PARTS);
    expect(sizes).toEqual([PARTS]);
  });

  it('of remote steps is one commit each, with those of others in between', async () => {
    /** How many steps the other run had made when each was committed. */
    const counts: number[] = [];
    const process = await boot((_, isDone) => {
      if (isDone) isOver = counts.push(steps) >= PARTS;
    });
    const steady = await process.client.start('steady');
    expect(await process.client.startAndWait('remote', null, { id: 'big', timeout: '120s' })).toBe(PARTS);
    await steady.result({ timeout: '120s' });
    expect(counts).toHaveLength(PARTS);
    // A step of the other run is in each second commit, or in each, once it has begun.
    expect(counts.at(-1)! - counts[0]!).toBeGreaterThanOrEqual(PARTS / 4);
  });
});
