import type { Dialect } from './dialect.js';
import type { DriverConnection } from './driver-connection.js';
import type { KyselyTransaction } from './mikro-orm-transaction.js';
import { affectedRows } from './mysql-result.js';
import { pgQuery } from './pg-connection.js';

let queries = 0;

/**
 * A transaction of MikroORM 7, which hides its driver connection behind Kysely. Kysely hands text and values on as
 * they are, so on PostgreSQL the "text" may be the driver's own query object, with a name and our type parsers.
 */
export function kyselyConnection(
  dialect: Dialect,
  trx: KyselyTransaction,
): Pick<DriverConnection, 'execute' | 'interpolates'> {
  return {
    interpolates: dialect.family === 'mysql',
    execute: async ({ text, params }) => {
      const sql = dialect.family === 'postgres' ? pgQuery(text, params) : text;
      const { rows, numAffectedRows, insertId } = await trx.executeQuery({
        sql,
        parameters: params,
        query: { kind: 'RawNode' },
        queryId: { queryId: `durable-${++queries}` },
      });
      const affected = numAffectedRows === undefined ? rows.length : Number(numAffectedRows);
      return { rows, affected: affectedRows(affected, insertId) };
    },
  };
}
