import { shortText } from '../core/protocol.js';
import { messageOf } from '../core/thrown.js';
import { createHash, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type CodecContext, plainJson, UnreadablePayload } from '../core/codec.js';
import { InvalidArgumentError, SerializationError } from '../core/errors.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import type { Transaction } from '../core/transaction.js';

/** An event as the in-memory storage keeps it. */
export interface StoredEvent {
  readonly event: OutboxEvent;
  readonly processed: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Whether a channel equals the pattern, or starts with its part before a trailing `*`. */
export const matchesChannel = (pattern: string, channel: string): boolean =>
  pattern.endsWith('*') ? channel.startsWith(pattern.slice(0, -1)) : channel === pattern;

/** How channels begin that only hooks read: one per run, with its ends and blocks. */
export const RUN_CHANNELS = 'durable:run:';

/** Whether only hooks read the channel. */
export const isRunChannel = (channel: string): boolean => channel.startsWith(RUN_CHANNELS);

/** The topic of notifications about new events. A payload is a JSON array of channels. */
export const OUTBOX_TOPIC = 'outbox';

/** One event as it is published: its number within its channel's order, and what the app wrote. */
export interface OutboxEvent<Data = unknown> {
  /** A whole number as text; greater than that of every earlier event of the same channel. */
  readonly sequenceId: string;
  /** Correlates the event with its cause, for example a client's optimistic change. A UUID unless the app set one. */
  readonly mutationId: string;
  readonly channel: string;
  readonly name: string;
  /** True if the event reverts an optimistic change of a client. */
  readonly rejected: boolean;
  readonly data: Data;
  readonly headers: Readonly<Record<string, unknown>> | null;
}

/** The argument of `Outbox.publish`. */
export interface NewOutboxEvent {
  /** Events of one channel are ordered. 1 to 255 characters. */
  channel: string;
  /** For people, and for handlers that tell events apart. At least 1 character; a longer one is cut at 191. */
  name: string;
  /** Any JSON value. Default null. */
  data?: unknown;
  /** Default: a new UUID. 1 to 191 characters. */
  mutationId?: string;
  headers?: Readonly<Record<string, unknown>>;
  /** True: the data is stored as it is although `outbox.codec` is set, for programs without the codec. Default false. */
  plain?: boolean;
}

/** Also what only a published event has: a handler may pass one on. */
const EVENT_FIELDS = {
  channel: true,
  name: true,
  data: true,
  mutationId: true,
  headers: true,
  sequenceId: true,
  rejected: true,
  plain: true,
} satisfies KnownOptions<NewOutboxEvent & OutboxEvent>;

/** A checked event that is about to be stored. */
export interface WrittenEvent {
  readonly mutationId: string;
  readonly channel: string;
  readonly name: string;
  readonly rejected: boolean;
  /** JSON text; null when there is none. */
  readonly data: string | null;
  /** JSON text. */
  readonly headers: string | null;
}

/**
 * When an event gets its number. `commit`: when its transaction commits. The numbers of a channel then follow the order
 * of commits, and a reader that has read up to a number has missed nothing below it. `insert`: when it is written;
 * later writers of the channel wait until that transaction has ended. `none`: when it is written; no writer waits, and
 * numbers may become visible out of order.
 */
export type OutboxOrdering = 'commit' | 'insert' | 'none';

/** What a hook wants to hear of runs. Without a list: of all. */
export interface RunWish {
  readonly on: 'ended' | 'blocked';
  readonly namespace: string;
  readonly workflows?: readonly string[];
  /** Final statuses, or reasons of blocked runs. */
  readonly states?: readonly string[];
}

/** An end or block of a run. `state`: its final status, or why it is blocked. */
export interface RunFact {
  readonly on: RunWish['on'];
  readonly runId: string;
  readonly namespace: string;
  readonly workflow: string;
  readonly state: string;
  /** The destinations of the hooks that wanted to hear of it when it was written. */
  readonly hooks: readonly string[];
}

type Fact = Omit<RunFact, 'hooks'>;

const isWished = (fact: Fact, { on, namespace, workflows, states }: RunWish): boolean =>
  fact.on === on &&
  fact.namespace === namespace &&
  (workflows?.includes(fact.workflow) ?? true) &&
  (states?.includes(fact.state) ?? true);

export const isWanted = (fact: Fact, wishes: readonly RunWish[]): boolean =>
  wishes.some((wish) => isWished(fact, wish));

/** The event of a fact. It holds no payload of the run. */
export const eventOfRun = ({ on, runId, namespace, workflow, state, hooks }: RunFact): WrittenEvent => ({
  mutationId: randomUUID(),
  channel: RUN_CHANNELS + runId,
  name: `run.${on}`,
  rejected: false,
  data: JSON.stringify({ namespace, workflow, state, hooks }),
  headers: null,
});

export function factOf({ channel, name, data }: OutboxEvent): RunFact {
  const on = name === 'run.blocked' ? 'blocked' : 'ended';
  return { on, runId: channel.slice(RUN_CHANNELS.length), ...(data as Omit<RunFact, 'on' | 'runId'>) };
}

/** What a destination has stored of its wishes: a list of {@link Declaration}s, as JSON. */
export interface StoredWishes {
  readonly name: string;
  readonly wants: string;
}

/** What processes of one version want. In a rolling deploy there are several. */
interface Declaration {
  readonly wishes: readonly RunWish[];
  /** When a process with it was last there, epoch ms. */
  readonly seenAt: number;
}

/** How often a process says that it is there; and after how long another version of a hook counts as gone. */
export const SAID_EVERY_MS = 60_000;
const GONE_AFTER_MS = 300_000;

/** The stored text after a process has declared `wishes`, a JSON list: beside it, other versions stay that are there. */
export function declared(stored: string | null, wishes: string, now: number): string {
  const isThere = (other: Declaration) => other.seenAt > now - GONE_AFTER_MS && JSON.stringify(other.wishes) !== wishes;
  return JSON.stringify([
    ...declarationsIn(stored).filter(isThere),
    { wishes: JSON.parse(wishes) as RunWish[], seenAt: now },
  ]);
}

/** Unreadable ones, of another version, count as none. */
function declarationsIn(stored: string | null): Declaration[] {
  try {
    const found = JSON.parse(stored ?? '[]') as Partial<Declaration>[];
    return found.flatMap(({ wishes, seenAt = 0 }) => (Array.isArray(wishes) ? [{ wishes, seenAt }] : []));
  } catch {
    return [];
  }
}

/** What any version of a hook wants. */
export interface HookWishes {
  readonly hook: string;
  readonly wishes: readonly RunWish[];
}

export const wishesIn = (stored: readonly StoredWishes[]): HookWishes[] =>
  stored.map(({ name, wants }) => ({ hook: name, wishes: declarationsIn(wants).flatMap(({ wishes }) => wishes) }));

/** The hooks that want to hear of a fact. */
export const hooksFor = (fact: Fact, all: readonly HookWishes[]): string[] =>
  all.flatMap(({ hook, wishes }) => (isWanted(fact, wishes) ? [hook] : []));

/** The number of shards of an outbox's channels; each shard is published by one process at a time. */
export const SHARDS = 64;

/** The hash function of a channel: the two families have no common function that they allow in an index. */
export type HashFamily = 'postgres' | 'mysql';

/** The shard of a channel, 0 to 63, as the database computes it in `shardExpression` and in its generated column. */
export function shardOf(channel: string, family: HashFamily): number {
  return HASHES[family](channel) & (SHARDS - 1);
}

/** `CRC32()` of MySQL and MariaDB. */
export const crcOf = (channel: string): number => crc32(channel);

const HASHES: Readonly<Record<HashFamily, (channel: string) => number>> = {
  postgres: (channel) => createHash('md5').update(channel).digest()[0] ?? 0,
  mysql: crcOf,
};

/** Stores events that `Outbox` has checked. */
export interface OutboxWriter {
  /**
   * Writes the events with the commit of a transaction: `transaction`, which is the app's own as its ORM passes it;
   * otherwise the surrounding transaction if the ORM knows it; otherwise a new one. They are numbered in the given
   * order, after events that the same transaction wrote before. A rollback, also to a savepoint, discards them.
   *
   * With ordering `commit`, the numbers of a channel follow the order in which its transactions commit: a reader that
   * sees a number sees all smaller ones of the channel. Writers never deadlock with each other.
   *
   * @throws InvalidTransactionError when `transaction` is not an open transaction.
   */
  write(events: readonly WrittenEvent[], transaction?: unknown): Promise<void>;
  /** Writes in a new transaction, even inside another one. */
  writeAlone(events: readonly WrittenEvent[]): Promise<void>;
  /**
   * Writes at once in one of our own transactions: call it shortly before COMMIT, with all events of the transaction.
   */
  writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void>;
  /**
   * Writes in a transaction that may be the app's own: right before its COMMIT if it can call us then, else at once.
   */
  writeWith(tx: Transaction, events: readonly WrittenEvent[]): Promise<void>;
  /** Notifies relays and readers of all processes of new events. Each write calls it after its commit. */
  wake(channels: readonly string[]): void;
}

export interface EventLimits {
  /** The maximum size of an event's data, and of its headers, in bytes of JSON. */
  readonly payloadBytes: number;
  /** Seals the data of all events that are not `plain`. */
  readonly codec?: EventCodec | undefined;
}

const MAX_CHANNEL = 255;
const MAX_NAME = 191;

/** NUL and lone surrogates: not every database can store them as text. */
const UNSTORABLE = /\0|\p{Cs}/u;
/** The same as JSON escapes; an even number of backslashes may precede them. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/**
 * Checks an event and returns it as it is stored. `context`: what is known of the run that publishes it.
 *
 * @throws InvalidArgumentError naming a field that some database could not store unchanged.
 * @throws SerializationError if the codec cannot seal the data.
 */
export function checkedEvent(
  event: NewOutboxEvent,
  limits: EventLimits,
  newId: () => string,
  context: CodecContext = {},
): WrittenEvent {
  if (typeof event !== 'object' || event === null)
    throw new InvalidArgumentError('event', event, 'an object with a channel and a name');
  const {
    channel,
    name,
    data,
    mutationId = newId(),
    headers,
    plain = false,
  } = checkedOptions(event, EVENT_FIELDS, 'The event');
  if (typeof channel === 'string' && isRunChannel(channel))
    throw new InvalidArgumentError('event.channel', channel, `a channel that does not begin with "${RUN_CHANNELS}"`);
  if (typeof plain !== 'boolean') throw new InvalidArgumentError('event.plain', plain, 'true or false');
  const text = checkedJson('event.data', data, limits);
  const { codec } = limits;
  return {
    mutationId: checkedText('event.mutationId', mutationId, MAX_NAME),
    channel: checkedText('event.channel', channel, MAX_CHANNEL),
    name: checkedText('event.name', typeof name === 'string' ? shortText(name, MAX_NAME) : name, MAX_NAME),
    rejected: false,
    data: text === null || plain || !codec ? text : sealedData(codec, text, { ...context, channel }),
    headers: checkedHeaders(headers, limits),
  };
}

function checkedText(argument: string, text: unknown, most: number): string {
  // Length in code points, as databases count.
  const fits = typeof text === 'string' && text !== '' && !UNSTORABLE.test(text) && [...text].length <= most;
  if (!fits) throw new InvalidArgumentError(argument, text, `a string of 1 to ${most} characters without NUL`);
  return text;
}

function checkedHeaders(headers: unknown, limits: EventLimits): string | null {
  if (headers === undefined || headers === null) return null;
  const prototype: unknown = typeof headers === 'object' ? Object.getPrototypeOf(headers) : undefined;
  if (prototype !== Object.prototype && prototype !== null)
    throw new InvalidArgumentError('event.headers', headers, 'a plain object');
  return checkedJson('event.headers', headers, limits);
}

function checkedJson(argument: string, value: unknown, { payloadBytes }: EventLimits): string | null {
  if (value === undefined || value === null) return null;
  const text = jsonOf(argument, value);
  if (UNSTORABLE_ESCAPE.test(text))
    throw new InvalidArgumentError(argument, value, 'a string without NUL and unpaired surrogates');
  const bytes = Buffer.byteLength(text);
  if (bytes > payloadBytes)
    throw new InvalidArgumentError(argument, `${bytes} bytes of JSON`, `at most ${payloadBytes}, or a reference`);
  return text;
}

function jsonOf(argument: string, value: unknown): string {
  let [text, why]: (string | undefined)[] = [];
  try {
    text = plainJson(value);
  } catch (error) {
    // A circular value, a BigInt, a toJSON that throws, or what JSON would lose.
    why = error instanceof Error ? error.message.split('\n', 1)[0] : undefined;
  }
  if (text !== undefined) return text;
  throw new InvalidArgumentError(argument, value, `a value that JSON can represent${why ? ` (${why})` : ''}`);
}

/** Events of one channel. */
export interface EraseEvents {
  readonly channel: string;
  /** Only these. Default: all. */
  readonly mutationIds?: readonly string[];
  /** The number after which the page begins. */
  readonly after: string;
  /** The most events that are read for the page. */
  readonly limit: number;
}

export interface EraseDeadLetters extends EraseEvents {
  readonly destination: string;
  /** Otherwise they are only reported: somebody may requeue them. */
  readonly discards: boolean;
}

export interface ErasedEvents {
  readonly erased: number;
  /** Events that are still to be published: they are not changed. */
  readonly kept: readonly KeptEvent[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

export interface KeptEvent {
  readonly channel: string;
  readonly mutationId: string;
  readonly sequenceId: string;
}

/** Removes what events hold about a person. Nothing that is still to be published is touched. Each page is one commit. */
export interface EventErasure {
  /**
   * Blanks data and headers of the page's events that every destination has received. Number, channel, name and
   * mutation id stay, so readers of retained events see no gap.
   */
  erase(request: EraseEvents): Promise<ErasedEvents>;
  /**
   * With `discards`, deletes the page's dead letters, also those behind another one, but not requeued ones, which are
   * still to be published. The state of the channel is not changed: a parked one stays parked.
   */
  eraseDead(request: EraseDeadLetters): Promise<ErasedEvents>;
  /** Removes the texts of errors that these channels have overcome. */
  forgetErrors(destinations: readonly string[], channels: readonly string[]): Promise<void>;
}

/** Of dead letters that will be published without anybody's doing. Those `behind` another one are requeued like it. */
export const PENDING = 'requeued';

/** Seals the data of events, as a `sealedCodec` does. What it returns is stored as JSON. */
export interface EventCodec {
  seal(value: unknown, context?: CodecContext): unknown;
  /** @throws if the data cannot be opened. */
  open(data: unknown): unknown;
}

/** The data as it is stored, of the JSON text that the app has published. @throws SerializationError */
function sealedData(codec: EventCodec, text: string, context: CodecContext): string {
  try {
    return JSON.stringify(codec.seal(JSON.parse(text), context));
  } catch (error) {
    throw new SerializationError('event.data', messageOf(error));
  }
}

/** The event as the app has published it. Ends of runs, which only hooks read, are never sealed. */
export const opened = <Event extends OutboxEvent>(codec: EventCodec | undefined, event: Event): Event =>
  !codec || event.data === null || isRunChannel(event.channel) ? event : { ...event, data: codec.open(event.data) };

/** The same for people and streams: data that cannot be opened says so. */
export function shown<Event extends OutboxEvent>(codec: EventCodec | undefined, event: Event): Event {
  try {
    return opened(codec, event);
  } catch (error) {
    return { ...event, data: new UnreadablePayload(messageOf(error)) };
  }
}
