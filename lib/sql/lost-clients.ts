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

/** Clients that we hold ourselves and always release. */
const ours = new WeakSet<object>();

/** Lets the caller release this client; returns a function that ends that. */
export function keepFromGivingBack(client: object): () => void {
  ours.add(client);
  return () => void ours.delete(client);
}

/** The holder of a connection that ended or failed its ROLLBACK has this long to release it. */
const GRACE_MS = 1_000;

const watched = new WeakSet<object>();

/**
 * Kysely, below MikroORM 7, releases a connection only after a successful COMMIT or ROLLBACK. A connection that is lost
 * in COMMIT or fails its ROLLBACK would never return to the pool, and the pool could not be closed. Such connections
 * are released and destroyed here.
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
  // Not on connect: the ORM may have opened connections before.
  events.on('acquire', (client) => {
    out.add(client);
    if (known.has(client)) return;
    known.add(client);
    client.once('end', () => giveBack(client, () => true));
    onRefusedRollback(client, (isLast) => giveBack(client, isLast));
  });
  return pool;
}

/** `isLast`: no statement was sent after it. */
function onRefusedRollback(client: object, refused: (isLast: () => boolean) => void): void {
  let sent = 0;
  callThrough(client, 'query', (args, call) => {
    const number = ++sent;
    const answer = call(args);
    if (isRollback(textOf(args[0])) && answer instanceof Promise) answer.catch(() => refused(() => number === sent));
    return answer;
  });
}
