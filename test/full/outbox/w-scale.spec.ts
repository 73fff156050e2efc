import { type OpenBackend, describeDatabases } from '../../support/backends.js';
import { openOutbox, type OpenOutbox } from '../../support/outbox-app.js';
import { contend } from '../../support/outbox-oracle.js';
import { sized } from '../../support/tiers.js';

const EVENTS = sized(20_000, 6_000);

// What is measured is the database's and ours; the other pairs have the same cases at a smaller scale.
describeDatabases(
  'an outbox under load',
  (at) => {
    let backend: OpenBackend;
    let open: OpenOutbox;
    beforeAll(async () => {
      backend = await at.open({ poolMax: 13 });
      open = await openOutbox(backend);
    });
    afterAll(() => backend.close());

    it.each([
      ['published', ['publish'], 12],
      ['published or inserted', ['publish', 'insert'], 4],
    ] as const)(`2, 3: keeps the order of ${EVENTS} events that are %s`, async (_, ways, perTransaction) => {
      const transactions = Math.ceil(EVENTS / (perTransaction * 2));
      const load = { writers: 12, transactions, channels: 24, perTransaction, events: 2, ways };
      const { ms, ...account } = await contend(backend, open, load);
      process.stdout.write(
        `outbox: ${account.committed} events ${ways.join('/')} in ${transactions} transactions: ${ms} ms, ${Math.round((account.committed / ms) * 1_000)}/s\n`,
      );
      expect(account).toMatchObject({ lost: 0, extra: 0, inversions: 0, ownConflicts: 0, failures: [] });
      expect(account.committed).toBe(transactions * perTransaction * 2);
    });
  },
  { only: ({ orm, db }) => orm === 'typeorm' && db === 'postgres' },
);
