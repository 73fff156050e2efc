import { InvalidArgumentError } from '../core/errors.js';
import { ignoreError } from './pools.js';

/**
 * Carries hints between the processes of an app, so that they look for work at once where the database has no
 * notifications: on MySQL and MariaDB, and on PostgreSQL behind a pooler that drops them. A hint may be lost, may come
 * twice or late, and says only that there is something to be found in the database: everybody polls as without a bus.
 */
export interface WakeBus {
  /** Sends a text to all who listen to the channel; they may include this process. */
  publish(channel: string, text: string): unknown;
  /**
   * Calls `onText` for each text until `over` aborts, and resolves when it listens. A lost connection is reopened by the
   * client itself: `onAnew` is called when it listens again, since what was sent meanwhile is lost. A bus may ignore it.
   */
  listen(channel: string, onText: (text: string) => void, over: AbortSignal, onAnew: () => void): Promise<void>;
}

/** The used part of a client of `ioredis`, or of `redis`. */
export interface RedisClient {
  publish(channel: string, text: string): Promise<unknown>;
  /** A second connection with the same options: one that listens can do nothing else. */
  duplicate(): object;
}

interface RedisListener {
  on(event: string, listener: (...args: never[]) => void): unknown;
  subscribe(channel: string, listener?: (text: string) => void): Promise<unknown>;
  disconnect(): unknown;
  /** Only `redis` has them. */
  pSubscribe?: unknown;
  connect(): Promise<unknown>;
  destroy?(): void;
}

/**
 * Hints by Redis: `DurableModule.forRoot({ wake: redisWake(new Redis(url)) })`. The client, of `ioredis` 5 or of `redis` 4
 * and later, stays the app's: it publishes, and a duplicate of it listens.
 *
 * @throws InvalidArgumentError when it is no such client.
 */
export function redisWake(client: RedisClient): WakeBus {
  if (typeof client?.publish !== 'function' || typeof client.duplicate !== 'function')
    throw new InvalidArgumentError('redisWake()', client, 'a client of ioredis or redis');
  return {
    publish: (channel, text) => client.publish(channel, text),
    listen: async (channel, onText, over, onAnew) => {
      const listening = client.duplicate() as RedisListener;
      listening.on('error', ignoreError);
      over.addEventListener('abort', () => close(listening));
      const isNodeRedis = listening.pSubscribe !== undefined;
      if (isNodeRedis) await listening.connect();
      else listening.on('message', (_channel: string, text: string) => onText(text));
      const subscribe = async () => listening.subscribe(channel, ...(isNodeRedis ? [onText] : []));
      await subscribe();
      // Both subscribe again by themselves; once more tells when that is done.
      listening.on('ready', () => void subscribe().then(onAnew).catch(ignoreError));
    },
  };
}

/** Also one that is still connecting, which it would try for ever. */
function close(listening: RedisListener): void {
  try {
    if (listening.destroy) listening.destroy();
    else listening.disconnect();
  } catch {
    // It is closed.
  }
}

/** The used part of a connection of `@nats-io/transport-node`, or of `nats` 2. */
export interface NatsClient {
  publish(subject: string, text: string): void;
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: { data: Uint8Array }) => void },
  ): { unsubscribe(): void };
  flush(): Promise<void>;
  status(): AsyncIterable<{ type: string }>;
}

/**
 * Hints by NATS: `DurableModule.forRoot({ wake: natsWake(await connect({ servers })) })`. The connection stays the app's.
 *
 * @throws InvalidArgumentError when it is none.
 */
export function natsWake(connection: NatsClient): WakeBus {
  if (typeof connection?.publish !== 'function' || typeof connection.subscribe !== 'function')
    throw new InvalidArgumentError('natsWake()', connection, 'a connection of @nats-io/transport-node or nats');
  return {
    publish: (subject, text) => connection.publish(subject, text),
    listen: async (subject, onText, over, onAnew) => {
      const refused: Error[] = [];
      const callback = (error: Error | null, { data }: { data: Uint8Array }) =>
        error ? void refused.push(error) : onText(new TextDecoder().decode(data));
      const subscription = connection.subscribe(subject, { callback });
      over.addEventListener('abort', () => subscription.unsubscribe());
      await connection.flush();
      if (refused[0]) throw refused[0];
      tellOfReconnects(connection, over, onAnew).catch(ignoreError);
    },
  };
}

/** Ends with the connection or, if the client can end its statuses, when it is over. */
async function tellOfReconnects(connection: NatsClient, over: AbortSignal, onAnew: () => void): Promise<void> {
  const statuses: AsyncIterable<{ type: string }> & { stop?: () => void } = connection.status();
  over.addEventListener('abort', () => statuses.stop?.());
  for await (const { type } of statuses) {
    if (over.aborted) return;
    if (type === 'reconnect') await connection.flush().then(onAnew).catch(ignoreError);
  }
}

/** @throws InvalidArgumentError */
export function checkedWake(wake: WakeBus | undefined): WakeBus | undefined {
  if (wake === undefined || (typeof wake?.publish === 'function' && typeof wake.listen === 'function')) return wake;
  throw new InvalidArgumentError('wake', wake, 'redisWake(client), natsWake(connection) or another WakeBus');
}
