import assert from 'node:assert/strict';
import { MINUTE_MS } from '../engine/model/sample-store.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';

/** Guarantees of what processes have counted. */
export const samplesConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a process has one sample per minute, the first one counts, and samples are read by time',
    async run({ storage: { samples }, clock }) {
      const first = clock.now() - (clock.now() % MINUTE_MS);
      const body = '{"counts":{"run.completed ü😀":1}}';
      const sampleOf = (node: string, text = body, namespace = '') => ({ namespace, node, body: text });
      await samples.write(sampleOf('b'));
      await samples.write(sampleOf('a', '{}'));
      await samples.write(sampleOf('b', '{"late":1}'));
      await samples.write(sampleOf('c', '{}', 'other'));
      clock.advance(MINUTE_MS);
      await samples.write(sampleOf('b', '{}'));
      const query = { namespace: '', from: first, until: first + 2 * MINUTE_MS, limit: 10 };
      const [a, b, later] = [
        { minute: first, node: 'a', body: '{}' },
        { minute: first, node: 'b', body },
        { minute: first + MINUTE_MS, node: 'b', body: '{}' },
      ];
      assert.deepEqual(await samples.range(query), [a, b, later]);
      assert.deepEqual(await samples.range({ ...query, limit: 2 }), [a, b]);
      assert.deepEqual(await samples.range({ ...query, limit: 2, keep: 'last' }), [b, later]);
      assert.deepEqual(await samples.range({ ...query, until: first + MINUTE_MS }), [a, b]);
      assert.deepEqual(await samples.range({ ...query, from: first + 1 }), [later]);
    },
  },
  {
    name: 'old samples are purged, oldest first, in all namespaces',
    async run({ storage: { samples }, clock }) {
      const from = 0;
      for (const [node, namespace] of [
        ['a', ''],
        ['b', 'other'],
        ['c', ''],
      ] as const) {
        await samples.write({ namespace, node, body: '{}' });
        clock.advance(MINUTE_MS);
      }
      assert.equal(await samples.purge(10 * MINUTE_MS, 10), 0);
      clock.advance(10 * MINUTE_MS);
      assert.equal(await samples.purge(10 * MINUTE_MS, 2), 2);
      const left = await samples.range({ namespace: '', from, until: clock.now(), limit: 10 });
      assert.deepEqual(
        left.map(({ node }) => node),
        ['c'],
      );
    },
  },
];
