import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { RelayScope } from './relay-scope.sql.js';
import * as shards from './shard-lease.sql.js';
import type { AcquiredShard, AcquireShards, ShardLease, ShardLeases } from './shard-leases.js';

/** A row for each shard of each destination. */
export class SqlShardLeases implements ShardLeases {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async renew(owner: string, leaseMs: number): Promise<ShardLease[]> {
    const { db, scope } = this;
    if (db.dialect.family === 'postgres')
      return (await db.run<shards.LeaseRow>(shards.renewReturning(scope, owner, leaseMs))).rows.map(leaseOf);
    await db.run(shards.renew(scope, owner, leaseMs));
    return (await db.run<shards.LeaseRow>(shards.selectHeld(scope, owner))).rows.map(leaseOf);
  }

  async acquire(owner: string, request: AcquireShards): Promise<AcquiredShard[]> {
    if (request.wanted.length + request.strays === 0) return [];
    if (this.db.dialect.family === 'mysql') return this.acquireInSteps(owner, request);
    const { rows } = await this.db.run<shards.LeaseRow>(shards.acquireReturning(this.scope, owner, request));
    return rows.map(acquiredOf);
  }

  async release(owner: string, leases: readonly ShardLease[]): Promise<void> {
    if (leases.length > 0) await this.db.run(shards.releaseShards(this.scope, owner, leases));
  }

  /** Without a transaction, so that nothing stays locked when this process is stopped in between. */
  private async acquireInSteps(owner: string, request: AcquireShards): Promise<AcquiredShard[]> {
    const { db, scope } = this;
    const free = (await db.run<FreeRow>(shards.selectFreeShards(scope, request))).rows;
    const isWanted = ({ wanted }: FreeRow) => Number(wanted) === 1;
    // More strays than asked for come along where wanted ones are not free.
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
