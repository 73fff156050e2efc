import { InvalidTransactionError } from '../errors/argument-errors.js';
import { toDatabaseError } from './database-errors.js';
import { type Dialect, render } from './dialects/dialect.js';
import type { DriverConnection } from './driver-connection.js';
import type { SqlConnection, SqlResult } from './sql-executor.js';
import type { Statement } from './dialects/statement.js';
import { refuseTooLarge } from './statement-size.js';

/** The caller's transaction for our statements. Throws once it is over: then others may use its connection. */
export function joinedConnection(
  dialect: Dialect,
  isOpen: () => boolean,
  connect: () => Promise<Pick<DriverConnection, 'execute' | 'interpolates'>>,
): SqlConnection {
  return {
    dialect,
    run: async <Row>(statement: Statement): Promise<SqlResult<Row>> => {
      if (!isOpen())
        throw new InvalidTransactionError('The joined transaction has ended: await its statements inside its callback');
      try {
        const [connection, rendered] = [await connect(), render(statement, dialect)];
        await refuseTooLarge(connection, dialect, rendered);
        return (await connection.execute(rendered)) as SqlResult<Row>;
      } catch (error) {
        throw toDatabaseError(error);
      }
    },
  };
}
