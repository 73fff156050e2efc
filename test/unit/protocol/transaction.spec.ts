import { CommitListeners, inMemoryTransaction, OncePerCommit } from '../../../lib/protocol/transaction.js';

describe('what one commit tells by several writes', () => {
  let told: number[][];
  let once: OncePerCommit<number>;
  beforeEach(() => {
    told = [];
    once = new OncePerCommit((items) => told.push([...items]));
  });

  it('is told once, after it', () => {
    const tx = new CommitListeners();
    once.add(tx, [1, 2]);
    once.add(tx, []);
    once.add(tx, [3]);
    expect(told).toEqual([]);
    tx.tell();
    expect(told).toEqual([[1, 2, 3]]);
  });

  it('is told by each transaction of its own', () => {
    const [one, other] = [new CommitListeners(), new CommitListeners()];
    once.add(one, [1]);
    once.add(other, [2]);
    other.tell();
    expect(told).toEqual([[2]]);
    one.tell();
    expect(told).toEqual([[2], [1]]);
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
