import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { OpenBackend } from './backends.js';
import type { ServerAddress } from './servers/server.mjs';
import { until } from './until.js';

/** A node that has stopped to apply what is committed on others. */
export interface BehindNode {
  /** Resolves once a statement of a client waits on the node, in the database. */
  waits(): Promise<void>;
  /** It goes on, and catches up. */
  release(): Promise<void>;
}

/** Far more than a statement takes that waits for nothing. */
const LONG_MS = 500;

const WAITING = `SELECT COUNT(*) AS n FROM information_schema.processlist
  WHERE db = DATABASE() AND user <> 'system user' AND command <> 'Sleep' AND time_ms > ${LONG_MS} AND id <> CONNECTION_ID()`;

/**
 * Stops `node` behind the one that `backend` writes to: of all that comes in one order it applies first what waits for a
 * lock here, on a table of nobody else.
 */
export async function holdBehind(
  backend: OpenBackend,
  { host, port, user, password }: ServerAddress,
): Promise<BehindNode> {
  const { database } = backend;
  await backend.query('CREATE TABLE held_behind (n integer PRIMARY KEY) ENGINE = InnoDB');
  const connection = await mysql.createConnection({ host, port, user, password, database });
  await until('the node has the table', () => connection.query('LOCK TABLES held_behind READ').catch(() => false));
  await backend.query('INSERT INTO held_behind VALUES (1)');
  return {
    waits: () =>
      until('a statement waits on the node', async () => {
        const [rows] = await connection.query<RowDataPacket[]>(WAITING);
        return Number(rows[0]?.n) > 0;
      }).then(() => undefined),
    release: () => connection.end(),
  };
}
