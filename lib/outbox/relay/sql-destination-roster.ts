import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { DestinationRoster, KnownDestination } from './destination-roster.js';
import type { RelayScope } from './relay-scope.sql.js';
import * as shards from './shard-lease.sql.js';

/** A row for each destination. */
export class SqlDestinationRoster implements DestinationRoster {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async register(names: readonly string[], count: number): Promise<void> {
    if (names.length === 0) return;
    await this.db.run(shards.insertShards(this.scope, names, count));
    await this.db.run(shards.seeDestinations(this.scope, names));
  }

  async known(): Promise<KnownDestination[]> {
    const { rows } = await this.db.run<{ name: string; seen_at: number | string }>(
      shards.selectDestinations(this.scope),
    );
    return rows.map(({ name, seen_at }) => ({ name, seenAt: Number(seen_at) }));
  }

  async forget(name: string): Promise<void> {
    await this.db.transaction(async (tx) => {
      for (const statement of shards.forgetDestination(this.scope, name)) await tx.run(statement);
    });
  }
}
