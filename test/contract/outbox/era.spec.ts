import { chmodSync, chownSync, cpSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutboxOrdering } from '../../../lib/outbox/events.js';
import {
  forgetEraOnPostgres,
  jumpNumbers,
  lookAtEraOnPostgres,
  SqlOutboxWriter,
} from '../../../lib/outbox/events.sql.js';
import { Outbox } from '../../../lib/outbox/outbox.js';
import { migrateOutbox } from '../../../lib/outbox/schema.sql.js';
import { type OutboxTables, outboxTables } from '../../../lib/outbox/tables.sql.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { type Backend, backendOf, describeDatabases } from '../../support/backends.js';
import { gate } from '../../support/gate.js';
import { RelayHouse } from '../../support/relays.js';
import { startPostgres } from '../../support/servers/postgres.mjs';
import type { MortalServer } from '../../support/servers/server.mjs';
import { thrownBy } from '../../support/thrown-by.js';
import { until } from '../../support/until.js';

const SILENT = { local: () => undefined, publish: () => undefined };
/** The lost commits have written so many events more. */
const LOST = 40;

/** With its owner and its mode, as PostgreSQL asks. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  const { uid, gid, mode } = statSync(from);
  chmodSync(to, mode);
  for (const path of ['.', ...readdirSync(to, { recursive: true, encoding: 'utf8' })])
    chownSync(join(to, path), uid, gid);
}

/** A server, and a copy of it that takes over without what was committed last. */
class FailingOver {
  private data = '';

  private constructor(private readonly server: MortalServer) {}

  static async start(): Promise<FailingOver> {
    return new FailingOver(await startPostgres());
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** An outbox in a database of its own. */
  async outbox(ordering: OutboxOrdering): Promise<Numbered> {
    const at: Backend = backendOf('typeorm', 'postgres', this.server.address);
    return new Numbered(await RelayHouse.open(at, ordering), ordering);
  }

  private get copy(): string {
    return `${this.data}-copy`;
  }

  /** As a standby has it that receives nothing from now on. */
  async takeCopy({ house }: Numbered): Promise<void> {
    const [row] = await house.backend.query<{ data_directory: string }>('SHOW data_directory');
    this.data = row!.data_directory;
    const start = await this.server.crash('SIGINT');
    copyFolder(this.data, this.copy);
    await start();
  }

  /** The copy is promoted; it stays where it is, for another time. */
  async promoteCopy(outboxes: readonly Numbered[]): Promise<void> {
    const start = await this.server.crash();
    rmSync(this.data, { recursive: true });
    copyFolder(this.copy, `${this.data}-new`);
    renameSync(`${this.data}-new`, this.data);
    writeFileSync(join(this.data, 'standby.signal'), '');
    await start();
    const [first] = outboxes;
    const ask = ({ house }: Numbered, text: string) => house.backend.query(text).catch(() => undefined);
    await until('connections work again', () => ask(first!, 'SELECT pg_promote()'));
    // Those of the pools that the crash has cut are found one by one.
    for (const outbox of outboxes) await until('each outbox is reached again', () => ask(outbox, 'SELECT 1'));
  }
}

/** An outbox, and how events are written to it. */
class Numbered {
  constructor(
    readonly house: RelayHouse,
    private readonly ordering: OutboxOrdering,
  ) {}

  /** By `Outbox.publish` on many connections. */
  async publish(count: number): Promise<void> {
    const writer = new SqlOutboxWriter(this.house.db, this.house.tables, SILENT, this.ordering);
    const outbox = new Outbox(writer, { payloadBytes: 1_000 });
    const event = (n: number) => ({ channel: `c${n % 3}`, name: 'published', data: n });
    await Promise.all(Array.from({ length: count }, (_, n) => outbox.publish(event(n))));
  }

  /** By anybody's statement. */
  async insert(count: number): Promise<void> {
    const text = `INSERT INTO durable_outbox (mutation_id, channel, name) VALUES ('m', ?, 'inserted')`;
    await Promise.all(Array.from({ length: count }, (_, n) => this.house.backend.query(text, [`c${n % 3}`])));
  }

  async numbers(): Promise<bigint[]> {
    const text = 'SELECT CAST(sequence_id AS text) AS n FROM durable_outbox ORDER BY sequence_id';
    return (await this.house.backend.query<{ n: string }>(text)).map(({ n }) => BigInt(n));
  }
}

const WAYS = [
  ['commit', 'publish'],
  ['commit', 'insert'],
  ['insert', 'publish'],
  ['insert', 'insert'],
] as const;

/** Each has a database of its own on one server, which fails over for all of them: to start one takes seconds. */
describe('numbers of events', () => {
  let server: FailingOver;
  const outboxes: Numbered[] = [];
  /** What there was of each outbox at first, before a failover, and after each of them. */
  const found = WAYS.map((): bigint[][] => []);

  beforeAll(async () => {
    server = await FailingOver.start();
    for (const [ordering] of WAYS) outboxes.push(await server.outbox(ordering));
    const write = async (count: number) => {
      for (const [n, [, how]] of WAYS.entries()) {
        await outboxes[n]![how](count);
        found[n]!.push(await outboxes[n]!.numbers());
      }
    };
    await write(10);
    await server.takeCopy(outboxes[0]!);
    await write(LOST);
    for (let failover = 0; failover < 2; failover++) {
      await server.promoteCopy(outboxes);
      await write(LOST);
    }
  });
  afterAll(async () => {
    for (const { house } of outboxes) await house.close();
    await server?.stop();
  });

  it.each(WAYS.map(([ordering, how], n) => ({ ordering, how, n })))(
    'with ordering $ordering, given by $how, never come again on a server that takes over without the last commits, however often that happens',
    ({ n }) => {
      const [first, before, ...after] = found[n]!;
      expect(first!.length).toBe(10);
      // A new outbox begins at 1; a plain INSERT takes two numbers.
      expect(Number(first!.at(-1))).toBeLessThanOrEqual(20);
      // PostgreSQL itself leaves out up to 32 numbers after a crash.
      const seen = new Set(before);
      expect(seen.size).toBe(10 + LOST);
      expect(after.length).toBe(2);
      for (const [failover, all] of after.entries()) {
        expect(all.length).toBe(10 + LOST);
        const fresh = all.slice(10);
        const last = [...seen].reduce((a, b) => (a > b ? a : b));
        expect({ failover, behind: fresh.every((number) => number > last) }).toEqual({ failover, behind: true });
        // Once: all others follow each other.
        expect(Number(fresh.at(-1)! - fresh[0]!)).toBeLessThan(10 * LOST);
        for (const number of fresh) seen.add(number);
      }
      expect([...seen].every((number) => number < 2n ** 53n)).toBe(true);
    },
  );
});

describeDatabases(
  'numbers of events on PostgreSQL',
  (at) => {
    let house: RelayHouse;
    beforeAll(async () => {
      house = await RelayHouse.open(at, 'insert');
    });
    afterAll(() => house.close());

    const era = (tables: OutboxTables) => sql`SELECT ${lookAtEraOnPostgres(tables.names)}`;

    it('hold up nobody when the jump is canceled', async () => {
      await house.db.run(era(house.tables));
      await house.db.run(forgetEraOnPostgres(house.tables.names));
      const [held, over] = [gate(), gate()];
      const holding = house.db.transaction(async (tx) => {
        await tx.run(sql`ALTER SEQUENCE durable_outbox_era OWNED BY NONE`);
        held.open();
        await over.opened;
      });
      await held.opened;
      const canceled = house.db.transaction(async (tx) => {
        await tx.run(sql`SET LOCAL statement_timeout = 300`);
        await tx.run(era(house.tables));
      });
      expect((await thrownBy(canceled)).message).toContain('57014');
      over.open();
      await holding;
      await expect(
        house.backend.query(`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 4096 AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
      ).resolves.toEqual([]);
      await house.write(['a'], 1);
    });

    it('stay where the column is narrower than its sequence', async () => {
      const narrow = outboxTables('durable', { table: 'narrow', nodesTable: 'narrow_nodes', schema: undefined });
      await migrateOutbox(house.db, narrow, { ordering: 'insert' });
      await house.backend.query('ALTER TABLE narrow ALTER COLUMN sequence_id TYPE integer');
      const insert = () =>
        house.backend.query(`INSERT INTO narrow (mutation_id, channel, name) VALUES ('m', 'c', 'n')`);
      await insert();
      await house.db.run(forgetEraOnPostgres(narrow.names));
      await insert();
      const [row] = await house.backend.query('SELECT max(sequence_id) AS n FROM narrow');
      expect(Number(row?.['n'])).toBeLessThan(100);
    });

    it('jump in each outbox to which one transaction writes', async () => {
      const other = outboxTables('durable', { table: 'other', nodesTable: 'other_nodes', schema: undefined });
      await migrateOutbox(house.db, other, { ordering: 'insert' });
      const insert = (table: string) =>
        raw(`INSERT INTO ${table} (mutation_id, channel, name) VALUES ('m', 'c', 'n') RETURNING sequence_id`);
      const write = () =>
        house.db.transaction(async (tx) => {
          const rows = [await tx.run(insert('durable_outbox')), await tx.run(insert('other'))];
          return rows.map((answer) => Number(answer.rows[0]?.['sequence_id']));
        });
      await write();
      for (const { names } of [house.tables, other]) await house.db.run(forgetEraOnPostgres(names));
      for (const number of await write()) expect(number).toBeGreaterThan(1_000_000_000_000_000);
    });
  },
  { only: ({ db }) => db === 'postgres' },
);

describeDatabases('numbers of events', (at) => {
  let house: RelayHouse;
  beforeAll(async () => {
    house = await RelayHouse.open(at);
  });
  afterAll(() => house.close());

  const write = async (): Promise<bigint> => {
    const writer = new SqlOutboxWriter(house.db, house.tables, SILENT, 'commit');
    await new Outbox(writer, { payloadBytes: 1_000 }).publish({ channel: 'c', name: 'n', data: 1 });
    const text = 'SELECT CAST(MAX(sequence_id) AS CHAR(20)) AS n FROM durable_outbox';
    return BigInt((await house.backend.query<{ n: string }>(text))[0]!.n);
  };

  it('jump once when a relay finds itself on another server, with all relays looking at once', async () => {
    const relays = [1, 2, 3].map(() => house.boot());
    await Promise.all(relays.map(({ storage }) => storage.nodes.lookAtEra()));
    const first = await write();
    expect(first).toBeLessThan(1_000n);
    const era =
      house.backend.db === 'postgres'
        ? `SELECT setval('durable_outbox_era', 1)`
        : `UPDATE durable_outbox_era SET server = 'another'`;
    await house.backend.query(era);
    await Promise.all(relays.map(({ storage }) => storage.nodes.lookAtEra()));
    const second = await write();
    expect(second).toBeGreaterThan(1_000_000_000_000_000n);
    expect(second).toBeLessThan(2n ** 53n);
    await Promise.all(relays.map(({ storage }) => storage.nodes.lookAtEra()));
    expect((await write()) - second).toBeLessThan(1_000n);
  });

  it('jump when somebody says so, and then again', async () => {
    const before = await write();
    await jumpNumbers(house.db, house.tables);
    const after = await write();
    expect(after - before).toBeGreaterThan(1_000_000n);
    await jumpNumbers(house.db, house.tables);
    expect((await write()) - after).toBeGreaterThan(1_000_000n);
    expect((await house.backend.query(`SELECT 1 FROM durable_outbox WHERE channel = ''`)).length).toBe(0);
    if (house.backend.db === 'postgres') return;
    // A server that took over: its events are pruned, and it has given no numbers yet.
    const most = await write();
    await house.backend.query('DELETE FROM durable_outbox');
    await house.backend.query('ALTER TABLE durable_outbox AUTO_INCREMENT = 1');
    await jumpNumbers(house.db, house.tables);
    expect(await write()).toBeGreaterThan(most);
  });
});

describeDatabases(
  'numbers of events on MySQL and MariaDB',
  (at) => {
    it('stay where the column is too narrow for a jump, which is said once, and shards are taken', async () => {
      const house = await RelayHouse.open(at);
      const stays: string[] = [];
      const { relay, nodeId, errors } = house.boot({ observer: { numbersStay: (why) => void stays.push(why) } });
      try {
        await house.backend.query('ALTER TABLE durable_outbox MODIFY sequence_id int NOT NULL AUTO_INCREMENT');
        await house.backend.query(`INSERT INTO durable_outbox_era (id, server) VALUES (0, 'another')`);
        await relay.start();
        await until('it has all shards', async () => (await house.owners()).get(nodeId) === 64);
        await house.write(['a'], 1);
        await until('it is delivered', () => house.log.length === 1);
        expect([stays, errors]).toEqual([['narrow'], []]);
      } finally {
        await house.close();
      }
    });
  },
  { only: ({ db }) => db !== 'postgres' },
);
