import { ConfigurationError } from '../../errors/setup-errors.js';
import {
  type AskedPosition,
  type EventRow,
  type LiveScope,
  type TopRow,
  selectPages,
  selectPagesOf,
  selectPosition,
  selectTops,
  selectTopsOf,
} from './channel-reader.sql.js';
import {
  type ChannelPage,
  type ChannelReader,
  type ChannelSnapshot,
  type ChannelSnapshots,
  type ReadEvent,
  type ReadPosition,
  isAfter,
  laterOf,
} from './channel-reader.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';

/** Reads in one transaction at REPEATABLE READ, so the channel's position and the app's tables are one snapshot. */
export class SqlChannelSnapshots implements ChannelSnapshots {
  private readonly scope: LiveScope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Pick<OutboxTables, 'outbox' | 'pruned'>,
  ) {
    this.scope = { tables, dialect: db.dialect };
  }

  /** @throws ConfigurationError if the executor has no `ormSnapshot`. */
  async snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>> {
    if (!this.db.ormSnapshot) {
      throw new ConfigurationError(
        'snapshot() needs an executor with ormSnapshot(): use the executor of your ORM, or add the method',
      );
    }
    return this.db.ormSnapshot(async (handle, tx) => {
      const { rows } = await tx.run<TopRow>(selectPosition(this.scope, channel));
      const [{ top, pruned } = { top: null, pruned: null }] = rows;
      return { data: await read(handle), sequenceId: laterOf(top ?? '0', pruned ?? '0') };
    });
  }
}

/** MySQL family: the maximum number of positions per statement; each makes it longer. */
const POSITIONS_PER_STATEMENT = 100;

/** Reads channels by the index on channel and number. */
export class SqlChannelReader implements ChannelReader {
  private readonly scope: LiveScope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Pick<OutboxTables, 'outbox' | 'pruned'>,
  ) {
    this.scope = { tables, dialect: db.dialect };
  }

  async read(positions: readonly ReadPosition[], limit: number): Promise<ChannelPage[]> {
    if (positions.length === 0) return [];
    const asked = positions.map((position, n) => ({ ...position, n }));
    const rows = byFamily(this.db.dialect, {
      postgres: () => this.readAll(asked, limit),
      mysql: () => this.readChanged(asked, limit),
    });
    const pages: { events: ReadEvent[]; gone?: string }[] = asked.map(() => ({ events: [] }));
    for (const row of await rows) {
      const n = Number(row.n);
      const { [n]: page } = pages;
      const { [n]: position } = asked;
      if (!page || !position) continue;
      if (row.sequence_id === null) page.gone = row.mutation_id;
      else page.events.push(eventOf(row, row.sequence_id, position.channel));
    }
    return pages.map(({ events, gone }) => (gone === undefined ? { events } : { events: [], gone }));
  }

  async tops(channels: readonly string[]): Promise<string[]> {
    const tops = channels.map(() => '0');
    for (const { n, top, pruned } of await this.topRows(channels)) tops[Number(n)] = laterOf(top ?? '0', pruned ?? '0');
    return tops;
  }

  private async readAll(asked: readonly AskedPosition[], limit: number): Promise<EventRow[]> {
    return (await this.db.run<EventRow>(selectPages(this.scope, asked, limit))).rows;
  }

  /** Reads the last numbers of all channels first, then only the channels with new events. */
  private async readChanged(asked: readonly AskedPosition[], limit: number): Promise<EventRow[]> {
    const channels = [...new Set(asked.map(({ channel }) => channel))];
    const tops = new Map((await this.tops(channels)).map((top, n) => [channels[n], top]));
    const changed = asked.filter(({ channel, after }) => isAfter(tops.get(channel) ?? '0', after));
    const rows: EventRow[] = [];
    for (let at = 0; at < changed.length; at += POSITIONS_PER_STATEMENT) {
      const some = changed.slice(at, at + POSITIONS_PER_STATEMENT);
      const found = (await this.db.run<EventRow>(selectPagesOf(this.scope, some, limit))).rows;
      // Maps the index in this statement to the index in the request.
      rows.push(...found.sort(inOrder).map((row) => ({ ...row, n: some[Number(row.n)]?.n ?? -1 })));
    }
    return rows;
  }

  private async topRows(channels: readonly string[]): Promise<TopRow[]> {
    if (channels.length === 0) return [];
    const select = byFamily(this.db.dialect, { postgres: () => selectTops, mysql: () => selectTopsOf });
    return (await this.db.run<TopRow>(select(this.scope, channels))).rows;
  }
}

/** The rows of a UNION have no order. */
const inOrder = (a: EventRow, b: EventRow): number =>
  Number(a.n) - Number(b.n) || (isAfter(a.sequence_id ?? '0', b.sequence_id ?? '0') ? 1 : -1);

const eventOf = (row: EventRow, sequenceId: string, channel: string): ReadEvent => ({
  event: {
    sequenceId: String(sequenceId),
    mutationId: row.mutation_id,
    channel,
    name: row.name,
    rejected: Boolean(Number(row.rejected)),
    data: jsonOf(row.data),
    headers: jsonOf(row.headers) as OutboxEvent['headers'],
  },
  size: (row.data?.length ?? 0) + (row.headers?.length ?? 0),
});

/** A column that the app created may hold invalid JSON: only that event then has its raw text. */
function jsonOf(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}
