import { type Answer, type Check, info, type Patient } from './check.js';
import { isListed, listOnPostgres, type OwnTable, ownTables } from './own-tables.js';
import { sql, type Statement } from '../sql/dialects/statement.js';

interface Size {
  name: string;
  /** As the server estimates it. */
  row_count: number | string;
  indexes: number | string;
  /** With its indexes, in bytes. */
  total: number | string;
}

const sizesOnPostgres = (tables: readonly OwnTable[]): Statement => sql`
  SELECT c.relname AS name, greatest(c.reltuples, 0) AS row_count, pg_indexes_size(c.oid) AS indexes,
    pg_total_relation_size(c.oid) AS total
  FROM ${listOnPostgres(tables)} ORDER BY 4 DESC`;

const sizesOnMysql = (tables: readonly OwnTable[]): Statement => sql`
  SELECT TABLE_NAME AS name, TABLE_ROWS AS row_count, INDEX_LENGTH AS indexes, DATA_LENGTH + INDEX_LENGTH AS total
  FROM information_schema.TABLES WHERE ${isListed(tables)} ORDER BY 4 DESC`;

const LARGEST = 3;
const GIGABYTE = 1e9;

const gigabytes = (bytes: number | string): string => (Number(bytes) / GIGABYTE).toFixed(1);

const look =
  (select: (tables: readonly OwnTable[]) => Statement) =>
  async (patient: Patient): Promise<Answer> => {
    const sizes = await patient.ask<Size>(select(ownTables(patient)));
    const total = sizes.reduce((sum, one) => sum + Number(one.total), 0);
    if (total < patient.limits.size) return [];
    const largest = sizes
      .slice(0, LARGEST)
      .map(
        ({ name, total: bytes, indexes, row_count }) =>
          `"${name}" ${gigabytes(bytes)} GB (${gigabytes(indexes)} of indexes, about ${Math.round(Number(row_count))} rows)`,
      );
    return [info(`Our tables take ${gigabytes(total)} GB: ${largest.join(', ')}. See docs/operating.md on retention`)];
  };

export const sizeCheck: Check = {
  id: 'sizes',
  group: 'upkeep',
  meaning: 'Our tables are not large',
  looks: { postgres: look(sizesOnPostgres), mysql: look(sizesOnMysql), mariadb: look(sizesOnMysql) },
};
