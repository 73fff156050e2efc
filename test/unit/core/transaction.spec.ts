import { CommitListeners, inMemoryTransaction, OncePerCommit } from '../../../lib/core/transaction.js';

describe('what one commit tells by several writes', () => {
  let told: number[][];
  let once: OncePerCommit<number>;
  beforeEach(() => {
    told = [];
    once = new OncePerCommit((items) => told.push([...items]));
  });

  it('is told once, after it', async () => {
    const tx = new CommitListeners();
    once.add(tx, [1, 2]);
    once.add(tx, []);
    once.add(tx, [3]);
    expect(told).toEqual([]);
    tx.tell();
    await Promise.resolve();
    expect(told).toEqual([[1, 2, 3]]);
  });

  it('is told once, by however many objects the transaction is known', async () => {
    const tx = new CommitListeners();
    for (const item of [1, 2]) once.add({ afterCommit: tx.afterCommit }, [item]);
    tx.tell();
    await Promise.resolve();
    expect(told).toEqual([[1, 2]]);
  });

  it('is told without what was taken back with a savepoint, and with what came behind it', async () => {
    const works: (() => void)[] = [];
    const tx = { afterCommit: (work: () => void) => void works.push(work) };
    once.add(tx, [1]);
    works.length = 0;
    once.add(tx, [2]);
    for (const work of works) work();
    await Promise.resolve();
    expect(told).toEqual([[2]]);
  });

  it('is told by each transaction of its own', async () => {
    const [one, other] = [new CommitListeners(), new CommitListeners()];
    once.add(one, [1]);
    once.add(other, [2]);
    other.tell();
    await Promise.resolve();
    expect(told).toEqual([[2]]);
    one.tell();
    await Promise.resolve();
    expect(told).toEqual([[2], [1]]);
  });

  it('stops nobody when it throws', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const tx = new CommitListeners();
    new OncePerCommit(() => {
      throw new Error('mine');
    }).add(tx, [1]);
    tx.tell();
    await Promise.resolve();
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('mine'));
    warned.mockRestore();
  });

  it('is told at once without a transaction, and never where nothing was written', () => {
    once.add(undefined, [1]);
    once.add(undefined, []);
    expect(told).toEqual([[1]]);
  });
});

describe('work in memory', () => {
  it('commits when it resolves, and with the transaction it was given', async () => {
    const heard: string[] = [];
    const answer = await inMemoryTransaction(undefined, async (outer) => {
      await inMemoryTransaction(outer, async (inner) => inner.afterCommit(() => heard.push('inner')));
      expect(heard).toEqual([]);
      return 'answer';
    });
    expect([answer, heard]).toEqual(['answer', ['inner']]);
  });
});
