import { HeldNames } from '../../../../lib/acts/holds.js';
import { engineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { gate } from '../../../support/gate.js';
import { mortal } from '../../../support/mortal-storage.js';
import { until } from '../../../support/until.js';

const by = { actor: 'ada', reason: 'the bank is down' };

describe('a run of a held workflow', () => {
  it('begins nothing, and gives the run back, if a claim of it is under way', async () => {
    const shared = memoryStorage();
    const arrives = gate();
    let isUnderWay = false;
    const { storage } = mortal(shared, {
      after: async (call, _, answer) => {
        if (call !== 'store.claim' || (answer as unknown[]).length === 0) return;
        isUnderWay = true;
        await arrives.opened;
      },
    });
    const held = new HeldNames(storage.holds, { namespace: '', notified: () => true, onError: () => undefined });
    const { client, ...parts } = engineParts(storage, { held, pollMs: 20 });
    let steps = 0;
    parts.define('payout', (ctx) => ctx.step('pay', () => ++steps));
    await held.start();
    await parts.start();
    await client.start('payout', undefined, { id: 'payout' });
    await until('the claim to be under way', () => isUnderWay);
    await client.hold({ workflow: 'payout' }, by);
    await until('the hold to be known', () => held.isHeld('workflow', 'payout'));
    arrives.open();
    const ownerOf = async () => (await shared.catalog.find(['payout']))[0]!.owner;
    await until('the run to be given back', async () => (await ownerOf()) === null);
    expect(steps).toBe(0);
    await client.lift({ workflow: 'payout' }, by);
    await expect(client.result('payout')).resolves.toBe(1);
    await Promise.all([held.stop(), parts.stop()]);
  });

  it('is not claimed until the hold is lifted', async () => {
    let claims = 0;
    const counting = (call: string, answer: unknown) => {
      if (call === 'store.claim') claims += (answer as unknown[]).length;
    };
    const { storage } = mortal(memoryStorage(), { after: (call, _, answer) => counting(call, answer) });
    const held = new HeldNames(storage.holds, { namespace: '', notified: () => true, onError: () => undefined });
    const { client, engine, ...parts } = engineParts(storage, { held, pollMs: 20 });
    parts.define('payout', (ctx) => ctx.step('pay', () => 1));
    parts.define('other', async () => 'done');
    await client.hold({ workflow: 'payout' }, by);
    await held.start();
    await parts.start();
    await client.start('payout', undefined, { id: 'payout' });
    engine.wake();
    // Claimed later than the held one would have been.
    await expect(client.startAndWait('other')).resolves.toBe('done');
    expect(claims).toBe(1);
    await client.lift({ workflow: 'payout' }, by);
    await expect(client.result('payout')).resolves.toBe(1);
    await Promise.all([held.stop(), parts.stop()]);
  });
});
