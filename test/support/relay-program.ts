import { compiled } from './compiled.js';
import type { FreshDatabase } from './fresh-database.js';
import { type Program, startProgram } from './programs.js';

export type RelayProgramDatabase = Pick<FreshDatabase, 'db' | 'host' | 'port' | 'user' | 'password' | 'database'>;

/** Of `programs/relay.ts`, a process that publishes the outbox of a database into the table `published`. */
export interface RelayProgramOptions {
  leaseMs: number;
  /** Default: `leaseMs`. */
  heartbeatTimeoutMs?: number;
  /** A file: once it is there, a lease has gone by on the clock of the process. */
  longAfter?: string;
  /** What each call takes. */
  eventMs: number;
  /** Events of one call. Default 1. */
  batchSize?: number;
  /** How many processes an event may kill. Default 3. */
  crashes?: number;
  /** Whether the process writes its name before each call, too. Default true. */
  begun?: boolean;
}

export interface RelayPrograms {
  start(options: RelayProgramOptions): Program;
}

/** Real processes that relay into `published`, which is made here. */
export async function relayPrograms(database: FreshDatabase): Promise<RelayPrograms> {
  const serial = database.db === 'postgres' ? 'bigserial' : 'bigint AUTO_INCREMENT';
  await database.query(
    `CREATE TABLE published (id ${serial} PRIMARY KEY, node varchar(40), channel varchar(100), event bigint, mutation_id varchar(191), phase varchar(20))`,
  );
  const file = compiled('test/support/programs/relay.js');
  const { db, host, port, user, password, database: name } = database;
  const DATABASE = JSON.stringify({ db, host, port, user, password, database: name } satisfies RelayProgramDatabase);
  return {
    start: (options) => {
      const RELAY = JSON.stringify({
        batchSize: 1,
        crashes: 3,
        begun: true,
        heartbeatTimeoutMs: options.leaseMs,
        longAfter: '',
        ...options,
      } satisfies Required<RelayProgramOptions>);
      return startProgram(file, [], { DATABASE, RELAY });
    },
  };
}

/** Once it publishes: how it is called among the nodes. */
export const relayNodeOf = (program: Program): string | undefined => /STARTED (\S+)/.exec(program.output())?.[1];
