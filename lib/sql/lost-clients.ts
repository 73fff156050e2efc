import { sleep } from '../time/sleep.js';
import { callThrough, isRollback, textOf } from './sent-statements.js';

interface LostClient {
  once(event: 'end', listener: () => void): unknown;
  release(error: boolean): void;
}

interface Pool {
  on(event: 'acquire', listener: (client: LostClient) => void): unknown;
  on(event: 'release', listener: (error: unknown, client: LostClient) => void): unknown;
}

/** Those that we hold ourselves, and give back whatever happens. */
const ours = new WeakSet<object>();

/** Leaves the giving back of this client to whoever calls; returns a function that ends that. */
export function keepFromGivingBack(client: object): () => void {
  ours.add(client);
  return () => void ours.delete(client);
}

/** Whoever holds a connection when it ends, or when it refuses its ROLLBACK, has this long to give it back. */
const GRACE_MS = 1_000;

const watched = new WeakSet<object>();

/**
 * Kysely, below MikroORM 7, gives a connection back only after a COMMIT or ROLLBACK that succeeded. One that is lost in
 * its COMMIT, or refuses its ROLLBACK, would be missing in the pool for good, and the pool could not be closed. Such
 * connections are given back here, to be destroyed.
 */
export function giveBackLostClients<P extends object>(pool: P): P {
  if (watched.has(pool)) return pool;
  watched.add(pool);
  const known = new WeakSet<LostClient>();
  const out = new WeakSet<LostClient>();
  const giveBack = (client: LostClient, isLost: () => boolean) =>
    void sleep(GRACE_MS).then(() => isLost() && out.has(client) && !ours.has(client) && client.release(true));
  const events = pool as unknown as Pool;
  events.on('release', (_, client) => void out.delete(client));
  // Not when they connect: the ORM has opened some before anybody watches.
  events.on('acquire', (client) => {
    out.add(client);
    if (known.has(client)) return;
    known.add(client);
    client.once('end', () => giveBack(client, () => true));
    onRefusedRollback(client, (isLast) => giveBack(client, isLast));
  });
  return pool;
}

/** `isLast`: nothing was sent after it. */
function onRefusedRollback(client: object, refused: (isLast: () => boolean) => void): void {
  let sent = 0;
  callThrough(client, 'query', (args, call) => {
    const number = ++sent;
    const answer = call(args);
    if (isRollback(textOf(args[0])) && answer instanceof Promise) answer.catch(() => refused(() => number === sent));
    return answer;
  });
}
