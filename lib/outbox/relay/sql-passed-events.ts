import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { RelayScope } from './relay-scope.sql.js';
import { channelHeads } from './sql-channel-heads.js';
import type { SqlEndings } from './sql-endings.js';
import { selectDestinations } from './shard-lease.sql.js';

/** Channels looked through in each shard by one call. */
const CHANNELS = 200;

/** Events that every destination has passed and that are still there, as when two passed them at once. */
export class SqlPassedEvents {
  private readonly after = new Map<number, string>();

  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
    private readonly endings: SqlEndings,
  ) {}

  async endOf(items: readonly { channel: string }[]): Promise<void> {
    if (await this.severalKnown()) await this.endings.endPassed([...new Set(items.map(({ channel }) => channel))]);
  }

  /** A page of the channels of each shard. Also with one destination: there may have been another. */
  async tidy(shards: readonly number[]): Promise<number> {
    const from = shards.map((shard) => ({ shard, after: this.after.get(shard) ?? '' }));
    const heads = await channelHeads(this.db, this.scope, '', from, CHANNELS);
    for (const shard of shards) {
      const seen = heads.filter((head) => head.shard === shard);
      this.after.set(shard, seen.length < CHANNELS ? '' : (seen.at(-1)?.channel ?? ''));
    }
    return this.endings.endPassed(heads.map(({ channel }) => channel));
  }

  private async severalKnown(): Promise<boolean> {
    return (await this.db.run(selectDestinations(this.scope))).rows.length > 1;
  }
}
