import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { InvalidArgumentError, InvalidTransactionError, NotACounterError } from '../../../lib/core/errors.js';
import type { ManualClock } from '../../../lib/core/time.js';
import { DurablePubSub, DurableStore, type StoreStorage } from '../../../lib/store/store.js';
import { until } from '../../support/until.js';

/** An empty storage with a clock that the test controls. */
export interface StoreFixture extends StoreStorage {
  clock: ManualClock;
  /** Runs `work` in a transaction of the app; it rolls back when `work` throws. */
  inTransaction<T>(work: (tx: unknown) => Promise<T>): Promise<T>;
}

export const storeOn = ({ entries }: Pick<StoreFixture, 'entries'>, namespace = 'shop'): DurableStore =>
  new DurableStore(entries, { namespace, limits: { payloadBytes: 1_000 } });

export const pubsubOn = ({ broadcasts }: Pick<StoreFixture, 'broadcasts'>, errors: unknown[] = []): DurablePubSub =>
  new DurablePubSub(broadcasts, 'shop', (error) => errors.push(error));

const AT_ONCE = 8;

const atOnce = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(n)));

/** Texts by key. */
export const storeConformance: ConformanceCase<StoreFixture>[] = [
  {
    name: 'a text is read as it was written, by its exact key and in its namespace',
    async run(fixture) {
      const store = storeOn(fixture);
      const texts = {
        a: '',
        A: 'it\'s "quoted" \\ \n',
        'a ': '{"n":1}',
        ä: '😀',
        [`${'k'.repeat(190)}😀`]: 'x'.repeat(1_000),
      };
      for (const [key, value] of Object.entries(texts)) await store.set(key, value);
      for (const [key, value] of Object.entries(texts)) assert.equal(await store.get(key), value);
      assert.equal(await store.get('b'), undefined);
      assert.equal(await storeOn(fixture, 'other').get('a'), undefined);
      await store.set('a', 'two');
      assert.equal(await store.get('a'), 'two');
    },
  },
  {
    name: 'what was deleted is gone, and only that',
    async run(fixture) {
      const store = storeOn(fixture);
      await store.set('a', '1');
      await store.set('b', '1');
      assert.equal(await store.delete('a'), true);
      assert.deepEqual([await store.get('a'), await store.get('b'), await store.delete('a')], [undefined, '1', false]);
    },
  },
  {
    name: 'a text is gone when its time is over, and has the time of its last writing',
    async run(fixture) {
      const store = storeOn(fixture);
      await store.set('a', '1', { ttl: '1s' });
      await store.set('b', '1', { ttl: '1s' });
      await store.set('b', '2', { ttl: '2s' });
      await store.set('c', '1', { ttl: '1s' });
      await store.set('c', '2');
      const read = async () => [await store.get('a'), await store.get('b'), await store.get('c')];
      fixture.clock.advance(999);
      assert.deepEqual(await read(), ['1', '2', '2']);
      fixture.clock.advance(1);
      assert.deepEqual(await read(), [undefined, '2', '2']);
      assert.equal(await store.delete('a'), false);
      fixture.clock.advance(1_000);
      assert.deepEqual(await read(), [undefined, undefined, '2']);
    },
  },
  {
    name: 'of all who ask for a key that nobody has, one gets it; when its time is over, one again',
    async run(fixture) {
      const store = storeOn(fixture);
      const claim = () => atOnce((n) => store.setIfNotExists('job', String(n), { ttl: '1s' }));
      for (let round = 0; round < 3; round++) {
        const got = await claim();
        assert.deepEqual(got.filter((has) => has).length, 1);
        assert.equal(await store.get('job'), String(got.indexOf(true)));
        fixture.clock.advance(999);
        assert.equal(await store.setIfNotExists('job', 'late'), false);
        fixture.clock.advance(1);
      }
      await store.set('job', 'mine');
      fixture.clock.advance(10_000);
      assert.equal(await store.setIfNotExists('job', 'late'), false);
      assert.equal(await store.get('job'), 'mine');
    },
  },
  {
    name: 'of all who count at once, none is lost, and each gets a sum of its own',
    async run(fixture) {
      const store = storeOn(fixture);
      const sums = await atOnce(() => store.increment('n'));
      assert.deepEqual(
        sums.sort((a, b) => a - b),
        Array.from({ length: AT_ONCE }, (_, n) => n + 1),
      );
      assert.equal(await store.increment('n', -10), AT_ONCE - 10);
      assert.equal(await store.increment('n', 0), AT_ONCE - 10);
      assert.equal(await store.get('n'), String(AT_ONCE - 10));
    },
  },
  {
    name: 'a counter keeps its time, or begins it anew with each call that has one, and counts from 0 when it is over',
    async run(fixture) {
      const store = storeOn(fixture);
      for (const key of ['kept', 'anew']) await store.increment(key, 5, { ttl: '1s' });
      fixture.clock.advance(500);
      assert.equal(await store.increment('kept'), 6);
      assert.equal(await store.increment('anew', 1, { ttl: '1s' }), 6);
      fixture.clock.advance(500);
      assert.deepEqual([await store.get('kept'), await store.get('anew')], [undefined, '6']);
      assert.equal(await store.increment('kept', 2), 2);
      fixture.clock.advance(10_000);
      assert.equal(await store.get('kept'), '2', 'without a time of its own it does not end');
    },
  },
  {
    name: 'sums are exact, and what is no whole number of 15 digits is left as it is',
    async run(fixture) {
      const store = storeOn(fixture);
      const most = 999_999_999_999_999;
      await store.increment('a', most);
      for (const by of [1, most]) await assert.rejects(store.increment('a', by), NotACounterError);
      assert.equal(await store.increment('a', -most), 0);
      assert.equal(await store.increment('a', -most), -most);
      await assert.rejects(store.increment('a', -1), NotACounterError);
      assert.equal(await store.increment('a', most - 1), -1);
      for (const text of ['', 'abc', '1.5', '5\n', ' 5', '--5', '1e3', String(2 * most)]) {
        await store.set('a', text);
        await assert.rejects(store.increment('a'), NotACounterError, JSON.stringify(text));
        assert.equal(await store.get('a'), text);
      }
      await store.set('a', 'abc', { ttl: '1s' });
      fixture.clock.advance(1_000);
      assert.equal(await store.increment('a'), 1);
    },
  },
  {
    name: 'a sweep deletes only what is over, up to its limit',
    async run(fixture) {
      const store = storeOn(fixture);
      for (const key of ['a', 'b', 'c']) await store.set(key, '1', { ttl: '1s' });
      await storeOn(fixture, 'other').set('a', '1', { ttl: '1s' });
      await store.set('later', '1', { ttl: '2s' });
      await store.set('never', '1');
      assert.equal(await fixture.entries.sweep(10), 0);
      fixture.clock.advance(1_000);
      await store.set('b', 'anew');
      assert.equal(await fixture.entries.sweep(2), 2);
      assert.equal(await fixture.entries.sweep(2), 1);
      assert.equal(await fixture.entries.sweep(2), 0);
      assert.deepEqual([await store.get('b'), await store.get('later'), await store.get('never')], ['anew', '1', '1']);
    },
  },
  {
    name: 'a transaction sees what it has written, and everybody does once it has committed',
    async run(fixture) {
      const store = storeOn(fixture);
      await store.set('old', '1');
      const read = async (options?: { transaction: unknown }) => {
        const texts: unknown[] = [];
        for (const key of ['a', 'b', 'n', 'old']) texts.push(await store.get(key, options));
        return texts;
      };
      const seen = await fixture.inTransaction(async (transaction) => {
        await store.set('a', '1', { transaction });
        assert.equal(await store.setIfNotExists('b', '1', { transaction }), true);
        assert.equal(await store.setIfNotExists('b', '2', { transaction }), false);
        assert.equal(await store.increment('n', 2, { transaction }), 2);
        assert.equal(await store.increment('n', 2, { transaction }), 4);
        assert.equal(await store.delete('old', { transaction }), true);
        return read({ transaction });
      });
      assert.deepEqual(seen, ['1', '1', '4', undefined]);
      assert.deepEqual(await read(), seen);
    },
  },
  {
    name: 'invalid keys, texts, times, numbers and transactions are refused, and nothing is written',
    async run(fixture) {
      const store = storeOn(fixture);
      for (const key of ['', 'k'.repeat(192), 'a\0', '\ud800', 7 as never, undefined as never]) {
        await assert.rejects(store.get(key), InvalidArgumentError);
        await assert.rejects(store.set(key, '1'), InvalidArgumentError);
      }
      for (const value of ['a\0', '\ud800', 7 as never, null as never])
        await assert.rejects(store.set('a', value), InvalidArgumentError);
      await assert.rejects(store.set('a', 'x'.repeat(1_001)), { code: 'PAYLOAD_TOO_LARGE' });
      for (const ttl of [0, -1, 1e19, 'soon' as never])
        await assert.rejects(store.set('a', '1', { ttl }), InvalidArgumentError);
      for (const by of [0.5, NaN, 1e15, '1' as never])
        await assert.rejects(store.increment('a', by), InvalidArgumentError);
      await assert.rejects(store.set('a', '1', { tll: 5 } as never), { code: 'UNKNOWN_OPTION' });
      const options = { transaction: {} };
      await assert.rejects(store.set('a', '1', options), InvalidTransactionError);
      await assert.rejects(store.get('a', options), InvalidTransactionError);
      await assert.rejects(store.delete('a', options), InvalidTransactionError);
      await assert.rejects(store.setIfNotExists('a', '1', options), InvalidTransactionError);
      await assert.rejects(store.increment('a', 1, options), InvalidTransactionError);
      assert.equal(await store.get('a'), undefined);
    },
  },
];

/** Messages to all who listen. */
export const pubsubConformance: ConformanceCase<StoreFixture>[] = [
  {
    name: 'a message is heard by all who listen to its channel in its namespace, until they end it',
    async run(fixture) {
      const pubsub = pubsubOn(fixture);
      const heard: string[] = [];
      const end = pubsub.subscribe('prices', (message) => heard.push(`one ${message}`));
      pubsub.subscribe('prices', (message) => heard.push(`two ${message}`));
      pubsub.subscribe('stock', (message) => heard.push(`stock ${message}`));
      new DurablePubSub(fixture.broadcasts, 'other', () => undefined).subscribe('prices', () => heard.push('other'));
      const text = 'it\'s "quoted" \\ \n 😀';
      await pubsub.publish('prices', text);
      end();
      await pubsub.publish('prices', '');
      assert.deepEqual(heard, [`one ${text}`, `two ${text}`, 'two ']);
    },
  },
  {
    name: 'a message of a transaction is heard when that has committed',
    async run(fixture) {
      const pubsub = pubsubOn(fixture);
      const heard: unknown[] = [];
      pubsub.subscribe('prices', (message) => heard.push(message));
      await fixture.inTransaction(async (transaction) => {
        await pubsub.publish('prices', '1', { transaction });
        assert.deepEqual(heard, []);
      });
      assert.deepEqual(heard, ['1']);
    },
  },
  {
    name: 'a listener that fails is told of, and the others hear',
    async run(fixture) {
      const errors: unknown[] = [];
      const pubsub = pubsubOn(fixture, errors);
      const heard: unknown[] = [];
      const [thrown, rejected] = [new Error('thrown'), new Error('rejected')];
      pubsub.subscribe('prices', () => {
        throw thrown;
      });
      pubsub.subscribe('prices', () => Promise.reject(rejected));
      pubsub.subscribe('prices', (message) => heard.push(message));
      await pubsub.publish('prices', '1');
      await until('both are told', () => errors.length === 2);
      assert.deepEqual([heard, errors], [['1'], [thrown, rejected]]);
    },
  },
  {
    name: 'invalid channels, messages, listeners and transactions are refused, and nothing is sent',
    async run(fixture) {
      const pubsub = pubsubOn(fixture);
      const heard: unknown[] = [];
      pubsub.subscribe('prices', (message) => heard.push(message));
      for (const channel of ['', 'c'.repeat(192), 'a\0', '\ud800', 7 as never]) {
        await assert.rejects(pubsub.publish(channel, '1'), InvalidArgumentError);
        assert.throws(() => pubsub.subscribe(channel, () => undefined), InvalidArgumentError);
      }
      assert.throws(() => pubsub.subscribe('prices', undefined as never), InvalidArgumentError);
      for (const message of ['a\0', '\ud800', 7 as never, 'x'.repeat(7_600), '"'.repeat(1_900)])
        await assert.rejects(pubsub.publish('prices', message), InvalidArgumentError);
      await assert.rejects(pubsub.publish('prices', '1', { transaction: {} }), InvalidTransactionError);
      assert.deepEqual(heard, []);
      await pubsub.publish('prices', 'x'.repeat(7_500));
      assert.equal(heard.length, 1);
    },
  },
];
