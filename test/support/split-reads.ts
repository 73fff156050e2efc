import type { SqlConnection, SqlExecutor } from '../../lib/sql/executor.js';
import { Statement } from '../../lib/sql/statement.js';

/** As through a proxy that sends lone SELECTs to replicas, one after the other, and all else to the writer. */
export function splitReads(writer: SqlExecutor, replicas: readonly SqlConnection[]): SqlExecutor {
  let n = 0;
  const run: SqlConnection['run'] = (statement) => {
    const isRead = /^\s*SELECT\b/i.test(textOf(statement));
    return (isRead ? replicas[n++ % replicas.length] : writer)!.run(statement);
  };
  return Object.assign(Object.create(writer) as SqlExecutor, {
    dialect: writer.dialect,
    run,
    transaction: writer.transaction.bind(writer),
  });
}

/** The same data under another host's name. */
export const replicaOf = (server: SqlConnection, host: string): SqlConnection => ({
  dialect: server.dialect,
  run: (statement) => server.run(renamed(statement, host)),
});

const textOf = ({ strings, values }: Statement): string =>
  strings.map((text, i) => text + (values[i] instanceof Statement ? textOf(values[i]) : '')).join('');

const renamed = ({ strings, values }: Statement, host: string): Statement =>
  new Statement(
    strings.map((text) => text.replaceAll('@@hostname', `'${host}'`)),
    values.map((value) => (value instanceof Statement ? renamed(value, host) : value)),
  );
