import type { DriverConnection } from './driver-connection.js';
import { preparedTexts } from './prepared-texts.js';
import type { SqlValue } from './statement.js';

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
export function pgQuery(text: string, values: readonly SqlValue[]): PgQuery {
  const name = preparedTexts.nameOf(text);
  return { text, values, types: pgTypes, ...(name === undefined ? {} : { name }) };
}

export function pgConnection(client: PgClient): DriverConnection {
  return {
    execute: async ({ text, params }) => {
      const { rows, rowCount } = await client.query(pgQuery(text, params));
      return { rows, affected: rowCount ?? 0 };
    },
    command: async (text) => void (await client.query({ text })),
  };
}
