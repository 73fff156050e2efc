import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outbox } from '../../lib/outbox/outbox.js';
import type { OpenBackend } from './backends.js';
import { inTransaction, queryIn } from './outbox-app.js';

export interface TruthLoad {
  writers: number;
  /** How many channels there are, and how many of them one transaction writes to. */
  channels: number;
  perTransaction: number;
  /** Events of one transaction for each of its channels. */
  events: number;
  /** Whether half of the transactions INSERT by themselves in place of publishing. */
  inserts: boolean;
}

type Fate = 'commit' | 'rollback' | 'kill';

interface Put {
  mutationId: string;
  channel: number;
}

interface TruthRow extends Record<string, unknown> {
  mutation_id: string;
  channel: string;
  v: unknown;
  place: unknown;
}

export interface TrueEvent {
  channel: string;
  /** Of its transaction among those of its channel. */
  v: number;
  /** Of the event in its transaction. */
  place: number;
}

const UNDONE = new Error('undone');
/** What is told of a connection that was ended, by the driver or by the server. */
const CUT = /terminat|closed|lost|interrupted|ECONNRESET|not queryable|Broken pipe|already released|has ended/i;
/** Of a hundred transactions. */
const ROLLED_BACK = 8;
const KILLED = 4;

/**
 * Writers that contend for a row per channel, `v = v + 1`, and write down in the same transaction what they published:
 * so what committed, and in which order, is the database's word, also where the writer was killed at its commit.
 */
export class TruthfulWriters {
  rolledBack = 0;
  cut = 0;
  /** Events of transactions that are known to have committed. */
  committed = 0;
  readonly failures: string[] = [];

  constructor(
    private readonly backend: OpenBackend,
    private readonly outbox: Outbox,
    private readonly load: TruthLoad,
  ) {}

  async prepare(): Promise<void> {
    await this.backend.query('CREATE TABLE contended (id int PRIMARY KEY, v bigint NOT NULL)');
    await this.backend.query(
      'CREATE TABLE truth (mutation_id varchar(40) PRIMARY KEY, channel varchar(40), v bigint, place int)',
    );
    const rows = Array.from({ length: this.load.channels }, (_, id) => `(${id}, 0)`);
    await this.backend.query(`INSERT INTO contended VALUES ${rows.join(', ')}`);
  }

  async run(goesOn: () => boolean): Promise<void> {
    const writer = async () => {
      while (goesOn()) await this.transaction();
    };
    await Promise.all(Array.from({ length: this.load.writers }, writer));
  }

  /** What committed, by mutation id. */
  async truth(): Promise<Map<string, TrueEvent>> {
    const rows = await this.backend.query<TruthRow>('SELECT mutation_id, channel, v, place FROM truth');
    return new Map(
      rows.map((row) => [row.mutation_id, { channel: row.channel, v: Number(row.v), place: Number(row.place) }]),
    );
  }

  private async transaction(): Promise<void> {
    const { channels, perTransaction, events } = this.load;
    const fate = fateOf(Math.random() * 100);
    const mine = shuffled([...Array(channels).keys()]).slice(0, perTransaction);
    try {
      await inTransaction(this.backend, 'READ COMMITTED', (handle) => this.write(handle, mine, fate));
      this.committed += perTransaction * events;
    } catch (error) {
      if (error === UNDONE) this.rolledBack++;
      // Whoever gets a connection that was just ended is told so as well.
      else if (CUT.test(String(error))) this.cut++;
      else this.failures.push(String(error));
    }
  }

  private async write(handle: unknown, mine: readonly number[], fate: Fate): Promise<void> {
    if (fate === 'kill') await this.killSoon(handle);
    const early = Math.random() < 0.5;
    const written = early ? await this.putAll(handle, mine) : [];
    for (const id of [...mine].sort((a, b) => a - b))
      await queryIn(this.backend, handle, `UPDATE contended SET v = v + 1 WHERE id = ${id}`);
    const rows = await queryIn(this.backend, handle, `SELECT id, v FROM contended WHERE id IN (${mine.join()})`);
    const values = new Map((rows as { id: number; v: unknown }[]).map(({ id, v }) => [Number(id), Number(v)]));
    if (!early) written.push(...(await this.putAll(handle, mine)));
    const truth = written.map(
      ({ mutationId, channel }, place) => `('${mutationId}', '${named(channel)}', ${values.get(channel)}, ${place})`,
    );
    await queryIn(this.backend, handle, `INSERT INTO truth VALUES ${truth.join(', ')}`);
    if (fate === 'rollback') throw UNDONE;
  }

  private async putAll(handle: unknown, mine: readonly number[]): Promise<Put[]> {
    const channels = shuffled(mine.flatMap((channel) => Array<number>(this.load.events).fill(channel)));
    const puts = channels.map((channel) => ({ mutationId: randomUUID(), channel }));
    if (this.load.inserts && Math.random() < 0.5) {
      const values = puts.map(({ mutationId, channel }) => `('${mutationId}', '${named(channel)}', 'e')`);
      const insert = `INSERT INTO durable_outbox (mutation_id, channel, name) VALUES ${values.join(', ')}`;
      await queryIn(this.backend, handle, insert);
    } else {
      const events = puts.map(({ mutationId, channel }) => ({ channel: named(channel), name: 'e', mutationId }));
      await this.outbox.publish(events, { transaction: handle });
    }
    return puts;
  }

  /** Ends its connection at any moment of its transaction, the commit included. */
  private async killSoon(handle: unknown): Promise<void> {
    const isPostgres = this.backend.db === 'postgres';
    const which = isPostgres ? 'SELECT pg_backend_pid() AS id' : 'SELECT CONNECTION_ID() AS id';
    const [row] = (await queryIn(this.backend, handle, which)) as { id: number }[];
    const kill = isPostgres ? `SELECT pg_terminate_backend(${row?.id})` : `KILL ${row?.id}`;
    void pause(Math.random() * 15)
      .then(() => this.backend.query(kill))
      // It has gone by itself.
      .catch(() => undefined);
  }
}

const named = (channel: number): string => `channel:${channel}`;

const fateOf = (drawn: number): Fate => {
  if (drawn < ROLLED_BACK) return 'rollback';
  return drawn < ROLLED_BACK + KILLED ? 'kill' : 'commit';
};

function shuffled<T>(items: readonly T[]): T[] {
  const drawn = items.map((item) => ({ item, at: Math.random() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}
