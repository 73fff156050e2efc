import { feedMetrics } from '../../../../lib/core/metrics.js';
import type { RunHooks, RunNews } from '../../../../lib/engine/endings.js';
import { DurableLog } from '../../../../lib/nest/log.js';
import { engineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

describe('a blocked run that a starting process tries', () => {
  it('is no news if it is blocked again', async () => {
    const news: RunNews[] = [];
    const hooks: RunHooks = {
      look: async () => undefined,
      // Asked for once for each write that tells hooks.
      eventOf: (one) => {
        news.push(one);
        return undefined;
      },
      tell: async (one) => void news.push(one),
    };
    const storage = { ...memoryStorage(), hooks };
    const lines: string[] = [];
    const counted: string[] = [];
    const tries: object[] = [];
    const write = (line: string) => void lines.push(line);
    const boot = async () => {
      const parts = engineParts(storage, { pollMs: 20 });
      new DurableLog({ log: write, warn: write, error: write, debug: () => undefined }, { now: () => 0 }).subscribe(
        parts.telemetry,
      );
      feedMetrics(parts.telemetry, { add: (name) => void counted.push(name), record: () => undefined });
      parts.telemetry.on('run.left', (left) => void tries.push(left));
      parts.define('wrong', () => (undefined as unknown as () => Promise<void>)());
      parts.define('other', async () => 'done');
      await parts.start();
      return parts;
    };
    const isBlocked = async () => (await storage.catalog.find(['w']))[0]!.reason === 'programming_error';
    const first = await boot();
    await first.client.start('wrong', undefined, { id: 'w' });
    await until('it to be blocked', isBlocked);
    await first.client.start('wrong', undefined, { id: 'x' });
    await until('the other to be blocked', async () => (await storage.catalog.find(['x']))[0]!.reason !== null);
    await first.stop();
    const blocked = () => counted.filter((name) => name === 'durable.runs.blocked').length;
    expect([blocked(), tries.splice(0).length, lines.splice(0).length]).toEqual([2, 2, 2]);
    const second = await boot();
    await until('both to be tried', () => tries.length > 1);
    await until('it to be blocked again', isBlocked);
    await second.stop();
    expect(tries).toMatchObject([{ again: true }, { again: true }]);
    expect(blocked()).toBe(2);
    expect(lines).toEqual([expect.stringMatching(/^Runs of "wrong" are still blocked .*, for example "w"$/)]);
    expect(news).toEqual(
      ['w', 'x'].map((runId) => ({ runId, workflow: 'wrong', status: 'suspended', reason: 'programming_error' })),
    );
  });
});
