import type { RunHooks, RunNews } from '../../../../lib/engine/endings.js';
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
    const boot = async () => {
      const parts = engineParts(storage, { pollMs: 20 });
      parts.define('wrong', () => (undefined as unknown as () => Promise<void>)());
      parts.define('other', async () => 'done');
      await parts.start();
      return parts;
    };
    const isBlocked = async () => (await storage.catalog.find(['w']))[0]!.reason === 'programming_error';
    const first = await boot();
    await first.client.start('wrong', undefined, { id: 'w' });
    await until('it to be blocked', isBlocked);
    await first.stop();
    const tries: unknown[] = [];
    const second = await boot();
    second.telemetry.on('run.left', (left) => tries.push(left));
    await until('it to be tried', () => tries.length > 0);
    await until('it to be blocked again', isBlocked);
    await second.stop();
    expect(news).toEqual([{ runId: 'w', workflow: 'wrong', status: 'suspended', reason: 'programming_error' }]);
  });
});
