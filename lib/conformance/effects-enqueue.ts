import assert from 'node:assert/strict';
import type { EffectOperation } from '../effects/effect-entry.js';
import { Effects } from '../effects/effects.js';
import { jsonCodec } from '../protocol/codec.js';
import {
  calls,
  claim,
  type EffectsFixture,
  effectsOn,
  enqueue,
  ERASE,
  handler,
  idsOf,
  typesOf,
  withCheckedRows,
} from './effects-fixture.js';

const idsIn = async ({ rows }: EffectsFixture) => (await rows()).map(({ entryId }) => entryId);

const refuses = async (fixture: EffectsFixture, operation: unknown, code: string) => {
  const refused = effectsOn(fixture).enqueue(operation as EffectOperation);
  await assert.rejects(refused, { code }, JSON.stringify(operation));
};

/** Guarantees of enqueuing. */
export const effectEnqueueConformance = withCheckedRows([
  {
    name: 'I1 entries are visible after the transaction of the caller has committed, and not before',
    async run(fixture) {
      const ids = await fixture.inTransaction(async (transaction) => {
        const given = await effectsOn(fixture).enqueue({ ...ERASE, calls: calls('a', 'b') }, { transaction });
        assert.deepEqual(await idsIn(fixture), [], 'nothing is committed');
        assert.deepEqual(await claim(fixture), []);
        return given;
      });
      assert.equal(ids.length, 2);
      assert.deepEqual(await idsIn(fixture), [...ids].sort());
    },
  },
  {
    name: 'I1 a rollback discards the entries, and nobody is notified',
    async run(fixture) {
      const heard: unknown[] = [];
      const end = fixture.storage.claims.onDue((handlers) => heard.push(handlers));
      const rolledBack = fixture.inTransaction(async (transaction) => {
        await effectsOn(fixture).enqueue({ ...ERASE, calls: calls('a') }, { transaction });
        throw new Error('the app changed its mind');
      });
      await assert.rejects(rolledBack, { message: 'the app changed its mind' });
      assert.deepEqual(await idsIn(fixture), []);
      await enqueue(fixture, calls('b'));
      end();
      assert.deepEqual(heard, [['mail']]);
      assert.equal((await claim(fixture)).length, 1);
    },
  },
  {
    name: 'I1 without a transaction, either all calls are stored or none',
    async run(fixture) {
      const many = Array.from({ length: 2_500 }, (_, n) => `ref-${n}`);
      const ids = await enqueue(fixture, calls(...many));
      assert.deepEqual(await idsIn(fixture), ids);
      const counts = await fixture.storage.insight.statusCounts();
      assert.equal(counts.pending, 2_500);
    },
  },
  {
    name: 'I1 an invalid transaction is refused, and nothing is written',
    async run(fixture) {
      const refused = effectsOn(fixture).enqueue({ ...ERASE, calls: calls('a') }, { transaction: {} });
      await assert.rejects(refused, { code: 'INVALID_TRANSACTION' });
      assert.deepEqual(await idsIn(fixture), []);
    },
  },
  {
    name: 'I2 without calls nothing is written, and no transaction is needed',
    async run(fixture) {
      assert.deepEqual(await enqueue(fixture, []), []);
      assert.deepEqual(await effectsOn(fixture).enqueue({ ...ERASE, calls: [] }, { transaction: {} }), []);
      await fixture.storage.store.enqueue([]);
      assert.deepEqual(await idsIn(fixture), []);
    },
  },
  {
    name: 'I3 each entry has its own id, in the order of the calls',
    async run(fixture) {
      const first = await enqueue(fixture, calls('a', 'b', 'c'));
      const second = await enqueue(fixture, calls('a'), { operation: 'erase', subject: 'user-2' });
      assert.equal(new Set([...first, ...second]).size, 4);
      assert.deepEqual(idsOf(await claim(fixture)), [...first, ...second]);
    },
  },
  {
    name: 'I4 each pair of handler and ref is allowed once in an operation, also if the ref is written differently',
    async run(fixture) {
      const twice = (...refs: unknown[]) => ({ ...ERASE, calls: refs.map((ref) => ({ handler: 'mail', ref })) });
      await refuses(fixture, twice('a', 'b', 'a'), 'INVALID_ARGUMENT');
      await refuses(fixture, twice({ id: 1, kind: 'x' }, { kind: 'x', id: 1 }), 'INVALID_ARGUMENT');
      assert.deepEqual(await idsIn(fixture), []);
      const both = [...calls('a', '1'), { handler: 'log', ref: 'a' }, { handler: 'mail', ref: 1 }];
      assert.equal((await enqueue(fixture, both)).length, 4);
    },
  },
  {
    name: 'I4 invalid calls are refused before anything is written or recorded',
    async run(fixture) {
      const [fits] = calls('a');
      const one = (call: unknown) => ({ ...ERASE, calls: [fits, call] });
      for (const handlerName of [undefined, '', 'x'.repeat(192), 'a\0b', '\ud800', 7])
        await refuses(fixture, one({ handler: handlerName, ref: 'x' }), 'INVALID_ARGUMENT');
      for (const ref of [undefined, null, ''])
        await refuses(fixture, one({ handler: 'mail', ref }), 'INVALID_ARGUMENT');
      await refuses(fixture, one({ handler: 'mail', ref: () => 1 }), 'NOT_SERIALIZABLE');
      await refuses(fixture, one({ handler: 'mail', ref: 'x'.repeat(9_000) }), 'PAYLOAD_TOO_LARGE');
      await refuses(fixture, one({ handler: 'mail', ref: 'b', payload: 'x'.repeat(1_001) }), 'PAYLOAD_TOO_LARGE');
      await refuses(fixture, { ...ERASE, subject: 'x'.repeat(256), calls: [fits] }, 'INVALID_ARGUMENT');
      await refuses(fixture, { ...ERASE, operation: '', calls: [fits] }, 'INVALID_ARGUMENT');
      await refuses(fixture, { ...ERASE, calls: 'mail' }, 'INVALID_ARGUMENT');
      for (const nothing of [undefined, null, 'erase', one(undefined), one(null)])
        await refuses(fixture, nothing, 'INVALID_ARGUMENT');
      assert.deepEqual([await idsIn(fixture), await typesOf(fixture)], [[], []]);
    },
  },
  {
    name: 'I4 if the handlers are known, an unknown one is refused before anything is written',
    async run(fixture) {
      const options = { codec: jsonCodec, payloadBytes: 1_000, knows: (name: string) => name === 'mail' };
      const effects = new Effects(fixture.storage, options);
      const unknown = effects.enqueue({ ...ERASE, calls: [...calls('a'), { handler: 'fax', ref: 'a' }] });
      await assert.rejects(unknown, { code: 'UNKNOWN_EFFECT_HANDLER', handler: 'fax' });
      assert.deepEqual(await idsIn(fixture), []);
      assert.equal((await effects.enqueue({ ...ERASE, calls: calls('a') })).length, 1);
    },
  },
  {
    name: 'I5 an operation that is enqueued again gets new entries with new ids',
    async run(fixture) {
      const first = await enqueue(fixture, calls('a', 'b'));
      const again = await enqueue(fixture, calls('a', 'b'));
      assert.deepEqual(
        again.filter((id) => first.includes(id)),
        [],
      );
      assert.equal((await claim(fixture)).length, 4);
    },
  },
  {
    name: 'refs, payloads and names are returned unchanged',
    async run(fixture) {
      const names = ['mail', 'MAIL', 'mail ', 'mäil', '😀'.repeat(191)];
      const ref = { id: 7, tags: ['a', 'ß', '😀'], 'a"\\{},': 'x\ny' };
      const payload = { text: 'NUL \0, half \ud800, quote " and \\', at: new Date(0), big: 2n ** 70n };
      const group = { operation: 'sync ', subject: '😀'.repeat(255) };
      const list = names.map((name) => ({ handler: name, ref, payload }));
      await enqueue(fixture, list, group);
      const claimed = await claim(fixture, 100, names.map(handler));
      assert.deepEqual(claimed.map((one) => one.handler).sort(), [...names].sort());
      for (const { operation, subject, ...one } of claimed) {
        assert.deepEqual({ operation, subject }, group);
        assert.deepEqual(jsonCodec.decode(one.ref), ref);
        assert.deepEqual(jsonCodec.decode(String(one.payload)), payload);
      }
    },
  },
]);
