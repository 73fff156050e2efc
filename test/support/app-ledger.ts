import { write } from './app-transactions.js';
import type { House } from './processes.js';

/** A table of the app, to which its transactions add a line. */
export interface AppLedger {
  /** By what `ctx.transaction` was given. */
  enter: (handle: unknown, entry: string) => Promise<unknown>;
  /** What was committed, in the order of the alphabet. */
  ledger: () => Promise<string[]>;
}

/** Empty before each test of the block. */
export function appLedger(house: () => House): AppLedger {
  beforeEach(async () => {
    await house().backend!.query('CREATE TABLE IF NOT EXISTS app_ledger (entry varchar(64) NOT NULL)');
    await house().backend!.query('DELETE FROM app_ledger');
  });
  return {
    enter: (handle, entry) => write(house().backend!.orm, handle, `INSERT INTO app_ledger (entry) VALUES ('${entry}')`),
    ledger: async () => {
      const rows = await house().backend!.query<{ entry: string }>('SELECT entry FROM app_ledger ORDER BY entry');
      return rows.map(({ entry }) => entry);
    },
  };
}
