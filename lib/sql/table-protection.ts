import { ConfigurationError } from '../errors/setup-errors.js';
import type { OwnTables, SqlExecutor } from './sql-executor.js';

/** What the configuration of the app's ORM lacks to leave our tables alone. */
export interface UnprotectedTables {
  /** For people, such as `durable_*`. */
  tables: string;
  /** What to write there. */
  lacking: readonly string[];
  /** Whether the schema commands of this process leave them alone nevertheless. */
  here: boolean;
}

/**
 * Keeps the schema commands of the app's ORM away from our tables. Returns what there is to tell: in development what the
 * configuration lacks, since commands outside of this process know only that; in production only if they could not be
 * kept away.
 *
 * @throws ConfigurationError in development, if they cannot be kept away.
 */
export function protectTables(
  executor: Pick<SqlExecutor, 'protectTables'>,
  prefix: string,
  own: OwnTables,
): UnprotectedTables | undefined {
  const { lacking = [], obstacle } = executor.protectTables?.(own) ?? {};
  const isProduction = process.env['NODE_ENV'] === 'production';
  if (lacking.length === 0 || (isProduction && !obstacle)) return undefined;
  const tables = `${prefix}_*`;
  if (obstacle && !isProduction)
    throw new ConfigurationError(
      `The schema commands of MikroORM would drop the tables ${tables} with all runs, and cannot be told so at runtime: ` +
        `${obstacle}. ${remedyOf(lacking)}`,
    );
  return { tables, lacking, here: !obstacle };
}

export const remedyOf = (lacking: readonly string[]): string =>
  `Put into the configuration of MikroORM (durableSkipTables is exported by nest-durable): ${lacking.join('; ')}`;
