import type { SqlExecutor } from '../../sql/sql-executor.js';
import { byOwner, type DestinationTroubles, type RelayInsight, type ShardsOfOwner } from './relay-insight.js';
import { countShards, countTroubles, selectAges } from './relay-insight.sql.js';
import type { RelayScope } from './relay-scope.sql.js';
import { SHARDS } from '../model/shards.js';
import { channelHeads } from './sql-event-source.js';

type Int = number | string;

/** The number of channels that one statement looks at. */
const LOOKED_AT_ONCE = 100;

export class SqlRelayInsight implements RelayInsight {
  constructor(
    private readonly db: SqlExecutor,
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

  async waitsMs(destination: string, channels: number): Promise<number | null> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => ({ shard, after: '' }));
    const heads = await channelHeads(this.db, this.scope, destination, shards, channels);
    const ages: number[] = [];
    for (let at = 0; at < heads.length; at += LOOKED_AT_ONCE) {
      const some = heads.slice(at, at + LOOKED_AT_ONCE).map((head) => ({ ...head, after: head.position }));
      const { rows } = await this.db.run<{ age: Int }>(selectAges(this.scope, some));
      ages.push(...rows.map(({ age }) => Math.max(0, Number(age))));
    }
    return ages.length === 0 ? null : Math.max(...ages);
  }
}
