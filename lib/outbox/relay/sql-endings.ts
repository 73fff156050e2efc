import { byFamily } from '../../sql/dialects/dialect.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import { shardOf } from '../model/shards.js';
import type { Acknowledged } from './event-source.js';
import * as mysql from './ack.mysql.sql.js';
import * as postgres from './ack.postgres.sql.js';
import { lockLeases, selectLeases } from './dead-letter.sql.js';
import type { RelayScope } from './relay-scope.sql.js';
import { leasesOf } from './shard-leases.js';

/** The result of ending events. */
export interface Ended {
  /** False: nothing was written, because there are several destinations. */
  alone: boolean;
  /** Shards whose leases held. */
  held: ReadonlySet<number>;
  /** Numbers that no longer existed. */
  missing: ReadonlySet<string>;
}

/** The maximum number of earlier marks to remember. */
const MARKS = 100;
/** The maximum number of events that one statement ends per channel. */
const PASSED_PER_CHANNEL = 1_000;

/** Removes delivered events from the table, on each family. */
export class SqlEndings {
  /** Rows kept as the newest of all, deleted once there is a newer one. Those of dead processes are pruned. */
  private marks: string[] = [];

  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  /** For one destination. Runs in `tx` if given. */
  async end(owner: string, items: readonly Acknowledged[], tx?: SqlConnection): Promise<Ended> {
    return byFamily(this.db.dialect, {
      postgres: () => this.endAtOnce(owner, items, tx ?? this.db),
      mysql: () => (tx ? this.endInSteps(owner, items, tx) : this.endFenced(owner, items)),
    });
  }

  /** For several destinations. */
  async move(owner: string, items: readonly Acknowledged[], tx?: SqlConnection): Promise<Ended['held']> {
    const on = tx ?? this.db;
    return byFamily(on.dialect, {
      postgres: async () => {
        type Row = Pick<postgres.AckRow, 'held'>;
        const { rows } = await on.run<Row>(postgres.movePositions(this.scope, owner, items));
        return shardsIn(rows[0]?.held);
      },
      mysql: async () => {
        await on.run(mysql.movePositions(this.scope, owner, items));
        return this.held(owner, items, tx);
      },
    });
  }

  /** Ends events that all destinations have passed. Returns their number. */
  async endPassed(channels: readonly string[]): Promise<number> {
    if (channels.length === 0) return 0;
    return byFamily(this.db.dialect, {
      postgres: () => this.endPassedAtOnce(channels),
      mysql: () => this.endPassedInSteps(channels),
    });
  }

  private async endPassedAtOnce(channels: readonly string[]): Promise<number> {
    type Row = { mark: string | number | null; ended: number | string };
    const { rows } = await this.db.run<Row>(postgres.endPassed(this.scope, channels, this.takeMarks()));
    this.keepMark(rows[0]?.mark);
    return Number(rows[0]?.ended ?? 0);
  }

  private async endAtOnce(owner: string, items: readonly Acknowledged[], on: SqlConnection): Promise<Ended> {
    const statement = postgres.endDelivered(this.scope, owner, items, this.takeMarks());
    const [row] = (await on.run<postgres.AckRow>(statement)).rows;
    this.keepMark(row?.mark);
    const missing = row?.missing ? (JSON.parse(row.missing) as string[]) : [];
    return { alone: row?.alone === true, held: shardsIn(row?.held), missing: new Set(missing) };
  }

  /**
   * MySQL and MariaDB, without a transaction: a process suspended in one would block the events it had locked. So the
   * reads are only estimates, and each write checks the leases itself.
   */
  private async endFenced(owner: string, items: readonly Acknowledged[]): Promise<Ended> {
    const { db, scope } = this;
    const destination = items[0]?.lease.destination ?? '';
    const [standing] = (await db.run<Standing>(mysql.selectStanding(scope, destination))).rows;
    const ids = items.flatMap((item) => item.ids);
    const there = numbersIn(await db.run<NumberRow>(mysql.selectPending(scope, ids)));
    const stays = (id: string) => scope.retains || id === standing?.newest;
    const ending = (some: string[]) => ({ owner, destination, leases: leasesOf(items), ids: some });
    const going = there.filter((id) => !stays(id));
    const marked = there.filter(stays);
    if (Number(standing?.others ?? 0) === 0) await this.clear(owner, destination, items);
    if (going.length > 0) await db.run(mysql.deleteFenced(scope, ending(going)));
    if (marked.length > 0) await db.run(mysql.markFenced(scope, ending(marked)));
    const held = await this.held(owner, items);
    if (Number((await db.run<Standing>(mysql.selectStanding(scope, destination))).rows[0]?.others) > 0)
      return { alone: false, held, missing: new Set() };
    await this.endMarks(scope.retains ? undefined : marked[0], standing?.newest ?? null);
    const found = new Set(there);
    return { alone: true, held, missing: new Set(ids.filter((id) => !found.has(id))) };
  }

  /** Before the events are deleted: otherwise a crash in between would leave their failures to the next one. */
  private async clear(owner: string, destination: string, items: readonly Acknowledged[]): Promise<void> {
    const clearing = items.filter(({ clears }) => clears);
    if (clearing.length === 0) return;
    const held = await this.held(owner, clearing);
    const channels = clearing.filter(({ lease }) => held.has(lease.shard)).map(({ channel }) => channel);
    if (channels.length > 0) await this.db.run(mysql.clearChannels(this.scope, destination, channels));
  }

  /** Deletes earlier marks together with ended events. */
  private async endMarks(mark: string | undefined, newest: string | null): Promise<void> {
    const marks = this.takeMarks().filter((before) => newest !== null && BigInt(before) < BigInt(newest));
    if (marks.length > 0) await this.db.run(mysql.deleteMarks(this.scope, marks));
    this.keepMark(mark);
  }

  private async endInSteps(owner: string, items: readonly Acknowledged[], tx: SqlConnection): Promise<Ended> {
    const destination = items[0]?.lease.destination ?? '';
    const held = await this.held(owner, items, tx);
    const [standing] = (await tx.run<Standing>(mysql.selectStanding(this.scope, destination))).rows;
    if (Number(standing?.others) > 0) return { alone: false, held, missing: new Set() };
    const ours = items.filter(({ lease }) => held.has(lease.shard));
    const ids = ours.flatMap((item) => item.ids);
    const there = await this.endByNumber(ids, standing?.newest ?? null, tx);
    const clearing = ours.filter(({ clears }) => clears).map(({ channel }) => channel);
    if (clearing.length > 0) await tx.run(mysql.clearChannels(this.scope, destination, clearing));
    return { alone: true, held, missing: new Set(ids.filter((id) => !there.has(id))) };
  }

  /** Returns those that existed. */
  private async endByNumber(ids: readonly string[], newest: string | null, tx: SqlConnection): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const select = tx === this.db ? mysql.selectPending : mysql.lockPending;
    const there = numbersIn(await tx.run<NumberRow>(select(this.scope, ids)));
    const stays = (id: string) => this.scope.retains || id === newest;
    const marked = there.filter(stays);
    const going = there.filter((id) => !stays(id));
    if (going.length > 0) await tx.run(mysql.deleteEvents(this.scope, going));
    if (marked.length > 0) await tx.run(mysql.markEvents(this.scope, marked));
    const marks = this.takeMarks().filter((mark) => newest !== null && BigInt(mark) < BigInt(newest));
    if (marks.length > 0) await tx.run(mysql.deleteMarks(this.scope, marks));
    if (!this.scope.retains) this.keepMark(marked[0]);
    return new Set(there);
  }

  /** In a transaction the leases are locked until it ends. */
  private async held(owner: string, items: readonly Acknowledged[], tx?: SqlConnection): Promise<ReadonlySet<number>> {
    const leases = leasesOf(items);
    const select = tx ? lockLeases : selectLeases;
    type Row = { shard: number | string; epoch: number | string };
    const { rows } = await (tx ?? this.db).run<Row>(select(this.scope, owner, leases[0]?.destination ?? ''));
    const epochs = new Map(rows.map(({ shard, epoch }) => [Number(shard), Number(epoch)]));
    return new Set(leases.filter(({ shard, epoch }) => epochs.get(shard) === epoch).map(({ shard }) => shard));
  }

  /** Without a transaction: positions never decrease. */
  private async endPassedInSteps(channels: readonly string[]): Promise<number> {
    const { db, scope } = this;
    type Row = { channel: string; position: string };
    const { rows } = await db.run<Row>(mysql.selectPassed(scope, channels));
    const passed = rows
      .filter(({ position }) => position !== '0')
      .map((row) => ({ ...row, shard: shardOf(row.channel, 'mysql') }));
    if (passed.length === 0) return 0;
    const ids = numbersIn(await db.run<NumberRow>(mysql.selectPassedEvents(scope, passed, PASSED_PER_CHANNEL)));
    const [standing] = (await db.run<Standing>(mysql.selectStanding(scope, ''))).rows;
    return (await this.endByNumber(ids, standing?.newest ?? null, db)).size;
  }

  private takeMarks(): string[] {
    return this.marks.slice(-MARKS);
  }

  /** The last one may still be the newest of all; earlier ones have been deleted. */
  private keepMark(mark: string | number | null | undefined): void {
    if (mark !== null && mark !== undefined) this.marks = [...this.marks.slice(-MARKS + 1), String(mark)];
  }
}

/** Whether all events of an acknowledgement were there, and its lease held. */
export const isEnded = ({ lease, ids }: Acknowledged, { held, missing }: Ended): boolean =>
  held.has(lease.shard) && (missing.size === 0 || !ids.some((id) => missing.has(id)));

interface Standing {
  newest: string | null;
  others: number | string;
}

interface NumberRow {
  sequence_id: string;
}

const numbersIn = ({ rows }: { rows: NumberRow[] }): string[] => rows.map(({ sequence_id }) => String(sequence_id));

const shardsIn = (held: string | null | undefined): ReadonlySet<number> =>
  new Set(held ? (JSON.parse(held) as number[]) : []);
