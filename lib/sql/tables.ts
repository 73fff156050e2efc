import { StatementTooLargeError } from '../core/errors.js';
import { howManyFit } from '../core/loops.js';
import { type LogText, type Moment, type MomentQuery, quotedBytes } from '../core/protocol.js';
import { byFamily, type Dialect } from './dialects.js';
import type { SqlConnection, SqlExecutor, SqlResult } from './executor.js';
import { type Home, id, type Identifier, int, raw, sql, type Statement } from './statement.js';

/** The names of all our tables in one database, quoted by the dialect when rendered. */
export interface Tables {
  readonly prefix: string;
  readonly home: Home;
  readonly tasks: Identifier;
  readonly results: Identifier;
  readonly runs: Identifier;
  readonly steps: Identifier;
  readonly nodes: Identifier;
  readonly dependencies: Identifier;
  readonly attempts: Identifier;
  readonly logs: Identifier;
  readonly attributes: Identifier;
  readonly signals: Identifier;
  readonly channels: Identifier;
  readonly waits: Identifier;
  readonly startKeys: Identifier;
  readonly schedules: Identifier;
  readonly limiters: Identifier;
  readonly limiterEntries: Identifier;
  readonly acts: Identifier;
  readonly holds: Identifier;
  readonly erasures: Identifier;
  readonly samples: Identifier;
  readonly store: Identifier;
  readonly migrations: Identifier;
}

export function tablesWithPrefix(prefix: string, home: Home = { schema: undefined }): Tables {
  const table = (name: string) => id(`${prefix}_${name}`, home);
  return {
    prefix,
    home,
    tasks: table('transport_tasks'),
    results: table('transport_results'),
    runs: table('runs'),
    steps: table('steps'),
    nodes: table('nodes'),
    dependencies: table('run_dependencies'),
    attempts: table('step_attempts'),
    logs: table('step_logs'),
    attributes: table('run_attributes'),
    signals: table('signals'),
    channels: table('signal_channels'),
    waits: table('signal_waits'),
    startKeys: table('start_keys'),
    schedules: table('schedules'),
    limiters: table('limiters'),
    limiterEntries: table('limiter_entries'),
    acts: table('acts'),
    holds: table('holds'),
    erasures: table('erasures'),
    samples: table('samples'),
    store: table('store'),
    migrations: table('migrations'),
  };
}

/** Where the tables of a prefix are. */
export type Located = Pick<Tables, 'prefix' | 'home'>;

/**
 * Looks up where our tables are, unless it is known: in the schema that the options of the ORM name, or where the
 * connection finds them by their names alone. Tables that do not exist yet belong into the first of these.
 */
export const findTables = (db: SqlExecutor, { prefix, home }: Located, options?: Finding): Promise<void> =>
  findHome(db, home, `${prefix}_transport_tasks`, { ...options, preferred: db.schema });

export interface Finding {
  /** Only where the table exists: who creates it may still change where that will be. Default false. */
  existing?: boolean;
}

/** The same for any table. */
export async function findHome(
  db: SqlConnection,
  home: Home,
  table: string,
  { preferred, existing = false }: Finding & { preferred?: string | undefined } = {},
): Promise<void> {
  if (home.schema !== undefined) return;
  const { rows } = await db.run<{ name: string | null; found: boolean | number }>(
    selectSchema(db.dialect, table, preferred),
  );
  const [{ name, found } = { name: null, found: false }] = rows;
  if (found || !existing) home.schema = name ?? undefined;
}

function selectSchema(dialect: Dialect, table: string, preferred: string | undefined): Statement {
  const current = dialect.schemaOf({ schema: undefined });
  const otherwise = preferred === undefined ? current : dialect.literal(preferred);
  const isIn = (schema: Statement) =>
    sql`EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = ${schema} AND table_name = ${table})`;
  return byFamily(dialect, {
    postgres:
      () => sql`SELECT coalesce(f.name, ${otherwise}) AS name, f.name IS NOT NULL AS found FROM (SELECT coalesce(
        (SELECT n.nspname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
          WHERE c.relname = ${table} AND n.nspname = ${otherwise}),
        (SELECT n.nspname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
          WHERE c.oid = to_regclass(quote_ident(${table})))) AS name) AS f`,
    mysql: () =>
      sql`SELECT CASE WHEN f.preferred OR NOT f.is_current THEN ${otherwise} ELSE ${current} END AS name,
          f.preferred OR f.is_current AS found
        FROM (SELECT ${isIn(otherwise)} AS preferred, ${isIn(current)} AS is_current) AS f`,
  });
}

/** The current time inside a statement, epoch ms: `() => dialect.now`, or a test's clock as a parameter. */
export type SqlNow = () => Statement;

/** The context of a statement that uses the time. */
export interface Clocked {
  readonly dialect: Dialect;
  readonly now: SqlNow;
}

/** The context of the statements on runs and tasks, besides their values. */
export interface Scope extends Clocked {
  readonly tables: Tables;
}

/** What adapters have in common: where their statements run, and what these are rendered for. */
export abstract class SqlAdapter<S = Scope> {
  constructor(
    protected readonly db: SqlExecutor,
    protected readonly scope: S,
  ) {}
}

/** `now`: the time of the statements. Default: that of the database. */
export abstract class TablesAdapter<T = Tables> extends SqlAdapter<Clocked & { readonly tables: T }> {
  constructor(db: SqlExecutor, tables: T, now: SqlNow = () => db.dialect.now) {
    super(db, { tables, dialect: db.dialect, now });
  }
}

/** The time as an integer, even if it is a parameter. */
export const nowOf = ({ dialect, now }: Clocked): Statement => dialect.cast(now(), 'bigint');

/** The time for comparing an indexed column, or for writing to all rows of a statement. */
export const onceNow = (scope: Clocked): Statement => scope.dialect.once(nowOf(scope));

/** A log line of a run or of one of its steps. */
export interface KeptLine extends LogText {
  runId: string;
  seq: number | null;
  attempt: number | null;
  loggedAt: number;
}

const LINES = {
  n: 'int',
  run_id: 'key',
  seq: 'int',
  attempt: 'int',
  level: 'key',
  message: 'text',
  fields: 'text',
  logged_at: 'int',
} as const;

/** Inserts lines in the given order. `where` filters the lines, called `l`. Default: all. */
export const insertLogLines = (
  logs: Identifier,
  dialect: Dialect,
  lines: readonly KeptLine[],
  where = raw(''),
): Statement => {
  const rows = lines.map(({ runId, loggedAt, ...line }, n) => ({ ...line, n, run_id: runId, logged_at: loggedAt }));
  const columns = raw('run_id, seq, attempt, level, message, fields, logged_at');
  return sql`
  INSERT INTO ${logs} (${columns})
  SELECT ${columns} FROM ${dialect.rows(rows, LINES)} AS l ${where} ORDER BY l.n`;
};

type Int = number | string;

/** A moment of a story, as a statement returns it. */
export interface MomentRow {
  moment: Int;
  run: Int;
  stage: Int;
  what: Int;
  item: Int;
}

export const momentOf = ({ moment, run, stage, what, item }: MomentRow): Moment => ({
  at: Number(moment),
  run: Number(run),
  stage: Number(stage),
  what: Number(what),
  item: String(item),
});

/** The runs of a story as rows `run_id`, `run`. */
export const rowsOfRuns = (dialect: Dialect, runIds: readonly string[]): Statement =>
  dialect.rows(
    runIds.map((run_id, run) => ({ run_id, run })),
    { run_id: 'key', run: 'int' },
  );

export interface NextMoments extends Omit<MomentQuery, 'runIds'> {
  /** What the moments belong to: the rows `f` of all branches. */
  among: Statement;
  /** SELECTs of `moment, run, stage, what, item` and more, with UNION ALL between them. */
  branches: Statement;
  items: 'bigint' | 'text';
}

/** The next moments of one source, in order. Sorts only what belongs to the runs of the story. */
export function nextMoments(dialect: Dialect, { among, branches, items, past, limit }: NextMoments): Statement {
  return sql`
  WITH f AS (SELECT * FROM ${among} AS listed)
  SELECT m.* FROM (${branches}) AS m ${past ? after(dialect, items, past) : raw('')}
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT ${int(limit)}`;
}

function after(dialect: Dialect, items: NextMoments['items'], { at, run, stage, what, item }: Moment): Statement {
  const number = (value: number) => dialect.cast(value, 'bigint');
  // Of another source: its kind of moment decides before the item does.
  const last = items === 'bigint' && !/^\d+$/.test(item) ? '0' : item;
  return sql`WHERE (m.moment, m.run, m.stage, m.what, m.item) > (${number(at)}, ${number(run)}, ${number(stage)}, ${number(what)}, ${dialect.cast(last, items)})`;
}

/** Keeps each statement short enough for a `statement_timeout` of some seconds. */
export const MOST_ROWS = 2_000;

/**
 * Runs a statement over rows: once if they are few and short and the server accepts all of them, otherwise in parts, in
 * order. Between two parts this process does other work. Returns the rows of all parts. Several parts are atomic only
 * inside a transaction.
 *
 * @throws StatementTooLargeError when a single row is too large.
 */
export async function inParts<Row, Item>(
  connection: SqlConnection,
  items: readonly Item[],
  statementOf: (items: readonly Item[]) => Statement,
): Promise<SqlResult<Row>> {
  const answers: SqlResult<Row>[] = [];
  for (let at = 0; at < items.length;) {
    const rest = items.slice(at, at + MOST_ROWS);
    const part = rest.slice(0, rest.length === 1 ? 1 : howManyFit(rest, MOST_ROWS, lengthOf));
    answers.push(...(await inHalves(part, (some) => connection.run<Row>(statementOf(some)))));
    at += part.length;
  }
  return joined(answers);
}

/** Of all texts in it, in characters. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const part of Object.values(value)) length += lengthOf(part);
  return length;
}

/**
 * Calls `work` with all items. If a statement is rejected as too large, calls it with each half, recursively. Returns
 * the result of each part. Before that statement, `work` must change nothing.
 *
 * @throws StatementTooLargeError when a single item is too large.
 */
export async function inHalves<Item, Answer>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Answer>,
): Promise<Answer[]> {
  try {
    return [await work(items)];
  } catch (error) {
    if (items.length < 2 || !isTooLarge(error)) throw error;
    const half = Math.ceil(items.length / 2);
    const first = await inHalves(items.slice(0, half), work);
    return [...first, ...(await inHalves(items.slice(half), work))];
  }
}

/** Rejected before it was sent, or longer than the maximum string of this process. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof StatementTooLargeError ||
  (error instanceof RangeError && error.message.includes('Invalid string length'));

const joined = <Row>(answers: readonly SqlResult<Row>[]): SqlResult<Row> => ({
  rows: answers.flatMap(({ rows }) => rows),
  affected: answers.reduce((sum, { affected }) => sum + affected, 0),
});

/** The limits of one statement: it fits into a packet of 1 MiB, the smallest configured limit in practice. */
const MOST_IN_PACKET = 1_000;
const MOST_BYTES = 450_000;
/** The approximate size of column names and short values. */
const ROW_BYTES = 150;

/**
 * Splits rows, in their order, into parts of one statement each. Servers reject packets that are too large, and some close
 * the connection. `textsOf` returns the long values of a row.
 */
export function inPackets<Row>(
  rows: readonly Row[],
  textsOf: (row: Row) => readonly (string | null | undefined)[],
): Row[][] {
  const sizeOf = (row: Row) => textsOf(row).reduce((sum, text) => sum + quotedBytes(text), ROW_BYTES);
  const left = [...rows];
  const packets: Row[][] = [];
  while (left.length > 0) packets.push(left.splice(0, howManyFit(left, MOST_IN_PACKET, sizeOf, MOST_BYTES)));
  return packets;
}
