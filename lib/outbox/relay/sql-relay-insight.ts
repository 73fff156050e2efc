import type { SqlConnection } from '../../sql/sql-executor.js';
import { byOwner, type DestinationTroubles, type RelayInsight, type ShardsOfOwner } from './relay-insight.js';
import { countShards, countTroubles } from './relay-insight.sql.js';
import type { RelayScope } from './relay-scope.sql.js';

type Int = number | string;

export class SqlRelayInsight implements RelayInsight {
  constructor(
    private readonly db: SqlConnection,
    private readonly scope: RelayScope,
  ) {}

  async shards(): Promise<ShardsOfOwner[]> {
    type Row = { destination: string; owner: string | null; shards: Int; lapsed: Int };
    const { rows } = await this.db.run<Row>(countShards(this.scope));
    return rows.map((row) => ({ ...row, shards: Number(row.shards), lapsed: Number(row.lapsed) })).sort(byOwner);
  }

  async troubles(destinations: readonly string[], atMost: number): Promise<DestinationTroubles[]> {
    if (destinations.length === 0) return [];
    type Row = Record<'blocked' | 'parked' | 'requeued' | 'dead', Int> & { destination: string; since: Int | null };
    const { rows } = await this.db.run<Row>(countTroubles(this.scope, destinations, atMost));
    return destinations.flatMap((destination) =>
      rows
        .filter((row) => row.destination === destination)
        .map(({ blocked, parked, requeued, dead, since }) => ({
          destination,
          blocked: Number(blocked),
          parked: Number(parked),
          requeued: Number(requeued),
          dead: Number(dead),
          since: since === null ? null : Number(since),
        })),
    );
  }
}
