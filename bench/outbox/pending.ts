import { type Address, onPostgres } from '../server.js';

/** `channel`: an expression of each event's number `n`. */
export const rowsOf = (count: number, channel: string): string => `
  INSERT INTO outbox (mutation_id, channel, name, data)
  SELECT 'm-' || n, ${channel}, 'changed', jsonb_build_object('n', n) FROM generate_series(1, ${count}) AS n`;

/** Pending events, without the triggers of those who insert one by one. */
export const fill = (address: Address, statements: readonly string[]): Promise<void> =>
  onPostgres(address, async (client) => {
    await client.query('SET session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
  });
