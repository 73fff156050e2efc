import fc from 'fast-check';
import { backends, describeDatabases } from '../../support/backends.js';
import { emptyTables } from '../../support/empty-tables.js';
import { sqlStorage } from '../../support/engine-storage.js';
import { checkRepairs } from '../../support/random/check-repairs.js';
import { liveRepaired } from '../../support/random/repaired-life.js';
import { type RepairedCase, repairedCases } from '../../support/random/repairs.js';

/** Few, one after the other, and others for each pair: most are played in memory, in `random-repairs-1` and `-2`. */
const EACH = Math.ceil(Number(process.env['DURABLE_CASES'] ?? 500) / 250);
const seed = Number(process.env['DURABLE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const alone = process.env['DURABLE_CASE'];

const told = (n: number, { message }: Error, one: RepairedCase): Error =>
  new Error(
    `${message}\nagain: DURABLE_SEED=${seed} DURABLE_CASE=${n}, and as many DURABLE_CASES\n${JSON.stringify(one)}`,
  );

describeDatabases('made-up workflows', (at) => {
  it('keep what they have done, whatever operators do to them', async () => {
    const backend = await at.open();
    const storage = await sqlStorage(backend);
    const own = seed + backends.findIndex(({ name }) => name === at.name);
    const sample = fc.sample(repairedCases, { numRuns: EACH, seed: own });
    try {
      for (const [n, one] of sample.entries()) {
        if (alone !== undefined && n !== Number(alone)) continue;
        await emptyTables(backend);
        await liveRepaired(one, storage)
          .then((lived) => checkRepairs(one, lived))
          .catch((error: Error) => {
            throw told(n, error, one);
          });
      }
    } finally {
      await storage.close();
      await backend.close();
    }
  });
});
