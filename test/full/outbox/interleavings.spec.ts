import fc from 'fast-check';
import { SqlOutboxWriter } from '../../../lib/outbox/events.sql.js';
import { Outbox } from '../../../lib/outbox/outbox.js';
import { sqlRelayStorage } from '../../../lib/outbox/storage.sql.js';
import type { SqlConnection } from '../../../lib/sql/executor.js';
import { sql } from '../../../lib/sql/statement.js';
import { ManualClock } from '../../../lib/core/time.js';
import { type Backend, describeDatabases } from '../../support/backends.js';
import { inTransaction } from '../../support/outbox-app.js';
import { Interleaving, interleavings, type OutboxUnderTest, type Put } from '../../support/outbox-interleavings.js';
import { RelayHouse } from '../../support/relays.js';

const RUNS = 25;

const rolledBack = new Error('rolled back');
const silent = { local: () => undefined, publish: () => undefined };

/** Events of transactions of the app, and relays that go by a clock in the test's hand. */
function outboxOf({ backend, db, tables }: RelayHouse): OutboxUnderTest {
  const clock = new ManualClock();
  const outbox = new Outbox(new SqlOutboxWriter(db, tables, silent, 'commit'), { payloadBytes: 1_000 });
  const rows = (text: string) => backend.query(text);
  const isPending = backend.db === 'postgres' ? 'NOT o.processed' : 'o.processed = 0';
  const committed: Awaited<ReturnType<OutboxUnderTest['committed']>> = [];
  const numbersIn = async (tx: SqlConnection, top: Record<string, unknown> | undefined) => {
    if (backend.db === 'postgres') await tx.run(sql`SET CONSTRAINTS ALL IMMEDIATE`);
    const { rows: own } = await tx.run<{ sequence_id: unknown; channel: string; name: string }>(
      sql`SELECT sequence_id, channel, name FROM ${tables.outbox} WHERE sequence_id > ${Number(top?.['last'])}
        ORDER BY sequence_id`,
    );
    return own.map(({ sequence_id: id, channel, name }) => ({ channel, id: String(id), poison: name === 'poison' }));
  };
  return {
    clock,
    storage: () => sqlRelayStorage(db, tables, { retains: false, now: () => sql`${clock.now()}` }),
    write: async (puts: readonly Put[], commits: boolean) => {
      const [top] = await rows('SELECT COALESCE(MAX(sequence_id), 0) AS last FROM durable_outbox');
      let written: typeof committed = [];
      await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
        for (const { channel, poison } of puts)
          await outbox.publish({ channel, name: poison ? 'poison' : 'n' }, { transaction });
        const joined = db.join(transaction);
        // After the last work before the commit, which gives the numbers; after the commit a relay that stands still may
        // go on, and delete what it has delivered.
        joined.beforeCommit?.(
          async () => void joined.beforeCommit?.(async (tx) => void (written = await numbersIn(tx, top))),
        );
        if (!commits) throw rolledBack;
      }).then(
        () => void committed.push(...written),
        (error: unknown) => {
          if (error !== rolledBack) throw error;
        },
      );
    },
    committed: () => Promise.resolve(committed),
    leftovers: async () => {
      const found = [
        ...(await rows(`SELECT channel, 'pending' AS what FROM durable_outbox AS o WHERE ${isPending}`)),
        ...(await rows(`SELECT o.channel, 'below its position' AS what FROM durable_outbox AS o
          JOIN durable_outbox_channels AS c ON c.channel = o.channel WHERE ${isPending} AND o.sequence_id <= c.position`)),
        ...(await rows(`SELECT o.channel, 'pending and dead' AS what FROM durable_outbox AS o
          JOIN durable_outbox_dead AS d ON d.sequence_id = o.sequence_id WHERE ${isPending}`)),
        ...(await rows(
          `SELECT owner AS channel, 'owns a shard' AS what FROM durable_outbox_shards WHERE owner IS NOT NULL`,
        )),
        ...(await rows(`SELECT channel, 'in the way' AS what FROM durable_outbox_channels WHERE state IS NOT NULL`)),
      ];
      return found.map((row) => `${String(row['channel'])}: ${String(row['what'])}`);
    },
  };
}

// The statements are the same for both ORMs; what differs between them is held to the conformance cases.
const only = ({ orm }: Backend) => orm === 'typeorm';

const describeInterleavings = (at: Backend): void => {
  let house: RelayHouse;
  beforeAll(async () => {
    house = await RelayHouse.open(at);
  });
  afterAll(() => house?.close());

  it('are applied as they committed, but for those that are put aside', async () => {
    await fc.assert(
      fc.asyncProperty(interleavings, async (steps) => {
        const interleaving = new Interleaving(outboxOf(house));
        await interleaving.play(steps);
        const wrong = await interleaving.contradictions();
        await house.empty();
        expect(wrong).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
    );
  });
};

describeDatabases('events in any order of things', describeInterleavings, { only });
