import { ignoreError } from './driver-connection.js';
import { callThrough } from './sent-statements.js';

interface PooledClient {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  removeListener(event: 'error', listener: (error: unknown) => void): unknown;
  release: (error?: Error | boolean) => void;
}

interface HandOverOptions<Client> {
  connect: () => Promise<Client>;
  /** Undefined where there is nothing to end. */
  endingOf: (client: Client) => Promise<void> | undefined;
  /** How many clients may be destroyed for one that is asked for. A new one has nothing to end. */
  most: number;
}

/** What `connect` calls back. */
type Done<Client> = (error: unknown, client?: Client, release?: PooledClient['release']) => void;

/**
 * Has `connect`, in both of its forms, hand over a client only once what somebody has left open on it is rolled back;
 * `pool.query` connects too. One that refuses its ROLLBACK is destroyed, and another takes its place. A client without
 * a transaction is handed over as soon as ever.
 */
export function handOverClean<Client extends PooledClient>(
  pool: { readonly options: object },
  endingOf: (client: Client) => Promise<void> | undefined,
): void {
  const most = (pool.options as { max?: number }).max ?? 10;
  callThrough(pool, 'connect', ([done], call) => {
    const connect = () => call([]) as Promise<Client>;
    const clean = cleaning({ connect, endingOf, most });
    if (typeof done !== 'function') return connect().then(clean);
    return call([callingBack(done as Done<Client>, clean)]);
  });
}

/** Called at once where the client needs nothing. */
function callingBack<Client extends PooledClient>(
  done: Done<Client>,
  clean: (client: Client) => Client | Promise<Client>,
): Done<Client> {
  return (error, client, release) => {
    const cleaned = client && clean(client);
    if (!(cleaned instanceof Promise)) return done(error, client, release);
    void cleaned.then(
      (other) => done(undefined, other, other.release),
      (refused: unknown) => done(refused, undefined, () => undefined),
    );
  };
}

/** Answers the client itself, or in time another. Rejects with what the last one has said to its ROLLBACK. */
function cleaning<Client extends PooledClient>({ connect, endingOf, most }: HandOverOptions<Client>) {
  let destroyed = 0;
  const ended = async (client: Client, ending: Promise<void>): Promise<Client> => {
    // The pool listens only to idle clients, and whoever gets this one does not listen yet.
    client.on('error', ignoreError);
    try {
      await ending;
    } catch (error) {
      client.release(true);
      if (++destroyed > most) throw error;
      return clean(await connect());
    }
    client.removeListener('error', ignoreError);
    return client;
  };
  const clean = (client: Client): Client | Promise<Client> => {
    const ending = endingOf(client);
    return ending ? ended(client, ending) : client;
  };
  return clean;
}
