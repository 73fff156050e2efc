import { compare, stepIdOf } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import { amongKeys, deleteByKeys, deleteByNumbers } from '../sql/dialects.js';
import { connectionOf, type SqlConnection, type SqlTransaction } from '../sql/executor.js';
import { id, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { inParts, nowOf, onceNow, type Scope, TablesAdapter } from '../sql/tables.js';
import type { GivingUp } from './control.js';
import { deleteWaitsOfRuns, selectOpenSteps } from './control.sql.js';
import { deletePermitsOf } from './endings.sql.js';
import {
  ABANDONED_MS,
  type ErasedRows,
  type Erasure,
  type ErasureReads,
  type Mark,
  type MarkedRun,
  NO_ROWS,
  PUBLISHED,
  type PublishedStep,
  type RunErasure,
  type RunsHaving,
} from './erasure.js';
import { holdAttribute } from './run.js';
import { NO_ENDINGS } from './runs.js';
import { deleteSignals } from './signals.sql.js';
import { positionIn } from './step.js';

interface RunKey {
  id: string;
}

interface RowKey {
  id: string | number;
}

const START: Mark = { runId: '', seq: null };
/** The most children that one call of `follow` marks. */
const MOST_FOLLOWED = 1_000;

export class SqlRunErasure extends TablesAdapter implements RunErasure, ErasureReads {
  async having(query: RunsHaving): Promise<string[]> {
    const { rows } = await this.db.run<{ run_id: string }>(selectHaving(this.scope, query));
    return rows.map(({ run_id: runId }) => runId);
  }

  async published(runIds: readonly string[], after: Mark = START, limit: number): Promise<PublishedStep[]> {
    const found = selectPublished(this.scope, runIds, after, limit);
    const { rows } = await this.db.run<PublishedRow>(found);
    return rows.map(({ run_id: runId, seq, output }) => ({ runId, seq: Number(seq), output }));
  }

  async mark(erasure: Erasure, runIds: readonly string[], tx?: Transaction): Promise<void> {
    const ids = [...new Set(runIds)].sort();
    await inParts(connectionOf(this.db, tx), ids, (some) => insertMarks(this.scope, erasure, some));
  }

  follow(runIds: readonly string[]): Promise<number> {
    return this.db.transaction((tx) => this.followIn(tx, runIds));
  }

  async marked({
    namespace,
    erasureId,
    after = START,
    limit,
  }: Parameters<RunErasure['marked']>[0]): Promise<MarkedRun[]> {
    const found = selectMarks(this.scope, namespace, erasureId, after, limit);
    const { rows } = await this.db.run<MarkRow>(found);
    return rows.map((row) => ({
      runId: row.run_id,
      seq: seqOf(row),
      erasureId: row.erasure_id,
      discards: Number(row.discards) === 1,
      scheduleId: row.schedule_id,
      state: Number(row.found) === 0 ? 'missing' : row.finished_at === null ? 'open' : 'ended',
    }));
  }

  blank(marks: readonly Mark[], givingUp: GivingUp): Promise<ErasedRows> {
    return this.db.transaction((tx) => this.blankIn(tx, marks, givingUp));
  }

  sweep(runIds: readonly string[], limit: number): Promise<ErasedRows> {
    return this.db.transaction(async (tx) => {
      const ids = await idsOf(tx.run<RunKey>(lockErased(this.scope, runIds)));
      if (ids.length === 0) return NO_ROWS;
      const { steps, taken } = await this.sweepSteps(tx, ids, limit);
      const attempts = await this.sweepAttempts(tx, ids, limit);
      const lines = await idsOf(tx.run<RowKey>(selectLines(this.scope, ids, limit)));
      const logs = lines.length === 0 ? 0 : (await tx.run(deleteLines(this.scope, lines))).affected;
      const sent = await idsOf(tx.run<RowKey>(selectSent(this.scope, ids, limit)));
      const going = [...new Set([...sent, ...taken])];
      const signals = going.length === 0 ? 0 : (await tx.run(deleteSignals(this.scope, going))).affected;
      return { ...NO_ROWS, steps, attempts, logs, signals };
    });
  }

  /** Reads before it deletes: whatever begins in between begins after the erasure. */
  async unmark<M extends MarkedRun>(marks: readonly M[]): Promise<M[]> {
    if (marks.length === 0) return [];
    const ids = [...new Set(marks.map(({ runId }) => runId))];
    const anew = new Set(await idsOf(this.db.run<RunKey>(selectUnerased(this.scope, ids))));
    const over = marks.filter(({ runId }) => !anew.has(runId));
    if (over.length > 0) await this.db.run(deleteMarks(this.scope, over));
    return marks.filter(({ runId }) => anew.has(runId));
  }

  private async followIn(tx: SqlConnection, runIds: readonly string[]): Promise<number> {
    const { scope } = this;
    const children = await tx.run<FollowedRow>(selectUnmarkedChildren(scope, runIds, MOST_FOLLOWED));
    const parents = await tx.run<FollowedRow>(selectUnmarkedParents(scope, runIds));
    const found = [...children.rows, ...parents.rows].sort((a, b) => compare(a.run_id, b.run_id));
    if (found.length > 0) await inParts(tx, found, (some) => insertFollowed(scope, some));
    return found.length;
  }

  private async blankIn(tx: SqlTransaction, marks: readonly Mark[], givingUp: GivingUp): Promise<ErasedRows> {
    const { scope } = this;
    const asked = [...new Set(marks.map(({ runId }) => runId))];
    const ended = new Set(await idsOf(tx.run<RunKey>(lockEnded(scope, asked))));
    const there = marks.filter(({ runId }) => ended.has(runId));
    const ids = there.filter(({ seq }) => seq === null).map(({ runId }) => runId);
    const lone = there.flatMap(({ runId, seq }) => (seq === null ? [] : [{ run_id: runId, seq }]));
    const steps = lone.length === 0 ? 0 : await this.blankAlone(tx, lone);
    if (ids.length === 0) return { ...NO_ROWS, steps };
    // A run may have begun children until it ended.
    while ((await this.followIn(tx, ids)) >= MOST_FOLLOWED);
    await this.withdraw(tx, ids, givingUp);
    const runs = (await tx.run(blankRuns(scope, ids))).affected;
    const attributes = (await tx.run(deleteAttributesOf(scope, ids))).affected;
    // Queued tasks of ended runs.
    await tx.run(deletePermitsOf(scope, ids));
    return { ...NO_ROWS, runs, steps, attributes };
  }

  private async blankAlone(tx: SqlConnection, keys: readonly StepKeyRow[]): Promise<number> {
    const { affected } = await tx.run(blankSteps(this.scope, keys));
    await tx.run(blankAttemptsAt(this.scope, keys));
    const runIds = [...new Set(keys.map(({ run_id: runId }) => runId))];
    await tx.run(noteErased(this.scope, runIds));
    return affected;
  }

  /** Tasks and answers of steps that nobody waits for any more, and waits for signals. */
  private async withdraw(tx: SqlTransaction, runIds: readonly string[], givingUp: GivingUp): Promise<void> {
    const { rows } = await tx.run<StepKeyRow>(selectOpenSteps(this.scope, runIds));
    const withdrawn = rows.map(({ run_id: runId, seq }) => stepIdOf(runId, Number(seq))).sort();
    if (withdrawn.length === 0) return;
    await givingUp({ ...NO_ENDINGS, withdrawn }, tx);
    await tx.run(deleteWaitsOfRuns(this.scope, withdrawn));
  }

  /** Returns the ids of the signals that these steps took, too. */
  private async sweepSteps(
    tx: SqlConnection,
    runIds: readonly string[],
    limit: number,
  ): Promise<{ steps: number; taken: (string | number)[] }> {
    const { rows } = await tx.run<StepKeyRow>(selectSteps(this.scope, runIds, limit));
    if (rows.length === 0) return { steps: 0, taken: [] };
    const positions = rows.flatMap(({ run_id, taken }) => positionIn(taken).map((at) => ({ ...at, run_id })));
    const taken = positions.length === 0 ? [] : await idsOf(tx.run<RowKey>(selectTaken(this.scope, positions)));
    const steps = (await inParts(tx, rows, (some) => blankSteps(this.scope, some))).affected;
    return { steps, taken };
  }

  private async sweepAttempts(tx: SqlConnection, runIds: readonly string[], limit: number): Promise<number> {
    const { rows } = await tx.run<StepKeyRow>(selectAttempts(this.scope, runIds, limit));
    return rows.length === 0 ? 0 : (await tx.run(blankAttemptsAt(this.scope, rows))).affected;
  }
}

const idsOf = async <Id>(found: Promise<{ rows: { id: Id }[] }>): Promise<Id[]> =>
  (await found).rows.map(({ id }) => id);

type Int = number | string;

/** The `seq` of a mark of a whole run: no position is as low. */
const WHOLE = -2_000_000_000;

const KEYS = { run_id: 'key', seq: 'int' } as const;
const NOT_PUBLISHED = raw(`NOT (s.kind = 'marker' AND COALESCE(s.ref, '') = '${PUBLISHED}')`);

export interface MarkRow {
  run_id: string;
  seq: Int;
  erasure_id: string;
  discards: Int;
  found: Int;
  finished_at: Int | null;
  schedule_id: string | null;
}

export const seqOf = ({ seq }: Pick<MarkRow, 'seq'>): number | null => (Number(seq) === WHOLE ? null : Number(seq));

const rowsOf = ({ dialect }: Scope, marks: readonly Mark[]): Statement =>
  dialect.rows(
    marks.map(({ runId, seq }) => ({ run_id: runId, seq: seq ?? WHOLE })),
    KEYS,
  );

type Attribute = RunsHaving['attributes'][number];

const fits = (alias: string, [name, value]: Attribute): Statement => {
  const { type, text, number } = holdAttribute(value);
  return sql`${raw(alias)}.name = ${name} AND ${raw(alias)}.type = ${type} AND ${raw(`${alias}.${text === null ? 'number' : 'text'}_value`)} = ${text ?? number}`;
};

/** Reads the index of the first attribute in the order of the ids. */
export const selectHaving = (
  { tables }: Scope,
  { namespace, attributes: [first, ...further], after, limit }: RunsHaving,
): Statement => {
  const others = further.map(
    (one) => sql`AND EXISTS (SELECT 1 FROM ${tables.attributes} AS b WHERE b.run_id = a.run_id AND ${fits('b', one)})`,
  );
  return sql`
  SELECT a.run_id FROM ${tables.attributes} AS a
  WHERE a.namespace = ${namespace} AND ${fits('a', first!)} AND a.run_id > ${after} ${join(others, ' ')}
  ORDER BY a.run_id LIMIT ${int(limit)}`;
};

const COLUMNS = raw('run_id, seq, namespace, erasure_id, discards, asked_at');

/** Runs of other namespaces are not marked. */
export const insertMarks = (scope: Scope, erasure: Erasure, runIds: readonly string[]): Statement => {
  const { tables, dialect } = scope;
  const listed = rowsOf(
    scope,
    runIds.map((runId) => ({ runId, seq: null })),
  );
  return sql`
  INSERT INTO ${tables.erasures} (${COLUMNS})
  SELECT n.run_id, n.seq, ${erasure.namespace}, ${erasure.id}, ${dialect.cast(erasure.discards ? 1 : 0, 'int')}, ${nowOf(scope)}
  FROM ${listed} AS n LEFT JOIN ${tables.runs} AS r ON r.id = n.run_id
  WHERE r.id IS NULL OR r.namespace = ${erasure.namespace}
  ${dialect.onConflictUpdate([id('run_id'), id('seq')], (incoming) => sql`erasure_id = ${incoming('erasure_id')}, discards = ${incoming('discards')}`)}`;
};

/** The whole run of each child of these marked runs that is not marked. */
export const selectUnmarkedChildren = (
  { tables, dialect }: Scope,
  runIds: readonly string[],
  limit: number,
): Statement => sql`
  SELECT r.id AS run_id, ${int(WHOLE)} AS seq, r.parent_id AS of_run FROM ${tables.runs} AS r
  WHERE r.parent_id ${amongKeys(dialect, runIds)}
    AND NOT EXISTS (SELECT 1 FROM ${tables.erasures} AS e WHERE e.run_id = r.id AND e.seq = ${int(WHOLE)})
  LIMIT ${int(limit)}`;

/** The steps of parents that wait, or have waited, for these runs. */
export const selectUnmarkedParents = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT r.parent_id AS run_id, r.parent_seq AS seq, r.id AS of_run FROM ${tables.runs} AS r
  WHERE r.id ${amongKeys(dialect, runIds)} AND r.parent_id IS NOT NULL AND r.parent_seq IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM ${tables.erasures} AS e
      WHERE e.run_id = r.parent_id AND (e.seq = r.parent_seq OR e.seq = ${int(WHOLE)}))`;

export interface FollowedRow {
  run_id: string;
  seq: Int;
  of_run: string;
}

/** For the erasures of the runs that they belong to. */
export const insertFollowed = (scope: Scope, followed: readonly FollowedRow[]): Statement => {
  const { tables, dialect } = scope;
  const rows = dialect.rows(followed, { ...KEYS, of_run: 'key' });
  const insert = sql`
  INSERT INTO ${tables.erasures} (${COLUMNS})
  SELECT n.run_id, n.seq, e.namespace, e.erasure_id, e.discards, e.asked_at
  FROM ${rows} AS n JOIN ${tables.erasures} AS e ON e.run_id = n.of_run AND e.seq = ${int(WHOLE)}
  WHERE true`;
  return dialect.insertOrKeep(insert, [id('run_id'), id('seq')]);
};

/** `of`: the marks of one erasure. Otherwise those that nobody else erases. */
export const selectMarks = (
  scope: Scope,
  namespace: string,
  of: string | undefined,
  after: Mark,
  limit: number,
): Statement => {
  const seq = after.seq ?? WHOLE;
  return sql`
  SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM ${scope.tables.erasures} AS e LEFT JOIN ${scope.tables.runs} AS r ON r.id = e.run_id
  WHERE ${of === undefined ? sql`e.namespace = ${namespace} AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < ${onceNow(scope)} - ${int(ABANDONED_MS)}))` : sql`e.erasure_id = ${of}`}
    AND e.run_id >= ${after.runId} AND (e.run_id > ${after.runId} OR e.seq > ${int(seq)})
  ORDER BY e.run_id, e.seq LIMIT ${int(limit)}`;
};

/** In the order of all writers. */
export const lockEnded = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs} ${dialect.forceIndex()}
  WHERE id ${amongKeys(dialect, runIds)} AND finished_at IS NOT NULL ORDER BY id FOR UPDATE`;

/** Only runs that were blanked, and not a later run with the same id. */
export const lockErased = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs} ${dialect.forceIndex()}
  WHERE id ${amongKeys(dialect, runIds)} AND finished_at IS NOT NULL AND erased_at IS NOT NULL ORDER BY id FOR UPDATE`;

/** What a run holds besides ids, names and times. */
const TEXTS = ['reason_detail', 'input', 'output', 'error', 'limits', 'custom_status', 'resume', 'context'];

/** Affects only runs of which something was left. */
export const blankRuns = (scope: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} ${scope.dialect.forceIndex()} SET ${raw(TEXTS.map((column) => `${column} = NULL`).join(', '))},
    erased_at = COALESCE(erased_at, ${nowOf(scope)})
  WHERE id ${amongKeys(scope.dialect, runIds)}
    AND (erased_at IS NULL OR ${raw(TEXTS.map((column) => `${column} IS NOT NULL`).join(' OR '))})`;

/** For parents of which only a step is blanked. */
export const noteErased = (scope: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} ${scope.dialect.forceIndex()} SET erased_at = ${nowOf(scope)}
  WHERE id ${amongKeys(scope.dialect, runIds)} AND erased_at IS NULL`;

export const deleteAttributesOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.attributes, 'run_id', runIds);

export interface StepKeyRow {
  run_id: string;
  seq: Int;
  attempt?: Int;
  /** `<channel>:<position>` of the signal that it took. */
  taken?: string | null;
}

const HAS_TEXT = raw('(s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL)');

/** The next steps of which something is left. */
export const selectSteps = ({ tables, dialect }: Scope, runIds: readonly string[], limit: number): Statement => sql`
  SELECT s.run_id, s.seq, CASE WHEN s.kind = 'signal' THEN s.ref END AS taken FROM ${tables.steps} AS s
  WHERE s.run_id ${amongKeys(dialect, runIds)} AND ${HAS_TEXT} AND ${NOT_PUBLISHED}
  ORDER BY s.run_id, s.seq LIMIT ${int(limit)}`;

const keysOf = (dialect: Scope['dialect'], keys: readonly StepKeyRow[]): Statement =>
  dialect.rows(
    keys.map(({ run_id, seq }) => ({ run_id, seq: Number(seq) })),
    KEYS,
  );

export const blankSteps = ({ tables, dialect }: Scope, keys: readonly StepKeyRow[]): Statement =>
  dialect.updateFrom({
    table: tables.steps,
    as: 's',
    from: sql`${keysOf(dialect, keys)} AS g`,
    on: sql`s.run_id = g.run_id AND s.seq = g.seq AND ${HAS_TEXT}`,
    set: { input: raw('NULL'), output: raw('NULL'), error: raw('NULL') },
  });

/** The errors of all attempts at these positions. */
export const blankAttemptsAt = ({ tables, dialect }: Scope, keys: readonly StepKeyRow[]): Statement =>
  dialect.updateFrom({
    table: tables.attempts,
    as: 'a',
    from: sql`${keysOf(dialect, keys)} AS g`,
    on: sql`a.run_id = g.run_id AND a.seq = g.seq AND a.error IS NOT NULL`,
    set: { error: raw('NULL') },
  });

/** The next positions with attempts of which something is left. */
export const selectAttempts = ({ tables, dialect }: Scope, runIds: readonly string[], limit: number): Statement => sql`
  SELECT DISTINCT a.run_id, a.seq FROM ${tables.attempts} AS a
  WHERE a.run_id ${amongKeys(dialect, runIds)} AND a.error IS NOT NULL LIMIT ${int(limit)}`;

export const selectLines = ({ tables, dialect }: Scope, runIds: readonly string[], limit: number): Statement =>
  sql`SELECT id FROM ${tables.logs} WHERE run_id ${amongKeys(dialect, runIds)} LIMIT ${int(limit)}`;

export const deleteLines = ({ tables, dialect }: Scope, ids: readonly Int[]): Statement =>
  deleteByNumbers(dialect, tables.logs, 'id', ids);

/** Signals that were sent to these runs, taken or not. */
export const selectSent = ({ tables, dialect }: Scope, runIds: readonly string[], limit: number): Statement =>
  sql`SELECT id FROM ${tables.signals} WHERE target ${amongKeys(dialect, runIds)} AND addressed = 'run' LIMIT ${int(limit)}`;

/** Not those that another run has taken since, or is to take: a fork has the `ref`s of the run that took them. */
export const selectTaken = (
  { tables, dialect }: Scope,
  taken: readonly { channel: string; position: number; run_id: string }[],
): Statement => sql`
  SELECT g.id FROM ${dialect.rows(taken, { channel: 'key', position: 'int', run_id: 'key' })} AS n
  JOIN ${tables.signals} AS g ON g.channel = n.channel AND g.position = n.position AND g.taken_by = n.run_id`;

export interface PublishedRow {
  run_id: string;
  seq: Int;
  output: string;
}

export const selectPublished = (
  { tables, dialect }: Scope,
  runIds: readonly string[],
  after: Mark,
  limit: number,
): Statement => sql`
  SELECT s.run_id, s.seq, s.output FROM ${tables.steps} AS s
  WHERE s.run_id ${amongKeys(dialect, runIds)} AND s.kind = 'marker' AND s.ref = ${PUBLISHED} AND s.output IS NOT NULL
    AND (s.run_id > ${after.runId} OR (s.run_id = ${after.runId} AND s.seq > ${int(after.seq ?? WHOLE)}))
  ORDER BY s.run_id, s.seq LIMIT ${int(limit)}`;

/** Those of these runs that are under way, or have not been blanked since they ended. */
export const selectUnerased = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs} WHERE id ${amongKeys(dialect, runIds)} AND (finished_at IS NULL OR erased_at IS NULL)`;

export const deleteMarks = (scope: Scope, marks: readonly MarkedRun[]): Statement => {
  const rows = marks.map(({ runId, seq, erasureId }) => ({ run_id: runId, seq: seq ?? WHOLE, erasure_id: erasureId }));
  return scope.dialect.deleteFrom({
    table: scope.tables.erasures,
    as: 'e',
    from: sql`${scope.dialect.rows(rows, { ...KEYS, erasure_id: 'key' })} AS g`,
    on: raw('e.run_id = g.run_id AND e.seq = g.seq AND e.erasure_id = g.erasure_id'),
  });
};
