import { engineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

const FAST = { attempts: 2, backoff: { delay: 1, factor: 1, jitter: 'none' } } as const;

describe('the next attempt of a local step', () => {
  it('does not wait for a branch that sleeps for long', async () => {
    const { client, ...parts } = engineParts(memoryStorage(), { pollMs: 20 });
    let calls = 0;
    parts.define('order', (ctx) =>
      Promise.all([
        ctx.sleep('an hour', '1h'),
        ctx.step(
          'charge',
          () => {
            if (++calls === 1) throw new Error('not yet');
          },
          { retry: FAST },
        ),
      ]),
    );
    await parts.start();
    await client.start('order', undefined, { id: 'order' });
    await until('the next attempt', () => calls === 2);
    await parts.stop();
  });
});
