import { InvalidArgumentError } from '../core/errors.js';

/**
 * Carries hints between the processes of an app, so that they look for work at once where the database has no
 * notifications: on MySQL and MariaDB, and on PostgreSQL behind a pooler that drops them. A hint may be lost, may come
 * twice or late, and says only that there is something to be found in the database: everybody polls as without a bus.
 */
export interface WakeBus {
  /** Sends a text to all who listen to the channel; they may include this process. */
  publish(channel: string, text: string): unknown;
  /** Calls `onText` for each text. Returns what ends that. A lost connection is reopened by the client itself. */
  listen(channel: string, onText: (text: string) => void): Promise<() => unknown>;
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
  quit(): Promise<unknown>;
  /** Only `redis` has it. */
  pSubscribe?: unknown;
  connect(): Promise<unknown>;
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
    listen: async (channel, onText) => {
      const listening = client.duplicate() as RedisListener;
      listening.on('error', () => undefined);
      if (listening.pSubscribe) {
        await listening.connect();
        await listening.subscribe(channel, onText);
      } else {
        listening.on('message', (_channel: string, text: string) => onText(text));
        await listening.subscribe(channel);
      }
      return () => listening.quit();
    },
  };
}

/** The used part of a connection of `@nats-io/transport-node`, or of `nats` 2. */
export interface NatsClient {
  publish(subject: string, text: string): void;
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: { data: Uint8Array }) => void },
  ): { unsubscribe(): void };
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
    listen: async (subject, onText) => {
      const callback = (error: Error | null, { data }: { data: Uint8Array }) =>
        error ? undefined : onText(new TextDecoder().decode(data));
      const subscription = connection.subscribe(subject, { callback });
      return () => subscription.unsubscribe();
    },
  };
}

/** @throws InvalidArgumentError */
export function checkedWake(wake: WakeBus | undefined): WakeBus | undefined {
  if (wake === undefined || (typeof wake?.publish === 'function' && typeof wake.listen === 'function')) return wake;
  throw new InvalidArgumentError('wake', wake, 'redisWake(client), natsWake(connection) or another WakeBus');
}
