import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { type Dialect, render } from '../../sql/dialects/dialect.js';
import type { Statement } from '../../sql/dialects/statement.js';
import { MAX_BYTES } from '../tables/sql-outbox-tables.js';

/**
 * PostgreSQL: stands for the schema in which the connection that runs a script creates tables. Bodies of functions and
 * the names of triggers contain the schema, but a script has no connection. One byte, since names have a limit.
 */
export const CURRENT_SCHEMA = '\u0001';

/** What a reader of the script sees in its place. */
const SHOWN = '{schema}';

/** What is made of a name with the current schema in it must not be shortened: the script could not do it. */
interface Derived {
  readonly table: string;
  readonly prefix: string;
}

/**
 * Renders statements, of which those with {@link CURRENT_SCHEMA} find out its name when they run.
 *
 * @throws InvalidArgumentError if the names leave no place for that of a schema.
 */
export function scriptTexts(dialect: Dialect, statements: readonly Statement[], derived: Derived): string[] {
  const texts = statements.map((statement) => render(statement, dialect).text);
  if (!texts.some((text) => text.includes(CURRENT_SCHEMA))) return texts;
  return [checkSchema(derived), ...texts.map(inCurrentSchema)];
}

const inCurrentSchema = (text: string): string =>
  text.includes(CURRENT_SCHEMA)
    ? `DO $here$ BEGIN EXECUTE replace($statement$${text.replaceAll(CURRENT_SCHEMA, SHOWN)}$statement$, '${SHOWN}', current_schema()); END $here$`
    : text;

/** Names with quotes would have to be escaped in as many ways as there are places. */
function checkSchema({ table, prefix }: Derived): string {
  const longest =
    MAX_BYTES - Math.max(...[`_${table}_trigger`, `.${prefix}_outbox`].map((name) => Buffer.byteLength(name)));
  if (longest < 1) throw new InvalidArgumentError('outbox.schema', undefined, `the schema of the table "${table}"`);
  return `DO $here$ BEGIN
  IF current_schema() IS NULL OR current_schema() ~ '["''\\\\]' OR octet_length(current_schema()) > ${longest} THEN
    RAISE EXCEPTION 'The schema % of this connection cannot be used by itself: name it, in outbox.schema and outbox.appSchema',
      coalesce(quote_ident(current_schema()), '(none)');
  END IF;
END $here$`;
}
