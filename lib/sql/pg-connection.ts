import { unplanned } from './dialects/key-list.js';
import type { SqlValue } from './dialects/statement.js';
import type { DriverConnection } from './driver-connection.js';
import { preparedTexts } from './prepared-texts.js';

/**
 * Whether servers always cache plans. A role or database may set this for its sessions, so our connections query it
 * once each and adapt their statements.
 */
export class KeptPlans {
  private forced = false;
  private readonly asked = new WeakSet<object>();

  /** Queries each connection once; undefined if that was done. */
  learn(connection: object, ask: () => Promise<string | undefined>): Promise<void> | undefined {
    if (this.asked.has(connection)) return undefined;
    this.asked.add(connection);
    return ask().then(
      (mode) => void (this.forced ||= mode === 'force_generic_plan'),
      // A failed transaction cannot be queried; the next statement reports the error.
      () => void this.asked.delete(connection),
    );
  }

  /** The statement text to send. */
  textOf(text: string): string {
    return this.forced ? unplanned(text) : text;
  }
}

/** Shared by all connections of this process. */
const keptPlans = new KeptPlans();

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

/** The used part of `pg`'s Client. */
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

/** How results are parsed, independent of the app's type parsers: JSON and times stay text. */
const pgTypes = {
  getTypeParser: (oid: number): ((text: string) => unknown) => {
    if (NUMBERS.has(oid)) return Number;
    if (oid === INT8) return asInteger;
    return oid === BOOL ? (text) => text === 't' : asText;
  },
};

/** A statement in the form of `pg`. */
export function pgQuery(statement: string, values: readonly SqlValue[]): PgQuery {
  const text = keptPlans.textOf(statement);
  const name = preparedTexts.nameOf(text);
  return { text, values, types: pgTypes, ...(name === undefined ? {} : { name }) };
}

/** A prepared name exists already, or does not exist. */
const MIXED_UP = new Set<unknown>(['42P05', '26000']);

/**
 * Behind PgBouncer in transaction mode, a client's server connection changes, so its prepared statements are missing or
 * belong to another client. At the first sign of that, this process stops preparing statements.
 */
async function query(client: PgClient, text: string, values: readonly SqlValue[]): Promise<PgResult> {
  const named = pgQuery(text, values);
  try {
    return await client.query(named);
  } catch (error) {
    if (named.name === undefined || !MIXED_UP.has((error as { code?: unknown } | null)?.code)) throw error;
    preparedTexts.forgo();
    // In a transaction, which has failed, it fails again: then the first error is the cause.
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
