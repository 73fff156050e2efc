import { sleep } from '../time/sleep.js';
import { toDatabaseError } from './database-errors.js';
import { ignoreError } from './driver-connection.js';
import { postgres } from './dialects/postgres.dialect.js';
import type { Listener } from './sql-executor.js';

interface Notification {
  channel: string;
  payload?: string;
}

/** The used part of `pg`'s Client for listening. */
export interface PgListenClient {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'notification', listener: (message: Notification) => void): unknown;
  on(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
  /** The socket, for connections that no longer respond. */
  readonly connection?: { readonly stream?: { destroy(): void } };
}

export type PgClientClass = new (options: object) => PgListenClient;

const ignoreAnswer = (): void => undefined;

/**
 * Opens a connection outside the pool and listens. `options` may be those of a pool: its password is not enumerable, so
 * they are copied property by property.
 */
export async function listenOnPostgres(
  Client: PgClientClass,
  options: object,
  channels: readonly string[],
  onNotify: (channel: string, payload: string) => void,
): Promise<Listener> {
  const own = Object.defineProperties({}, Object.getOwnPropertyDescriptors(options));
  const client = new Client(Object.assign(own, { keepAlive: true, connectionTimeoutMillis: 10_000 }));
  const ended = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  client.on('notification', ({ channel, payload }) => onNotify(channel, payload ?? ''));
  const listener: Listener = {
    ended,
    check: () =>
      client.query('SELECT 1').then(ignoreAnswer, (error: unknown) => {
        throw toDatabaseError(error);
      }),
    close: async () => {
      const goodbye = client.end().catch(ignoreError);
      const gone = new AbortController();
      // A half-open connection never confirms the end.
      const patience = sleep(1_000, gone.signal).then(
        () => gone.signal.aborted || client.connection?.stream?.destroy(),
      );
      await Promise.race([goodbye, ended]);
      gone.abort();
      await patience;
    },
  };
  try {
    await client.connect();
    if (channels.length > 0)
      await client.query(channels.map((channel) => `LISTEN ${postgres.quote(channel)}`).join('; '));
    return listener;
  } catch (error) {
    void listener.close();
    throw error;
  }
}
