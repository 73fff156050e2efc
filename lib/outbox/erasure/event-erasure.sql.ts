import { type EraseDeadLetters, type EraseEvents, PENDING } from './event-erasure.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { amongKeys, amongNumbers, wholeNumber } from '../../sql/dialects/key-list.js';
import { int, raw, sql, type Statement } from '../../sql/dialects/statement.js';

export interface ErasureScope {
  readonly tables: OutboxTables;
  readonly dialect: Dialect;
}

const numberText = ({ dialect }: ErasureScope, alias: string): Statement =>
  sql`${dialect.cast(raw(`${alias}.sequence_id`), 'text')} AS sequence_id`;

const isProcessed = ({ dialect }: ErasureScope, column: string): Statement => sql`NOT (${dialect.isFalse(column)})`;

export interface EventRow {
  sequence_id: string;
  mutation_id: string;
  /** 1: every destination has received it. */
  done: number | string;
}

/** A page of a channel, without data. */
export const selectEvents = (scope: ErasureScope, { channel, after, limit }: EraseEvents): Statement => sql`
  SELECT ${numberText(scope, 'o')}, o.mutation_id, CASE WHEN ${isProcessed(scope, 'o.processed')} THEN 1 ELSE 0 END AS done
  FROM ${scope.tables.outbox} AS o
  WHERE o.channel = ${channel} AND o.sequence_id > ${wholeNumber(after)} ORDER BY o.sequence_id LIMIT ${int(limit)}`;

/** Affects only events of which something was left. */
export const blankEvents = (scope: ErasureScope, numbers: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.outbox} SET data = NULL, headers = NULL
  WHERE sequence_id ${amongNumbers(scope.dialect, numbers)} AND ${isProcessed(scope, 'processed')}
    AND (data IS NOT NULL OR headers IS NOT NULL)`;

export interface DeadRow {
  sequence_id: string;
  mutation_id: string;
  reason: string;
}

export const selectDeadOf = (
  scope: ErasureScope,
  { destination, channel, after, limit }: EraseDeadLetters,
): Statement => sql`
  SELECT ${numberText(scope, 'd')}, d.mutation_id, d.reason FROM ${scope.tables.dead} AS d
  WHERE d.destination = ${destination} AND d.channel = ${channel} AND d.sequence_id > ${wholeNumber(after)}
  ORDER BY d.sequence_id LIMIT ${int(limit)}`;

/** Not if one was requeued since it was read. */
export const discardDead = (scope: ErasureScope, destination: string, numbers: readonly string[]): Statement => sql`
  DELETE FROM ${scope.tables.dead}
  WHERE destination = ${destination} AND sequence_id ${amongNumbers(scope.dialect, numbers)}
    AND reason <> ${PENDING}`;

/** Errors of blocked and failing channels stay: people need them. */
export const forgetErrors = (
  { tables, dialect }: ErasureScope,
  destinations: readonly string[],
  channels: readonly string[],
): Statement => sql`
  UPDATE ${tables.channels} SET last_error = NULL
  WHERE destination ${amongKeys(dialect, destinations)} AND channel ${amongKeys(dialect, channels)}
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL`;
