import pg from 'pg';
import type { Address } from '../server.js';

/** Left to itself the planner changes its mind on tables that fill and empty; the floor is what remains when it cannot. */
const STEADY_PLANS = '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off';

export async function connect(to: Address, options = ''): Promise<pg.Client> {
  const { host, port, user, password, database } = to;
  const client = new pg.Client({ host, port, user, password, database, options: `${STEADY_PLANS} ${options}` });
  await client.connect();
  return client;
}

/** Calls `look` at each notification, never twice at once, and again for what came while it looked. */
export async function onNotification(to: Address, channel: string, look: () => Promise<void>): Promise<pg.Client> {
  const client = await connect(to);
  let again = false;
  let looking = false;
  client.on('notification', () => {
    again = true;
    if (looking) return;
    looking = true;
    void (async () => {
      while (again) {
        again = false;
        await look();
      }
      looking = false;
    })();
  });
  await client.query(`LISTEN ${channel}`);
  return client;
}

/** Hands `write` what was added in one turn of the event loop or during the last write, up to `size` at once. */
export function batches<Item>(size: number, write: (items: Item[]) => Promise<void>): (item: Item) => void {
  let queue: Item[] = [];
  let writing = false;
  const drain = async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, size);
      queue = queue.slice(size);
      await write(batch);
    }
    writing = false;
  };
  return (item) => {
    queue.push(item);
    if (writing) return;
    writing = true;
    setImmediate(() => void drain());
  };
}
