import { setTimeout as pause } from 'node:timers/promises';
import { costOf } from '../cost.js';
import type { Spent } from '../lives.js';
import { median, percentile } from '../numbers.js';
import { fill, rowsOf } from '../outbox/pending.js';
import { type BenchProcess, startProcess } from '../processes.js';
import { type Address, dropDatabase, tidy } from '../server.js';
import type { Curve, Point } from './curve.js';
import { type Ground, until } from './ground.js';
import type { Followed, OutboxAppConfig, Transactions } from './outbox-app.js';

let count = 0;

/** A database with an outbox, and processes that end with it. */
async function withOutbox<T>(
  { server, node }: Ground,
  work: (address: Address, start: (script: string, config: object) => Promise<BenchProcess>) => Promise<T>,
): Promise<T> {
  const address = await server.database(`growth_outbox_${++count}`);
  const apps: BenchProcess[] = [];
  try {
    return await work(address, async (script, config) => {
      const app = await startProcess(script, { address, ...config }, node);
      apps.push(app);
      return app;
    });
  } finally {
    for (const app of apps.reverse()) await app.stop();
    await dropDatabase(address);
  }
}

const APP = 'growth/outbox-app.js';
type Role = Omit<OutboxAppConfig, 'address'>;

const ORDERINGS = ['commit', 'insert', 'none'] as const;
const AT_ONCE = [1, 4, 32];
const ROUNDS = 5;

/** What an event adds to a transaction of the app, by when events get their numbers, and by how many write at once. */
export async function priceOfOrder(ground: Ground): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const channels of ground.scale.channels) {
    const points: Point[] = AT_ONCE.map((x) => ({ x, values: {} }));
    for (const ordering of ORDERINGS)
      await withOutbox(ground, async (address, start) => {
        const writer = await start(APP, { role: 'writer', ordering } satisfies Role);
        const perSecond = async (asked: Transactions): Promise<number> => {
          const { lives, ms } = await writer.ask<Spent>('transactions', asked);
          return (lives / ms) * 1_000;
        };
        const ms = ground.scale.ms / 2;
        for (const asked of [0, channels]) await perSecond({ atOnce: 8, ms, channels: asked });
        for (const { x: atOnce, values } of points) {
          const prices: number[] = [];
          const rates: number[] = [];
          // With and without in turns: neighbours in time are compared.
          for (let round = 0; round < ROUNDS; round++) {
            const bare = await perSecond({ atOnce, ms, channels: 0 });
            const rate = await perSecond({ atOnce, ms, channels });
            prices.push(bare / rate);
            rates.push(rate);
          }
          const { cost } = await costOf(address, () => perSecond({ atOnce, ms, channels }));
          values[`${ordering}: × a transaction without an event`] = median(prices);
          values[`${ordering}: per second`] = median(rates);
          values[`${ordering}: commits per second`] = (cost.writes / ms) * 1_000;
        }
      });
    curves.push({ name: `transactions with an event, of ${channels} channels`, along: 'transactions at once', points });
  }
  return curves;
}

/** Pending events of some channels, which one relay publishes. */
export async function drain(ground: Ground): Promise<Curve[]> {
  const events = Math.min(40_000, 10 * ground.scale.ms);
  const points: Point[] = [];
  for (const x of ground.scale.channels)
    await withOutbox(ground, async (address, start) => {
      const relay = await start('outbox/relay.js', { debounceMs: 50 });
      const drained = async () => {
        await fill(address, [rowsOf(events, `'channel:' || n % ${x}`)]);
        await tidy(address);
        return costOf(address, () => relay.ask<number>('drain', { events }));
      };
      await drained();
      const { answer: ms, cost } = await drained();
      points.push({
        x,
        values: {
          'published per second': (events / ms) * 1_000,
          'statements per event': cost.statements / events,
          'WAL per event, bytes': cost.walBytes / events,
        },
      });
    });
  return [{ name: `${events} pending events`, along: 'channels', points }];
}

/** No more than a process can parse that stands for all browsers, which is not what is measured. */
const MOST_ARRIVALS_PER_SECOND = 4_000;
const EVERY_MS = 50;

/** Browsers that follow one channel. */
export async function streams(ground: Ground): Promise<Curve[]> {
  const points: Point[] = [];
  for (const x of ground.scale.streams)
    await withOutbox(ground, async (address, start) => {
      const server = await start(APP, { role: 'streams' } satisfies Role);
      const writer = await start(APP, { role: 'writer' } satisfies Role);
      const browsers = await start(APP, { role: 'browsers' } satisfies Role);
      const followed: Followed = { port: await server.ask<number>('port'), streams: x };
      await browsers.ask('follow', followed);
      const everyMs = Math.max(EVERY_MS, (x / MOST_ARRIVALS_PER_SECOND) * 1_000);
      const events = Math.max(20, Math.ceil(ground.scale.ms / everyMs));
      let all: number[] = [];
      const cpuBefore = await server.ask<number>('cpu');
      const { cost } = await costOf(address, async () => {
        for (let i = 0; i < events; i++) {
          await writer.ask('transactions', { channels: 1, atOnce: 1, ms: 0 } satisfies Transactions);
          await pause(everyMs);
        }
        await until('all arrivals', async () => {
          all = all.concat(await browsers.ask<number[]>('arrivals'));
          return all.length >= events * x;
        });
      });
      const cpuMs = (await server.ask<number>('cpu')) - cpuBefore;
      points.push({
        x,
        values: {
          'publication to arrival, p50, ms': percentile(all, 0.5),
          'publication to arrival, p99, ms': percentile(all, 0.99),
          'server process per arrival, ms': cpuMs / all.length,
          'statements per event': cost.statements / events,
        },
      });
    });
  return [{ name: 'streams of one channel', along: 'streams', points }];
}
