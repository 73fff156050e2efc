import { randomUUID } from 'node:crypto';
import type { OpenBackend } from './backends.js';
import { insertOf, inSavepoint, inTransaction, type Isolation, type OpenOutbox, queryIn } from './outbox-app.js';

type Way = 'publish' | 'insert';

export interface Load {
  writers: number;
  transactions: number;
  /** How many channels there are, and how many of them one transaction writes to. */
  channels: number;
  perTransaction: number;
  /** Events of one transaction for each of its channels. Default 1. */
  events?: number;
  /** `publish`, or an INSERT of the app's own: what a transaction draws from. Default only `publish`. */
  ways?: readonly Way[];
  /** When a transaction publishes, seen from its contended UPDATEs. Default `mixed`. */
  when?: 'first' | 'last' | 'mixed';
  isolation?: Isolation;
  /** Half of the events are put in savepoints, and half of those rolled back. */
  savepoints?: boolean;
  nameOf?: (channel: number) => string;
}

export interface Account {
  /** Committed events, those that are missing, and those that should not be there. */
  committed: number;
  lost: number;
  extra: number;
  /** Neighbours in a channel whose numbers contradict the order of its commits. */
  inversions: number;
  /** Transactions that failed at the app's own contended UPDATEs. */
  ownConflicts: number;
  /** Those that failed anywhere else. */
  failures: string[];
  ms: number;
}

/** What one transaction of the app has done. */
interface Written {
  channel: number;
  place: number;
}

interface True {
  channel: string;
  v: number;
  place: number;
}

/**
 * Writers that contend for a row per channel: `v = v + 1` gives the true order of their transactions, which the numbers
 * of the events have to follow. Rows are locked in order, so that the app's own locks make no circle; channels are
 * published to in any order.
 */
export async function contend(backend: OpenBackend, open: OpenOutbox, load: Load): Promise<Account> {
  await backend.query('DROP TABLE IF EXISTS contended');
  await backend.query('CREATE TABLE contended (id int PRIMARY KEY, v bigint NOT NULL)');
  for (let i = 0; i < load.channels; i++) await backend.query('INSERT INTO contended VALUES (?, 0)', [i]);
  await backend.query('DELETE FROM outbox');
  const contention = new Contention(backend, open, load);
  const ms = await contention.run();
  const rows = await backend.query<Row>('SELECT mutation_id, channel FROM outbox ORDER BY sequence_id');
  const { ownConflicts, failures, truth } = contention;
  return { ...judged(rows, truth), ownConflicts, failures, ms };
}

class Contention {
  readonly truth = new Map<string, True>();
  readonly failures: string[] = [];
  ownConflicts = 0;

  constructor(
    private readonly backend: OpenBackend,
    private readonly open: OpenOutbox,
    private readonly load: Load,
  ) {}

  async run(): Promise<number> {
    let left = this.load.transactions;
    const startedAt = performance.now();
    const writer = async () => {
      while (left-- > 0) await this.transaction();
    };
    await Promise.all(Array.from({ length: this.load.writers }, writer));
    return Math.round(performance.now() - startedAt);
  }

  private async transaction(): Promise<void> {
    const { channels, perTransaction, when = 'mixed', isolation = 'READ COMMITTED', nameOf = named } = this.load;
    const mine = shuffled([...Array(channels).keys()]).slice(0, perTransaction);
    const written = new Map<string, Written>();
    const values = new Map<number, number>();
    let updating = false;
    try {
      await inTransaction(this.backend, isolation, async (handle) => {
        const early = when === 'first' || (when === 'mixed' && Math.random() < 0.5);
        if (early) await this.putAll(handle, mine, written);
        updating = true;
        for (const channel of [...mine].sort((a, b) => a - b)) values.set(channel, await this.next(handle, channel));
        updating = false;
        if (!early) await this.putAll(handle, mine, written);
      });
    } catch (error) {
      if (updating) this.ownConflicts++;
      else this.failures.push(String((error as Error).message));
      return;
    }
    for (const [mutationId, { channel, place }] of written)
      this.truth.set(mutationId, { channel: nameOf(channel), v: values.get(channel) ?? 0, place });
  }

  private async next(handle: unknown, channel: number): Promise<number> {
    await queryIn(this.backend, handle, `UPDATE contended SET v = v + 1 WHERE id = ${channel}`);
    const rows = await queryIn(this.backend, handle, `SELECT v FROM contended WHERE id = ${channel}`);
    return Number((rows as [{ v: unknown }])[0].v);
  }

  private async putAll(handle: unknown, mine: readonly number[], written: Map<string, Written>): Promise<void> {
    const { events = 1, ways = ['publish'], savepoints = false } = this.load;
    const way = ways[pick(ways.length)] ?? 'publish';
    for (const channel of shuffled(mine.flatMap((each) => Array<number>(events).fill(each)))) {
      const mutationId = randomUUID();
      const apart = savepoints && Math.random() < 0.5;
      const kept = await (apart ? this.putInSavepoint : this.put).call(this, handle, channel, mutationId, way);
      if (kept) written.set(mutationId, { channel, place: written.size });
    }
  }

  private async put(handle: unknown, channel: number, mutationId: string, way: Way): Promise<boolean> {
    const name = (this.load.nameOf ?? named)(channel);
    if (way === 'insert') await queryIn(this.backend, handle, insertOf(name, mutationId));
    else await this.open.outbox.publish({ channel: name, name: 'e', mutationId }, { transaction: handle });
    return true;
  }

  private async putInSavepoint(handle: unknown, channel: number, mutationId: string, way: Way): Promise<boolean> {
    const undone = new Error('undone');
    const kept = Math.random() < 0.5;
    try {
      await inSavepoint(this.backend, handle, async (inner) => {
        await this.put(inner, channel, mutationId, way);
        if (!kept) throw undone;
      });
    } catch (error) {
      if (error !== undone) throw error;
    }
    return kept;
  }
}

const named = (channel: number): string => `channel:${channel}`;
const pick = (most: number): number => Math.floor(Math.random() * most);

function shuffled<T>(items: readonly T[]): T[] {
  const drawn = items.map((item) => ({ item, at: Math.random() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

type Row = { mutation_id: string; channel: string };
type Judgement = Pick<Account, 'committed' | 'lost' | 'extra' | 'inversions'>;

/** What is in the table, in the order of its numbers, against what was committed. */
function judged(rows: readonly Row[], truth: ReadonlyMap<string, True>): Judgement {
  const last = new Map<string, True>();
  const seen = new Set<string>();
  let [inversions, extra] = [0, 0];
  for (const { mutation_id: mutationId, channel } of rows) {
    const event = truth.get(mutationId);
    if (event?.channel !== channel || seen.has(mutationId)) {
      extra++;
      continue;
    }
    const before = last.get(channel);
    if (before && (event.v < before.v || (event.v === before.v && event.place < before.place))) inversions++;
    seen.add(mutationId);
    last.set(channel, event);
  }
  return { committed: truth.size, lost: truth.size - seen.size, extra, inversions };
}
