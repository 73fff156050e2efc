import { WorkflowSignal } from '../../../../lib/engine/signals.js';
import { engineParts, type EngineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

const GO = new WorkflowSignal<number>('go');
const NOTHING = () => undefined;

describe('An option that is not known', () => {
  let parts: EngineParts;
  afterEach(() => parts.stop());

  it('is refused of a new call, and not of one that was recorded before it was refused', async () => {
    let plays = 0;
    parts = engineParts(memoryStorage(), { residencyMs: 10 });
    parts.define('child', () => Promise.resolve(1));
    parts.define('w', async (ctx) => {
      const options = plays++ === 0 ? {} : ({ gone: true } as object);
      await ctx.step('step', NOTHING, options);
      await ctx.executeChild('child', 1, options);
      await ctx.startChild('child', 1, options);
      await ctx.all('child', [1, 2], options);
      await ctx.waitForAny('any', { soon: ctx.timer(1), signal: ctx.signalWait(GO, options) });
      await ctx.waitForSignal('go', GO, { timeout: 1, ...options });
      void ctx.remote('charge', 1, options);
      await ctx.waitForSignal('parked', GO);
      await ctx.step('new', NOTHING, options);
    });
    let parked = false;
    parts.telemetry.on('run.left', ({ runId }) => (parked ||= runId === 'run'));
    await parts.start();
    await parts.client.start('w', null, { id: 'run' });
    await until('the park', () => parked);
    await parts.client.signal(GO, 1, { workflowId: 'run' });
    const { reasonDetail } = await until('the block', async () => {
      const status = await parts.client.getStatus('run');
      return status.reason !== null && status;
    });
    expect(plays).toBe(2);
    expect(reasonDetail).toContain('step "new" has no option "gone"');
  });
});
