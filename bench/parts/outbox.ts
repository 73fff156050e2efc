import { costOf } from '../cost.js';
import { warmed } from '../lives.js';
import { median, percentile } from '../numbers.js';
import type { Transactions } from '../outbox/writer.js';
import { fill, rowsOf } from '../outbox/pending.js';
import type { Publications } from '../outbox/publications.js';
import { type BenchProcess, startProcess } from '../processes.js';
import type { Finding } from '../report.js';
import { type Address, type Server, tidy } from '../server.js';
import type { Sizes } from '../sizes.js';

const CHANNELS = 2_000;
const BLOCKED = 100_000;
const DEBOUNCE_MS = 50;

/** An outbox with a process that publishes it to nobody. */
interface Side {
  address: Address;
  relay: BenchProcess;
}

async function openSide(server: Server, name: string, debounceMs = DEBOUNCE_MS): Promise<Side> {
  const address = await server.database(name);
  return { address, relay: await startProcess('outbox/relay.js', { address, debounceMs }) };
}

async function perSecond({ address, relay }: Side, events: number): Promise<number> {
  await fill(address, [rowsOf(events, `'channel:' || n % ${CHANNELS}`)]);
  await tidy(address);
  return (events / (await relay.ask<number>('drain', { events }))) * 1_000;
}

async function measureThroughput(server: Server, { events, rounds }: { events: number; rounds: number }) {
  const free = await openSide(server, 'outbox');
  const beside = await openSide(server, 'outbox_blocked');
  try {
    await fill(beside.address, [
      rowsOf(BLOCKED, `'stuck'`),
      `INSERT INTO durable_outbox_channels (destination, channel, state) VALUES ('broker', 'stuck', 'blocked')`,
    ]);
    for (const side of [free, beside]) await perSecond(side, events / 4);
    const rates: Record<'free' | 'beside', number[]> = { free: [], beside: [] };
    for (let round = 0; round < rounds; round++) {
      rates.free.push(await perSecond(free, events));
      rates.beside.push(await perSecond(beside, events));
    }
    return rates;
  } finally {
    await beside.relay.stop();
    await free.relay.stop();
  }
}

async function throughput(server: Server, { load, rounds }: Sizes): Promise<Finding[]> {
  const rates = await measureThroughput(server, { events: load.lives, rounds });
  const [value, besideBlocked] = [median(rates.free), median(rates.beside)];
  return [
    {
      what: `events of ${CHANNELS} channels published`,
      value,
      unit: '/s',
      rounds: rates.free,
      target: { of: 'value', least: 10_000 },
    },
    {
      what: `  beside ${BLOCKED} of a blocked channel (floor: without)`,
      value: besideBlocked,
      unit: '/s',
      floor: value,
      ratio: besideBlocked / value,
      rounds: rates.beside,
      floorRounds: rates.free,
      target: { of: 'ratio', least: 0.8 },
    },
  ];
}

/** From the answer to the commit to the call of the publisher. */
async function latency(server: Server, { starts }: Sizes): Promise<Finding[]> {
  const findings: Finding[] = [];
  const cases = [
    { what: 'commit to publish, now and then, same process', debounceMs: DEBOUNCE_MS, everyMs: 80, within: true },
    { what: 'commit to publish, now and then, other process', debounceMs: DEBOUNCE_MS, everyMs: 80, within: false },
    { what: 'commit to publish, 200 a second', debounceMs: DEBOUNCE_MS, everyMs: 5, within: false },
    { what: '  without a window', debounceMs: 1, everyMs: 5, within: false },
  ];
  for (const [n, { what, debounceMs, everyMs, within }] of cases.entries()) {
    const { address, relay } = await openSide(server, `outbox_latency_${n}`, debounceMs);
    const writer = await startProcess('outbox/writer.js', { address });
    try {
      await relay.ask('start');
      const by = within ? relay : writer;
      await by.ask('publish', { count: 50, everyMs } satisfies Publications);
      const count = everyMs < 10 ? starts * 5 : starts;
      const waits = await waitsOf(by, relay, { count, everyMs });
      // A window of which the half is waited for on average, and at most all of it.
      const most = 15 + (everyMs < debounceMs ? debounceMs : 0);
      findings.push(
        { what: `${what}, p50`, value: percentile(waits, 0.5), unit: 'ms', target: { of: 'value', most } },
        { what: `${what}, p99`, value: percentile(waits, 0.99), unit: 'ms' },
      );
    } finally {
      await writer.stop();
      await relay.stop();
    }
  }
  return findings;
}

async function waitsOf(by: BenchProcess, relay: BenchProcess, publications: Publications): Promise<number[]> {
  const commits = Object.entries(await by.ask<Record<string, number>>('publish', publications));
  for (;;) {
    const seen = await relay.ask<Record<string, number>>('seen');
    if (commits.every(([id]) => id in seen)) return commits.map(([id, committed]) => seen[id]! - committed);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What a transaction pays for an event. */
async function publishCost(server: Server, { sequence, rounds }: Sizes): Promise<Finding[]> {
  const address = await server.database('outbox_cost');
  const writer = await startProcess('outbox/writer.js', { address });
  try {
    const ask = (events: number): Promise<number[]> =>
      writer.ask('transactions', { count: sequence, events } satisfies Transactions);
    const times: Record<0 | 1, number[]> = { 0: [], 1: [] };
    for (const events of [0, 1] as const) await ask(events);
    for (let round = 0; round < rounds; round++)
      for (const events of [0, 1] as const) times[events].push(...warmed(await ask(events)));
    const counted = async (events: number) => {
      const { cost } = await costOf(address, () => ask(events));
      return { cost, each: cost.statements / sequence };
    };
    const [without, one] = [await counted(0), await counted(1)];
    const [value, floor] = [median(times[1]), median(times[0])];
    return [
      { what: 'transaction with an event (floor: without), p50', value, unit: 'ms', floor, ratio: value / floor },
      {
        what: '  statements',
        value: one.each,
        unit: '',
        floor: without.each,
        ratio: one.each / without.each,
        detail: one.cost,
      },
    ];
  } finally {
    await writer.stop();
  }
}

/** The outbox: how much it publishes, how soon, and what an event costs the transaction that writes it. */
export const measureOutbox = async (server: Server, sizes: Sizes): Promise<Finding[]> => [
  ...(await throughput(server, sizes)),
  ...(await latency(server, sizes)),
  ...(await publishCost(server, sizes)),
];
