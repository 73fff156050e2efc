import { Batcher } from '../../../lib/core/loops.js';

/** A batcher that doubles numbers and notes its batches; `refused` ones fail every batch they are in. */
function doubler({ maxItems = 500, refused = [] as number[], isolates = (): boolean => true } = {}) {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>(
    async (items) => {
      batches.push([...items]);
      await new Promise((resolve) => setImmediate(resolve));
      if (items.some((item) => refused.includes(item))) throw new Error('refused');
      return items.map((item) => item * 2);
    },
    { maxItems, isolates },
  );
  return { batcher, batches };
}

const outcomes = async (promises: Promise<number>[]) =>
  (await Promise.allSettled(promises)).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'));

describe('a batcher', () => {
  it('writes all of one turn together and answers each its own', async () => {
    const { batcher, batches } = doubler();
    expect(await outcomes([1, 2, 3].map((n) => batcher.add(n)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('collects what arrives while a write is under way, in order', async () => {
    const { batcher, batches } = doubler();
    const first = batcher.add(1);
    while (batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const later = [2, 3].map((n) => batcher.add(n));
    expect(await outcomes([first, ...later])).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('never writes more than its most', async () => {
    const { batcher, batches } = doubler({ maxItems: 2 });
    await outcomes([1, 2, 3, 4, 5].map((n) => batcher.add(n)));
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('lets a bad item fail alone', async () => {
    const { batcher } = doubler({ refused: [3] });
    expect(await outcomes([1, 2, 3, 4, 5].map((n) => batcher.add(n)))).toEqual([2, 4, 'failed', 8, 10]);
  });

  it('fails the whole batch where halves would not help', async () => {
    const { batcher, batches } = doubler({ refused: [2], isolates: () => false });
    expect(await outcomes([1, 2].map((n) => batcher.add(n)))).toEqual(['failed', 'failed']);
    expect(batches).toHaveLength(1);
  });

  it('goes on after a failure', async () => {
    const { batcher } = doubler({ refused: [1] });
    expect(await outcomes([batcher.add(1)])).toEqual(['failed']);
    expect(await batcher.add(2)).toBe(4);
  });

  it('goes on when its own judgement throws', async () => {
    const isolates = () => {
      throw new Error('undecided');
    };
    const { batcher } = doubler({ refused: [1], isolates });
    expect(await outcomes([1, 2].map((n) => batcher.add(n)))).toEqual(['failed', 'failed']);
    expect(await batcher.add(2)).toBe(4);
  });

  it('fails items that got no answer rather than answering undefined', async () => {
    const batcher = new Batcher<number, number>(async () => [1]);
    await expect(Promise.all([batcher.add(1), batcher.add(2)])).rejects.toThrow('1 answers to 2 items');
  });

  it('is idle once everything is written, also what was added meanwhile', async () => {
    const { batcher, batches } = doubler({ maxItems: 1 });
    const added = [batcher.add(1)];
    void added[0]?.then(() => added.push(batcher.add(2)));
    await batcher.idle();
    expect(batches).toEqual([[1], [2]]);
    await batcher.idle();
  });

  it('writes no more at once than fits into one statement, but at least one item', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        batches.push([...items]);
        return items;
      },
      { sizeOf: (item) => item * 500_000 },
    );
    await Promise.all([1, 1, 1, 9, 0, 2].map((item) => batcher.add(item)));
    expect(batches).toEqual([[1, 1], [1], [9], [0, 2]]);
  });

  it('lets what fits go before longer items that do not, unless they have one key', async () => {
    const batches: string[] = [];
    const batcher = new Batcher<string, string>(
      async (items) => {
        batches.push(items.join(' '));
        return items;
      },
      { sizeOf: (item) => (item.startsWith('long') ? 750_000 : 1), keyOf: (item) => item.replace(/\D/g, '') },
    );
    const items = ['long1', 'long1', 'a2', 'a1', 'long3', 'b2', 'b3'];
    expect(await Promise.all(items.map((item) => batcher.add(item)))).toEqual(items);
    expect(batches).toEqual(['long1 a2 b2', 'long1 a1', 'long3 b3']);
  });
});
