import type { Scope } from '../../sql/tables.js';
import { id, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { holdAttribute } from '../model/attributes.js';
import type { AttributeValue } from '../model/run.js';
import type { EndedAttempt, LogLine } from '../model/run-store.js';

/*
 * Notes on runs besides their histories: attributes, attempts, log lines. Numbers are sent as texts, since rows of the
 * dialects support only integers.
 */

const ATTRIBUTES = { run_id: 'key', name: 'key', type: 'key', text_value: 'key', number_value: 'key' } as const;

/** Only for existing runs: the namespace comes from them. */
export const upsertAttributes = (
  scope: Scope,
  changes: readonly { runId: string; name: string; value: AttributeValue }[],
): Statement => {
  const { tables, dialect } = scope;
  const rows = changes.map(({ runId, name, value }) => {
    const { type, text, number } = holdAttribute(value);
    return { run_id: runId, name, type, text_value: text, number_value: number === null ? null : String(number) };
  });
  const overwrite = dialect.onConflictUpdate([id('run_id'), id('name')], (incoming) =>
    join(['type', 'text_value', 'number_value'].map((column) => sql`${id(column)} = ${incoming(column)}`)),
  );
  return sql`
  INSERT INTO ${tables.attributes} (run_id, name, namespace, type, text_value, number_value)
  SELECT a.run_id, a.name, r.namespace, a.type, a.text_value, ${dialect.cast(raw('a.number_value'), 'double')}
  FROM ${dialect.rows(JSON.stringify(rows), ATTRIBUTES)} AS a JOIN ${tables.runs} AS r ON r.id = a.run_id
  WHERE true ${overwrite}`;
};

export const deleteAttributes = (
  { tables, dialect }: Scope,
  removed: readonly { runId: string; name: string }[],
): Statement => {
  const json = JSON.stringify(removed.map(({ runId, name }) => ({ run_id: runId, name })));
  return dialect.deleteFrom({
    table: tables.attributes,
    as: 'a',
    from: sql`${dialect.rows(json, { run_id: 'key', name: 'key' })} AS d`,
    on: raw('a.run_id = d.run_id AND a.name = d.name'),
  });
};

const ATTEMPTS = {
  run_id: 'key',
  seq: 'int',
  attempt: 'int',
  outcome: 'key',
  asked_at: 'int',
  started_at: 'int',
  finished_at: 'int',
  worker: 'key',
  error: 'text',
} as const;

/** All but the run that they belong to. */
export const ATTEMPT_FIELDS = raw(
  Object.keys(ATTEMPTS)
    .filter((column) => column !== 'run_id')
    .join(', '),
);

/** An attempt replaces an earlier one with the same number, as after `retry`. */
export const upsertAttempts = (
  { tables, dialect }: Scope,
  attempts: readonly (EndedAttempt & { runId: string })[],
): Statement => {
  const rows = attempts.map(({ runId, askedAt, startedAt, finishedAt, ...attempt }) => ({
    ...attempt,
    run_id: runId,
    asked_at: askedAt,
    started_at: startedAt,
    finished_at: finishedAt,
  }));
  const columns = raw(Object.keys(ATTEMPTS).join(', '));
  const overwrite = dialect.onConflictUpdate([id('run_id'), id('seq'), id('attempt')], (incoming) =>
    join(
      ['outcome', 'asked_at', 'started_at', 'finished_at', 'worker', 'error'].map(
        (column) => sql`${id(column)} = ${incoming(column)}`,
      ),
    ),
  );
  return sql`
  INSERT INTO ${tables.attempts} (${columns})
  SELECT ${columns} FROM ${dialect.rows(JSON.stringify(rows), ATTEMPTS)} AS a WHERE true ${overwrite}`;
};

/** Deletes lines with the same text and time. */
export const deleteLine = ({ tables }: Scope, { runId, message, loggedAt }: LogLine & { runId: string }): Statement =>
  sql`DELETE FROM ${tables.logs} WHERE run_id = ${runId} AND logged_at = ${loggedAt} AND message = ${message}`;

/** The transaction must have locked these runs. */
export const setCustomStatus = (
  { tables, dialect }: Scope,
  runs: readonly { id: string; status: string }[],
): Statement =>
  dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(JSON.stringify(runs), { id: 'key', status: 'text' })} AS n`,
    on: raw('r.id = n.id'),
    set: { custom_status: raw('n.status') },
  });
