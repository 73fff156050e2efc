import assert from 'node:assert/strict';
import type { Transaction } from '../protocol/transaction.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { boom } from './run-store.js';

/** A deadlock error as ORMs wrap it. */
const deadlock = () => Object.assign(new Error('wrapped'), { driverError: { code: '40P01', errno: 1213 } });

/** Guarantees of a transaction for ports that write in it and register notifications. */
export const transactionsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'calls the listeners once after the commit, in the order in which they were added',
    async run({ storage: { transactions } }) {
      const heard: string[] = [];
      const answer = await transactions.begin(async (handle, tx) => {
        tx.afterCommit(() => heard.push('first'));
        transactions.join(handle).afterCommit(() => heard.push('second'));
        await Promise.resolve();
        tx.afterCommit(() => heard.push('third'));
        assert.deepEqual(heard, []);
        return 'answer';
      });
      assert.equal(answer, 'answer');
      assert.deepEqual(heard, ['first', 'second', 'third']);
      await transactions.begin(async () => undefined);
      assert.equal(heard.length, 3);
    },
  },
  {
    name: 'calls no listener after a rollback',
    async run({ storage: { transactions }, transaction }) {
      const heard: string[] = [];
      const failing = (tx: Transaction) => {
        tx.afterCommit(() => heard.push('never'));
        return boom();
      };
      await assert.rejects(
        transactions.begin((_, tx) => failing(tx)),
        /boom/,
      );
      if (transaction) await assert.rejects(transaction(failing), /boom/);
      await transactions.begin(async (_, tx) => tx.afterCommit(() => heard.push('next')));
      assert.deepEqual(heard, ['next']);
    },
  },
  {
    name: 'calls the other listeners and stays committed if one of them throws',
    async run({ storage: { transactions }, transaction }) {
      const heard: string[] = [];
      const work = async (tx: Transaction) => {
        tx.afterCommit(() => heard.push('before'));
        tx.afterCommit(() => {
          throw new Error('A listener that throws, as this test wants it to');
        });
        tx.afterCommit(() => heard.push('after'));
        return 'committed';
      };
      assert.equal(await transactions.begin((_, tx) => work(tx)), 'committed');
      assert.deepEqual(heard.splice(0), ['before', 'after']);
      if (!transaction) return;
      assert.equal(await transaction(work), 'committed');
      assert.deepEqual(heard, ['before', 'after']);
    },
  },
  {
    name: 'calls only the listeners of the last try if the transaction is retried',
    async run({ transaction }) {
      if (!transaction) return;
      const heard: string[] = [];
      let tries = 0;
      await transaction(async (tx) => {
        const name = `try ${++tries}`;
        tx.afterCommit(() => heard.push(name));
        if (tries < 3) throw deadlock();
      });
      assert.deepEqual(heard, ['try 3']);
    },
  },
];
