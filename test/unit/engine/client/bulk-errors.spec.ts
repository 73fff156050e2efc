import { DatabaseError } from '../../../../lib/core/errors.js';
import { engineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { mortal } from '../../../support/mortal-storage.js';

const by = { actor: 'ada', reason: 'ticket 4712' };
const RUNS = 20;

describe('a bulk whose database is away', () => {
  it('begins nothing more after an error, and changes the rest when it is called again', async () => {
    const asked: unknown[] = [];
    let isAway = true;
    const { storage } = mortal(memoryStorage(), {
      before: (call, [id]) => {
        if (call !== 'control.close') return;
        asked.push(id);
        if (isAway && id === 'r02') throw new DatabaseError('away', true);
      },
    });
    const { client } = engineParts(storage);
    for (let n = 0; n < RUNS; n++) await client.start('order', n, { id: `r${String(n).padStart(2, '0')}` });
    const bulk = () => client.cancelAll({ workflow: 'order' }, by).all();
    await expect(bulk()).rejects.toMatchObject({ code: 'DATABASE' });
    const { length } = asked;
    expect(length).toBeLessThan(RUNS / 2);
    isAway = false;
    expect(await bulk()).toMatchObject({ done: RUNS - (length - 1) });
    const { runs } = await client.list({ status: 'cancelled' });
    expect(runs).toHaveLength(RUNS);
  });
});
