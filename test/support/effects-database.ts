import { ManualClock } from '../../lib/core/time.js';
import type { EffectGroup, EffectStorage } from '../../lib/effects/entries.js';
import { sqlEffectStorage } from '../../lib/effects/entries.sql.js';
import { type EffectTables, effectTables } from '../../lib/effects/tables.sql.js';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import { createNotifier, type Notifier } from '../../lib/sql/notifier.js';
import { sql } from '../../lib/sql/statement.js';
import type { EffectRow, EffectsFixture } from '../contract/conformance/effects.js';
import { inAppTransaction } from './app-transactions.js';
import type { Backend, OpenBackend } from './backends.js';
import { amongAwaited } from './effects-in-memory.js';
import { executorOf } from './engine-storage.js';
import { makeTables } from './our-tables.js';

/** The tables of effects in a database of their own. */
export interface EffectsDatabase {
  backend: OpenBackend;
  db: SqlExecutor;
  tables: EffectTables;
  notifier: Notifier;
  /** By the database's own clock. */
  storage: EffectStorage;
  /** With time in the test's hand. */
  fixture(): EffectsFixture;
  rows(): Promise<EffectRow[]>;
  /** Deletes all rows, so that one case knows nothing of another. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function effectsDatabase(at: Backend): Promise<EffectsDatabase> {
  const backend = await at.open({ poolMax: 12 });
  const db = executorOf(backend);
  const tables = effectTables('durable');
  await makeTables(backend, { outbox: false });
  const notifier = createNotifier(db, 'durable', () => undefined);
  const rows = async () => (await db.run<StoredRow>(selectRows(tables))).rows.map(rowOf);
  const fixture = (): EffectsFixture => {
    const clock = new ManualClock();
    const now = () => sql`${clock.now()}`;
    const groups: EffectGroup[] = [];
    const options = { now, awaited: amongAwaited(groups) };
    // Of a moment ago, before anything of this one was heard of: hints within the process are enough.
    const hints = createNotifier(db, 'durable', () => undefined);
    return {
      storage: sqlEffectStorage(db, tables, hints, options),
      clock,
      awaited: groups,
      withSink: (sink) => sqlEffectStorage(db, tables, hints, { ...options, sink }),
      inTransaction: (work) => inAppTransaction(at.orm, backend.handle, ({ handle }) => work(handle)),
      rows,
      recordUnknown: async ({ operation, subject }, type) =>
        void (await db.run(sql`INSERT INTO ${tables.audit} (event_id, type, operation, subject, details, recorded_at)
          VALUES ('later', ${type}, ${operation}, ${subject}, '{}', 1)`)),
    };
  };
  return {
    backend,
    db,
    tables,
    notifier,
    fixture,
    rows,
    storage: sqlEffectStorage(db, tables, notifier),
    empty: async () => {
      for (const table of [tables.effects, tables.audit]) await db.run(sql`DELETE FROM ${table}`);
    },
    close: async () => {
      await notifier.stop();
      await backend.close();
    },
  };
}

interface StoredRow {
  entry_id: string;
  status: EffectRow['status'];
  attempts: number;
  next_attempt_at: number | null;
  lease_until: number | null;
  claim_token: string | null;
  payload: string | null;
  last_error: string | null;
}

const selectRows = ({ effects }: EffectTables) => sql`
  SELECT entry_id, status, attempts, next_attempt_at, lease_until, claim_token, payload, last_error
  FROM ${effects} ORDER BY entry_id`;

const rowOf = (row: StoredRow): EffectRow => ({
  entryId: row.entry_id,
  status: row.status,
  attempts: row.attempts,
  dueAt: row.lease_until ?? row.next_attempt_at,
  token: row.claim_token,
  payload: row.payload,
  lastError: row.last_error,
});
