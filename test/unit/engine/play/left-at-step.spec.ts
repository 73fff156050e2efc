import type { TelemetryEvents } from '../../../../lib/core/telemetry.js';
import { type Body, engineParts, type EngineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

const NOTHING = () => undefined;
const ONCE = { retry: false } as const;
const refuse = (message: string) => () => Promise.reject(new Error(message));

describe('A run that failed', () => {
  let parts: EngineParts;
  afterEach(() => parts.stop());

  const leftBy = async (run: Body) => {
    const left: TelemetryEvents['run.left'][] = [];
    parts = engineParts(memoryStorage());
    parts.telemetry.on('run.left', (event) => void left.push(event));
    parts.define('w', run);
    await parts.start();
    await parts.client.start('w', null, { id: 'run' });
    return until('its end', () => left.find(({ status }) => status === 'failed'));
  };

  it.each<[string, Body, object | undefined]>([
    ['whose error ended it', (ctx) => ctx.step('pay', refuse('no'), ONCE), { name: 'pay', seq: 0 }],
    [
      'whose error is the cause of what was thrown',
      (ctx) => ctx.step('pay', refuse('no'), ONCE).catch((cause) => Promise.reject(new Error('not paid', { cause }))),
      { name: 'pay', seq: 0 },
    ],
    [
      'whose error ended it, not that of one whose error the code caught',
      (ctx) =>
        Promise.all([ctx.step('pay', refuse('no'), ONCE), ctx.step('mail', refuse('late'), ONCE).catch(NOTHING)]),
      { name: 'pay', seq: 0 },
    ],
    [
      'whose error ended it, after it has undone the others',
      async (ctx) => {
        await ctx.step('book', NOTHING, { compensate: NOTHING });
        await ctx.step('pay', refuse('no'), ONCE);
      },
      { name: 'pay', seq: 1 },
    ],
    [
      'none, if the code caught the error and threw its own',
      async (ctx) => {
        await ctx.step('pay', refuse('no'), ONCE).catch(NOTHING);
        ctx.fail('not today');
      },
      undefined,
    ],
  ])('names the step %s', async (_, run, step) => {
    expect((await leftBy(run)).step).toEqual(step);
  });
});
