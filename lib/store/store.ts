import { encodedWithin } from '../core/codec.js';
import { InvalidArgumentError, NotACounterError } from '../core/errors.js';
import { checkDuration, checkedOptions, type KnownOptions } from '../core/options.js';
import { isStorable } from '../core/protocol.js';
import { type Duration, toMs } from '../core/time.js';
import type { StorageMethods } from '../core/transaction.js';

export interface StoreOptions {
  /**
   * The app's own open transaction, as the ORM passes it: TypeORM's `EntityManager` or `QueryRunner`, MikroORM's
   * `EntityManager`. Default: the surrounding transaction if the ORM knows it (MikroORM), otherwise none.
   */
  transaction?: unknown;
}

export interface StoreWriteOptions extends StoreOptions {
  /** How long the entry lives, from this call, by the clock of the database: at most 100 years. Default: until it is deleted. */
  ttl?: Duration;
}

const STORE_OPTIONS = { transaction: true } satisfies KnownOptions<StoreOptions>;

const WRITE_OPTIONS = { transaction: true, ttl: true } satisfies KnownOptions<StoreWriteOptions>;

/** What is written of an entry. */
export interface NewEntry {
  namespace: string;
  key: string;
  value: string;
  /** Null: it does not expire. */
  ttlMs: number | null;
}

export type EntryKey = Pick<NewEntry, 'namespace' | 'key'>;

/** Texts by key, which may expire by the storage's clock. What has expired is never returned, and does not count as there. */
export interface KeyValues {
  get(entry: EntryKey, transaction?: unknown): Promise<string | undefined>;
  set(entry: NewEntry, transaction?: unknown): Promise<void>;
  /** Returns whether there was one. */
  delete(entry: EntryKey, transaction?: unknown): Promise<boolean>;
  /** Of several at once for one key, exactly one writes. Returns whether this one has. */
  setIfNotExists(entry: NewEntry, transaction?: unknown): Promise<boolean>;
  /**
   * Adds the value, a whole number, to the counter that is there, and returns the sum; undefined, and nothing is changed,
   * if what is there, or the sum, is no {@link COUNTER}. Of several at once for one key, all count. Without `ttlMs` the counter keeps its
   * time.
   */
  increment(entry: NewEntry, transaction?: unknown): Promise<number | undefined>;
  /** Deletes up to `limit` expired entries, of all namespaces. Returns how many. */
  sweep(limit: number): Promise<number>;
}

/** 100 years: the sum with a time of today is exact everywhere. */
const LONGEST_TTL_MS = 100 * 366 * 86_400_000;

/** The longest name of a key or channel, in characters. */
const LONGEST = 191;

/** A counter has at most 15 digits, so that each sum of two is exact in JavaScript and in the databases. */
export const COUNTER = /^-?[0-9]{1,15}$/;
export const END_OF_COUNTERS = 1e15;

export interface DurableStoreOptions {
  namespace: string;
  /** The most bytes of a value; looked up at each call, since the start may lower it. */
  limits: { payloadBytes: number };
}

/**
 * Small texts by key, in the database of the app: shared by all processes of a namespace, written with the app's own
 * transaction where one is given, forgotten when their time is over. For claims, markers and counters; not a cache, since
 * each call is a statement.
 *
 * @example
 * await dataSource.transaction(async (transaction) => {
 *   if (await store.setIfNotExists(`import:${day}`, 'done', { ttl: '7d', transaction })) await importDay(day, transaction);
 * });
 */
export class DurableStore {
  constructor(
    private readonly entries: KeyValues,
    private readonly options: DurableStoreOptions,
  ) {}

  /**
   * The text at a key; undefined if there is none, or its time is over. With a transaction, also what that has written.
   *
   * @throws InvalidArgumentError, InvalidTransactionError
   */
  async get(key: string, options: StoreOptions = {}): Promise<string | undefined> {
    const { transaction } = checkedOptions(options, STORE_OPTIONS, 'DurableStore.get');
    return this.entries.get(this.entryOf(key), transaction);
  }

  /**
   * Writes the text, in place of what was there, and its time.
   *
   * @throws InvalidArgumentError, PayloadTooLargeError, InvalidTransactionError; then nothing is written.
   */
  async set(key: string, value: string, options: StoreWriteOptions = {}): Promise<void> {
    const { transaction, ...entry } = this.written(key, value, options, 'set');
    await this.entries.set(entry, transaction);
  }

  /**
   * Resolves to whether there was one.
   *
   * @throws InvalidArgumentError, InvalidTransactionError
   */
  async delete(key: string, options: StoreOptions = {}): Promise<boolean> {
    const { transaction } = checkedOptions(options, STORE_OPTIONS, 'DurableStore.delete');
    return this.entries.delete(this.entryOf(key), transaction);
  }

  /**
   * Writes the text unless the key has one: of all who ask at once, one gets true. In a transaction, the others wait for
   * its end.
   *
   * @throws InvalidArgumentError, PayloadTooLargeError, InvalidTransactionError; then nothing is written.
   */
  async setIfNotExists(key: string, value: string, options: StoreWriteOptions = {}): Promise<boolean> {
    const { transaction, ...entry } = this.written(key, value, options, 'setIfNotExists');
    return this.entries.setIfNotExists(entry, transaction);
  }

  /**
   * Adds a whole number, which may be negative, and resolves to the sum; a key without a text counts as 0. No call is lost,
   * however many are made at once. `ttl` begins anew with each call that has one.
   *
   * @throws NotACounterError when the text there, or the sum, is no whole number of at most 15 digits, InvalidArgumentError,
   *   InvalidTransactionError; then nothing is written.
   */
  async increment(key: string, by = 1, options: StoreWriteOptions = {}): Promise<number> {
    if (!Number.isInteger(by) || !COUNTER.test(String(by)))
      throw new InvalidArgumentError('by', by, 'a whole number of at most 15 digits');
    const { transaction, ...entry } = this.written(key, String(by), options, 'increment');
    const sum = await this.entries.increment(entry, transaction);
    if (sum === undefined) throw new NotACounterError(key);
    return sum;
  }

  private entryOf(key: unknown): EntryKey {
    return { namespace: this.options.namespace, key: checkedName(key, 'key') };
  }

  private written(key: string, value: string, options: StoreWriteOptions, method: string) {
    const { transaction, ttl } = checkedOptions(options, WRITE_OPTIONS, `DurableStore.${method}`);
    checkDuration(ttl, 'ttl');
    if (ttl !== undefined && toMs(ttl) > LONGEST_TTL_MS)
      throw new InvalidArgumentError('ttl', ttl, 'at most 100 years, or none for an entry that stays');
    const entry = this.entryOf(key);
    if (!isStorable(value)) throw new InvalidArgumentError('value', value, 'a text without NUL and lone surrogates');
    encodedWithin(this.options.limits.payloadBytes, `The value of "${key}"`, () => value);
    return { ...entry, value, ttlMs: ttl === undefined ? null : toMs(ttl), transaction };
  }
}

/** What is told to all processes. */
export interface Broadcast {
  namespace: string;
  channel: string;
  message: string;
}

/** Brings messages from each process to all. Any may be lost. */
export interface Broadcasts {
  /** With a transaction: when it has committed; a rollback discards it. */
  publish(broadcast: Broadcast, transaction?: unknown): Promise<void>;
  /** Calls `listener` with every message, and with undefined when some may have been lost. Returns a function to end it. */
  subscribe(listener: (broadcast: Broadcast | undefined) => void): () => void;
}

/** What processes of an app share. */
export interface StoreStorage {
  entries: KeyValues;
  broadcasts: Broadcasts;
}

export const STORE_METHODS: StorageMethods<StoreStorage> = {
  entries: {
    get: 'reads',
    set: 'writes',
    delete: 'finds',
    setIfNotExists: 'finds',
    increment: 'writes',
    sweep: 'finds',
  },
  broadcasts: { publish: 'tells', subscribe: 'tells' },
};

/**
 * The longest message, in bytes, as it is sent: as JSON with its channel, within JSON. A notification of PostgreSQL has
 * 8,000 bytes.
 */
const LONGEST_SENT = 7_600;

const EXPECTED = `a text without NUL and lone surrogates, of at most ${LONGEST_SENT} bytes as JSON: store what is longer, and tell its key`;

/** What is sent of it. */
export const broadcastText = ({ namespace, channel, message }: Broadcast): string =>
  JSON.stringify([namespace, channel, message]);

/** Undefined: it is none, or some were lost. */
export function broadcastOf(text: string | undefined): Broadcast | undefined {
  try {
    const [namespace, channel, message] = JSON.parse(text ?? 'null') as string[];
    const parts = [namespace, channel, message];
    return parts.every((part) => typeof part === 'string') ? ({ namespace, channel, message } as Broadcast) : undefined;
  } catch {
    return undefined;
  }
}

export interface BroadcastOptions {
  /**
   * The app's own open transaction, as the ORM passes it: the message is sent when it has committed. Default: the
   * surrounding transaction if the ORM knows it (MikroORM), otherwise it is sent at once.
   */
  transaction?: unknown;
}

const BROADCAST_OPTIONS = { transaction: true } satisfies KnownOptions<BroadcastOptions>;

/**
 * Called with a message; with undefined when some may have been lost, as far as that is known: what the messages tell of is
 * then to be looked up.
 */
export type MessageListener = (message: string | undefined) => unknown;

/**
 * Tells all processes of a namespace something at once: that a setting was changed, that a cache is out of date. A hint that
 * may be lost, since nothing is stored: what must arrive is an event of the `Outbox` or a signal.
 *
 * On PostgreSQL it is NOTIFY; on MySQL and MariaDB other processes hear it by the bus of the option `wake`, and without one
 * only this process does.
 *
 * @example
 * pubsub.subscribe('prices', (id) => (id === undefined ? cache.clear() : cache.delete(id)));
 * await dataSource.transaction(async (tx) => {
 *   await tx.save(price);
 *   await pubsub.publish('prices', price.id, { transaction: tx });
 * });
 */
export class DurablePubSub {
  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly namespace: string,
    /** Receives what listeners throw. */
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Sends a text to all who listen to the channel, in this process too.
   *
   * @throws InvalidArgumentError, also for a message of more than 7,600 bytes, and InvalidTransactionError; then nothing is
   *   sent.
   */
  async publish(channel: string, message: string, options: BroadcastOptions = {}): Promise<void> {
    const { transaction } = checkedOptions(options, BROADCAST_OPTIONS, 'DurablePubSub.publish');
    const broadcast = { namespace: this.namespace, channel: checkedName(channel, 'channel'), message };
    if (!isStorable(message) || Buffer.byteLength(JSON.stringify(broadcastText(broadcast))) > LONGEST_SENT)
      throw new InvalidArgumentError('message', message, EXPECTED);
    await this.broadcasts.publish(broadcast, transaction);
  }

  /**
   * Calls `listener` with the messages of the channel, those of this process too, and with undefined when some may have been
   * lost. What it throws, or rejects with, is logged. Returns a function that ends it.
   *
   * @throws InvalidArgumentError
   */
  subscribe(channel: string, listener: MessageListener): () => void {
    const wanted = checkedName(channel, 'channel');
    if (typeof listener !== 'function') throw new InvalidArgumentError('listener', listener, 'a function');
    return this.broadcasts.subscribe((broadcast) => {
      const isOther = broadcast && (broadcast.channel !== wanted || broadcast.namespace !== this.namespace);
      if (!isOther) void this.tell(listener, broadcast?.message);
    });
  }

  private async tell(listener: MessageListener, message: string | undefined): Promise<void> {
    try {
      await listener(message);
    } catch (error) {
      this.onError(error);
    }
  }
}

function checkedName(name: unknown, what: 'key' | 'channel'): string {
  if (isStorable(name) && name !== '' && [...name].length <= LONGEST) return name;
  throw new InvalidArgumentError(what, name, `a text of 1 to ${LONGEST} characters`);
}
