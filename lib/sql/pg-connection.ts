import { unplanned } from './dialects/key-list.js';
import type { SqlValue } from './dialects/statement.js';
import type { DriverConnection } from './driver-connection.js';
import { preparedTexts } from './prepared-texts.js';

/**
 * Whether servers keep plans whatever they cost. What a role or a database sets for its sessions is theirs to choose, so
 * ours ask once for each connection of PostgreSQL, and write their statements for it.
 */
export class KeptPlans {
  private forced = false;
  private readonly asked = new WeakSet<object>();

  /** Asks once for each connection; undefined where that was done. */
  learn(connection: object, ask: () => Promise<string | undefined>): Promise<void> | undefined {
    if (this.asked.has(connection)) return undefined;
    this.asked.add(connection);
    return ask().then(
      (mode) => void (this.forced ||= mode === 'force_generic_plan'),
      // In a transaction that has failed nothing can be asked; what comes next says so.
      () => void this.asked.delete(connection),
    );
  }

  /** The statement as it should be sent. */
  textOf(text: string): string {
    return this.forced ? unplanned(text) : text;
  }
}

/** Shared by all connections of this process. */
export const keptPlans = new KeptPlans();

interface PgQuery {
  text: string;
  name?: string;
  values?: readonly SqlValue[];
  types?: typeof pgTypes;
}

export interface PgResult {
  rows: Record<string, unknown>[];
  rowCount: number | null;
}

/** The part of `pg`'s Client we use. */
export interface PgClient {
  query(query: PgQuery): Promise<PgResult>;
}

const BOOL = 16;
const INT8 = 20;
const NUMBERS = new Set([21, 23, 26, 700, 701]);

const asInteger = (text: string): number | string => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
};
const asText = (text: string): string => text;

/** How results are read, so that no type parser of the app's changes them: JSON and times stay text. */
export const pgTypes = {
  getTypeParser: (oid: number): ((text: string) => unknown) => {
    if (NUMBERS.has(oid)) return Number;
    if (oid === INT8) return asInteger;
    return oid === BOOL ? (text) => text === 't' : asText;
  },
};

/** A statement as `pg` takes it. */
export function pgQuery(statement: string, values: readonly SqlValue[]): PgQuery {
  const text = keptPlans.textOf(statement);
  const name = preparedTexts.nameOf(text);
  return { text, values, types: pgTypes, ...(name === undefined ? {} : { name }) };
}

/** A name that is taken, or that is not there. */
const MIXED_UP = new Set<unknown>(['42P05', '26000']);

/**
 * Behind PgBouncer in transaction mode a client is now on this connection of the server and now on that, so what it has
 * prepared is not there, or somebody else's. From the first sign of that nothing is prepared in this process.
 */
async function query(client: PgClient, text: string, values: readonly SqlValue[]): Promise<PgResult> {
  const named = pgQuery(text, values);
  try {
    return await client.query(named);
  } catch (error) {
    if (named.name === undefined || !MIXED_UP.has((error as { code?: unknown } | null)?.code)) throw error;
    preparedTexts.forgo();
    // In a transaction, which is over, it fails once more: then the first error says why.
    return client.query(pgQuery(text, values)).catch(() => Promise.reject(error as Error));
  }
}

async function planCacheMode(client: PgClient): Promise<string | undefined> {
  const { rows } = await client.query({ text: `SELECT current_setting('plan_cache_mode', true) AS mode` });
  return rows[0]?.mode as string | undefined;
}

export function pgConnection(client: PgClient): DriverConnection {
  return {
    execute: async ({ text, params }) => {
      const learning = keptPlans.learn(client, () => planCacheMode(client));
      if (learning) await learning;
      const { rows, rowCount } = await query(client, text, params);
      return { rows, affected: rowCount ?? 0 };
    },
    command: async (text) => void (await client.query({ text })),
  };
}
