import type { DeadLetterMoment, DeadLetterStory, StoryEvents } from './dead-letters.js';
import type { RelayScope } from './relay-scope.sql.js';
import { selectDestinations } from './shard-lease.sql.js';
import { type MomentQuery, STAGE, WHAT } from '../../protocol/moment.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { int, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { type MomentRow, momentOf, nextMoments } from '../../sql/moments.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';

/** Finds dead letters by the index of channels. */
export function selectDeadMoments(
  { tables, dialect }: RelayScope,
  destinations: readonly string[],
  { events, channels }: StoryEvents,
  next: Omit<MomentQuery, 'runIds'>,
): Statement {
  const wanted = events.map(({ run, mutationId: mutation_id }) => ({ run, mutation_id }));
  const ranked = JSON.stringify(destinations.map((destination, n) => ({ destination, n })));
  const branches = sql`
    SELECT d.failed_at AS moment, f.run, ${int(STAGE.beside)} + w.n AS stage, ${int(WHAT.dead)} AS what, d.sequence_id AS item,
      ${raw('d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error')}
    FROM ${tables.dead} AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN ${dialect.rows(ranked, { destination: 'key', n: 'int' })} AS w ON w.destination = d.destination
    WHERE d.destination ${amongKeys(dialect, destinations)} AND d.channel ${amongKeys(dialect, [...new Set(channels)])}`;
  const among = dialect.rows(JSON.stringify(wanted), { run: 'int', mutation_id: 'text' });
  return nextMoments(dialect, { among, branches, items: 'bigint', ...next });
}

interface DeadMomentRow extends MomentRow {
  destination: string;
  channel: string;
  mutation_id: string;
  name: string;
  attempts: number | string;
  reason: string;
  last_error: string | null;
}

export class SqlDeadLetterStory implements DeadLetterStory {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async moments(published: StoryEvents, query: Omit<MomentQuery, 'runIds'>): Promise<DeadLetterMoment[]> {
    if (published.events.length === 0) return [];
    const known = await this.db.run<{ name: string }>(selectDestinations(this.scope));
    const destinations = known.rows.map(({ name }) => name).sort();
    const { rows } = await this.db.run<DeadMomentRow>(selectDeadMoments(this.scope, destinations, published, query));
    return rows.map(({ destination, channel, name, reason, ...row }) => ({
      ...momentOf(row),
      letter: {
        destination,
        channel,
        name,
        reason,
        mutationId: row.mutation_id,
        sequenceId: String(row.item),
        attempts: Number(row.attempts),
        error: row.last_error,
      },
    }));
  }
}
