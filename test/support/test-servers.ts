import { readFileSync } from 'node:fs';

export type DatabaseName = 'postgres' | 'mysql' | 'mariadb';

export interface ServerAddress {
  db: DatabaseName;
  host: string;
  port: number;
  user: string;
  password: string;
  version: string;
  pid: number;
}

interface TestServers {
  servers: ServerAddress[];
  missing: { db: DatabaseName; reason: string }[];
}

function read(): TestServers {
  const file = process.env['DURABLE_TEST_SERVERS'];
  if (!file) throw new Error('DURABLE_TEST_SERVERS is not set: run the tests by `npm test`, which starts the servers');
  return JSON.parse(readFileSync(file, 'utf8')) as TestServers;
}

/** The servers of this run, and why others are not there. */
export const { servers, missing } = read();

/** @throws Error when this machine has no server of that database. */
export function serverOf(db: DatabaseName): ServerAddress {
  const server = servers.find((candidate) => candidate.db === db);
  if (server) return server;
  throw new Error(`No ${db} server: ${missing.find((candidate) => candidate.db === db)?.reason ?? 'not started'}`);
}
