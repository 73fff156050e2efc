import mysql from 'mysql2/promise';
import pg from 'pg';
import { createDatabase, type FreshDatabase } from './fresh-database.js';
import type { ServerAddress } from './test-servers.js';

/** Runs statements on a connection of its own. */
interface Session {
  run(text: string): Promise<unknown>;
  end(): Promise<void>;
}

async function sessionOn({ db, host, port, user, password, database }: FreshDatabase): Promise<Session> {
  if (db === 'postgres') {
    const client = new pg.Client({ host, port, user, password, database });
    await client.connect();
    return { run: (text) => client.query(text), end: () => client.end() };
  }
  const connection = await mysql.createConnection({ host, port, user, password, database });
  return { run: (text) => connection.query(text), end: () => connection.end() };
}

/**
 * Transactions that have written and read, and stay open: in this database, in another one of the server, and one that
 * is prepared and that nobody ends. Returns what ends them.
 */
export async function openTransactions(backend: FreshDatabase, server: ServerAddress): Promise<() => Promise<void>> {
  const other = await createDatabase(backend.db, server);
  const isPostgres = backend.db === 'postgres';
  const sessions: Session[] = [];
  for (const database of [backend, other, backend]) {
    const session = await sessionOn(database);
    await session.run('CREATE TABLE IF NOT EXISTS elsewhere (n integer)');
    sessions.push(session);
  }
  const [here, there, prepared] = sessions as [Session, Session, Session];
  for (const { run } of [here, there]) {
    await run(isPostgres ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'START TRANSACTION WITH CONSISTENT SNAPSHOT');
    await run('INSERT INTO elsewhere VALUES (1)');
    await run('SELECT * FROM elsewhere');
  }
  const name = `'${backend.database}'`;
  const work = ['INSERT INTO elsewhere VALUES (2)'];
  for (const text of isPostgres
    ? ['BEGIN', ...work, `PREPARE TRANSACTION ${name}`]
    : [`XA START ${name}`, ...work, `XA END ${name}`, `XA PREPARE ${name}`])
    await prepared.run(text);
  return async () => {
    await prepared.run(isPostgres ? `ROLLBACK PREPARED ${name}` : `XA ROLLBACK ${name}`);
    for (const { run } of [here, there]) await run('ROLLBACK');
    for (const { end } of sessions) await end();
    await other.close();
  };
}
