import type { Dialect, JsonColumn } from '../../sql/dialects/dialect.js';
import type { Statement } from '../../sql/dialects/statement.js';
import type { WrittenEvent } from '../model/outbox-event.js';

const COLUMNS: Record<string, JsonColumn> = {
  ordinal: 'int',
  mutation_id: 'key',
  channel: 'text',
  name: 'key',
  rejected: 'bool',
  data: 'text',
  headers: 'text',
};

/** The events as a table expression, with their `ordinal` in the order given. */
export const eventRows = (dialect: Dialect, events: readonly WrittenEvent[]): Statement =>
  dialect.rows(
    JSON.stringify(
      events.map(({ mutationId, channel, name, rejected, data, headers }, ordinal) => ({
        ordinal,
        mutation_id: mutationId,
        channel,
        name,
        rejected,
        data,
        headers,
      })),
    ),
    COLUMNS,
  );
