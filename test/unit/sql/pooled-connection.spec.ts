import { DatabaseError } from '../../../lib/core/errors.js';
import { type DriverConnection, TransactionInStep } from '../../../lib/sql/connections.js';
import { mysql } from '../../../lib/sql/dialects.js';
import { STATEMENT_MS } from '../../../lib/sql/pools.js';
import { sql } from '../../../lib/sql/statement.js';

/** A server with these variables, at READ COMMITTED; it refuses what `refuses` matches. */
function server(variables: Record<string, string>, refuses = /^$/) {
  const sent: string[] = [];
  const hear = async (text: string) => {
    sent.push(text);
    if (refuses.test(text)) throw Object.assign(new Error('refused'), { code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205 });
  };
  const connection: DriverConnection = {
    readCommitted: true,
    command: hear,
    execute: async ({ text }) => {
      await hear(text);
      const shown = Object.entries(variables).map(([Variable_name, Value]) => ({ Variable_name, Value }));
      return { rows: text.startsWith('SHOW') ? shown : [{ n: 1 }], affected: 1 };
    },
  };
  return { sent, tx: new TransactionInStep(connection, mysql, STATEMENT_MS) };
}

const NODE = { wsrep_on: 'ON', wsrep_sync_wait: '2' };
const SHOW = expect.stringMatching(/^SHOW VARIABLES/) as string;

describe('a transaction in step with its cluster', () => {
  it('says that it waits before it begins, and puts the session back at its end', async () => {
    const { tx, sent } = server(NODE);
    await tx.begin();
    await tx.run(sql`SELECT 1 AS n`);
    await tx.commit();
    const waits = 'SET SESSION wsrep_sync_wait = 3';
    const back = 'SET SESSION wsrep_sync_wait = 2';
    expect(sent).toEqual([SHOW, waits, 'START TRANSACTION', 'SELECT 1 AS n', 'COMMIT', back]);
    expect(tx.broken).toBe(false);
  });

  it('puts the session back also where the wait fails', async () => {
    const { tx, sent } = server(NODE, /^START/);
    await expect(tx.begin()).rejects.toThrow(DatabaseError);
    await tx.rollback();
    expect(sent.slice(-2)).toEqual(['ROLLBACK', 'SET SESSION wsrep_sync_wait = 2']);
    expect(tx.broken).toBe(false);
  });

  it('gives up a connection that cannot be put back', async () => {
    const { tx } = server(NODE, /= 2$/);
    await tx.begin();
    await tx.commit();
    expect(tx.broken).toBe(true);
  });

  it.each([{}, { wsrep_on: 'OFF', wsrep_sync_wait: '0' }])('is a plain one on a server with %j', async (variables) => {
    const { tx, sent } = server(variables);
    await tx.begin();
    await tx.commit();
    expect(sent).toEqual([SHOW, 'START TRANSACTION', 'COMMIT']);
  });
});
