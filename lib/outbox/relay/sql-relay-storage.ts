import { SqlActLog } from '../../acts/sql-act-log.js';
import type { Transaction } from '../../protocol/transaction.js';
import { declared, type StoredWishes } from '../model/run-wishes.js';
import type { RelayScope } from './relay-scope.sql.js';
import type { RelayStorage } from './relay-storage.js';
import * as shards from './shard-lease.sql.js';
import type {
  AcquireShards,
  AcquiredShard,
  DestinationRoster,
  KnownDestination,
  ShardLease,
  ShardLeases,
} from './shard-leases.js';
import { SqlAcknowledgements } from './sql-acknowledgements.js';
import { SqlDeadLetterRemoval } from './sql-dead-letter-removal.js';
import { SqlDeadLetterStory } from './sql-dead-letter-story.js';
import { SqlDeadLetters } from './sql-dead-letters.js';
import { SqlEventSource } from './sql-event-source.js';
import { SqlRelayInsight } from './sql-relay-insight.js';
import { SqlRelayNodes } from './sql-relay-nodes.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import { connectionOf, inTransaction, type SqlExecutor } from '../../sql/sql-executor.js';
import { type SqlNow, tablesWithPrefix } from '../../sql/tables.js';

/** One row per shard of each destination. */
export class SqlShardLeases implements ShardLeases {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async renew(owner: string, leaseMs: number): Promise<ShardLease[]> {
    const { db, scope } = this;
    const { rows } = await byFamily(db.dialect, {
      postgres: () => db.run<shards.LeaseRow>(shards.renewReturning(scope, owner, leaseMs)),
      mysql: async () => {
        await db.run(shards.renew(scope, owner, leaseMs));
        return db.run<shards.LeaseRow>(shards.selectHeld(scope, owner));
      },
    });
    return rows.map(leaseOf);
  }

  async acquire(owner: string, request: AcquireShards): Promise<AcquiredShard[]> {
    if (request.wanted.length + request.strays === 0) return [];
    return byFamily(this.db.dialect, {
      postgres: async () => {
        const { rows } = await this.db.run<shards.LeaseRow>(shards.acquireReturning(this.scope, owner, request));
        return rows.map(acquiredOf);
      },
      mysql: () => this.acquireInSteps(owner, request),
    });
  }

  async release(owner: string, leases: readonly ShardLease[]): Promise<void> {
    if (leases.length > 0) await this.db.run(shards.releaseShards(this.scope, owner, leases));
  }

  /** Without a transaction, so that nothing stays locked if this process is suspended in between. */
  private async acquireInSteps(owner: string, request: AcquireShards): Promise<AcquiredShard[]> {
    const { db, scope } = this;
    const free = (await db.run<FreeRow>(shards.selectFreeShards(scope, request))).rows;
    const isWanted = ({ wanted }: FreeRow) => Number(wanted) === 1;
    // The query returns more strays than requested if wanted shards are not free.
    const strays = free.filter((row) => !isWanted(row)).slice(0, request.strays);
    const asked = [...free.filter(isWanted), ...strays].map(acquiredOf);
    if (asked.length === 0) return [];
    await db.run(shards.takeShards(scope, owner, request, asked));
    const raised = asked.map((lease) => ({ ...lease, epoch: lease.epoch + 1 }));
    const { rows } = await db.run<shards.LeaseRow>(shards.selectTaken(scope, owner, request.destination, raised));
    const taken = new Set(rows.map(({ shard }) => Number(shard)));
    return raised.filter(({ shard }) => taken.has(shard));
  }
}

type FreeRow = shards.LeaseRow & { wanted: number | string };

const acquiredOf = (row: shards.LeaseRow): AcquiredShard => ({
  ...leaseOf(row),
  abandoned: Number(row.abandoned) === 1,
});

const leaseOf = ({ destination, shard, epoch }: shards.LeaseRow): ShardLease => ({
  destination,
  shard: Number(shard),
  epoch: Number(epoch),
});

/** One row per destination. */
export class SqlDestinationRoster implements DestinationRoster {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async register(
    names: readonly string[],
    count: number,
    wants: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    if (names.length === 0) return;
    await this.db.run(shards.insertShards(this.scope, names, count));
    await this.db.run(shards.seeDestinations(this.scope, names));
    const others = names.filter((name) => !wants.has(name));
    if (others.length > 0) await this.db.run(shards.clearWants(this.scope, others));
    await this.want(wants);
  }

  async want(wants: ReadonlyMap<string, string>): Promise<void> {
    if (wants.size === 0) return;
    await this.db.transaction(async (tx) => {
      const { rows } = await tx.run<shards.LockedWishes>(shards.lockWants(this.scope, [...wants.keys()]));
      const stored = rows.map(({ name, wants: before, now }) => ({
        name,
        wants: declared(before, wants.get(name)!, Number(now)),
      }));
      if (stored.length > 0) await tx.run(shards.writeWants(this.scope, stored));
    });
  }

  async wants(tx?: Transaction): Promise<StoredWishes[]> {
    return (await connectionOf(this.db, tx).run<StoredWishes>(shards.selectWants(this.scope))).rows;
  }

  async known(): Promise<KnownDestination[]> {
    const { rows } = await this.db.run<{ name: string; seen_at: number | string }>(
      shards.selectDestinations(this.scope),
    );
    return rows.map(({ name, seen_at }) => ({ name, seenAt: Number(seen_at) }));
  }

  async forget(name: string, given?: Transaction): Promise<void> {
    await inTransaction(this.db, given, async (tx) => {
      for (const statement of shards.forgetDestination(this.scope, name)) await tx.run(statement);
    });
  }
}

export interface SqlRelayStorageOptions {
  /** Whether delivered events are retained, marked as processed, until they are pruned. */
  retains: boolean;
  /** Default: the database's clock. */
  now?: SqlNow;
}

export function sqlRelayStorage(db: SqlExecutor, tables: OutboxTables, options: SqlRelayStorageOptions): RelayStorage {
  const { retains, now = () => db.dialect.now } = options;
  const scope = { tables, dialect: db.dialect, now, retains };
  return {
    nodes: new SqlRelayNodes(db, scope),
    destinations: new SqlDestinationRoster(db, scope),
    leases: new SqlShardLeases(db, scope),
    source: new SqlEventSource(db, scope),
    acknowledgements: new SqlAcknowledgements(db, scope),
    deadLetters: new SqlDeadLetters(db, scope),
    insight: new SqlRelayInsight(db, scope),
    deadLetterStory: new SqlDeadLetterStory(db, scope),
    deadLetterRemoval: new SqlDeadLetterRemoval(db, scope),
    acts: new SqlActLog(db, tablesWithPrefix(tables.prefix), now),
  };
}
