import { crowd } from '../operating/crowded.js';
import { type Amounts, MILLION } from '../operating/rows.js';
import { openTab, TABS } from '../operating/tab.js';
import { median } from '../numbers.js';
import { type BenchProcess, startProcess } from '../processes.js';
import type { Finding } from '../report.js';
import { type DatabaseName, startReadServer } from '../server.js';
import type { Sizes } from '../sizes.js';

const STEPS = 10;
const AT_ONCE = 100;
/** Rounds are long, so that pages ask at their pace. */
const RUNS = 5;
/** The part of its throughput that an engine may lose to pages that are looked at. */
const LEAST = 0.98;

/**
 * What ten tabs cost a process that plays workflows, runs their steps and serves the page, with all that it can do, among
 * a million runs. Rounds with and without tabs take turns.
 */
export async function measureTabs(
  db: DatabaseName,
  { runs, rounds }: Sizes,
  amounts: Amounts = MILLION,
): Promise<Finding[]> {
  const server = await startReadServer(db);
  try {
    const address = await server.database('tabs');
    // Its first start makes the tables of the outbox, which are filled before anything works on them.
    await (await startProcess('app/app.js', { address, role: 'client', dashboard: true })).stop();
    await crowd(address, amounts);
    const app = await startProcess('app/app.js', { address, role: 'alone', dashboard: true });
    try {
      return await findings(db, app, runs * RUNS, rounds);
    } finally {
      await app.stop();
    }
  } finally {
    await server.stop();
  }
}

async function findings(db: DatabaseName, app: BenchProcess, runs: number, rounds: number): Promise<Finding[]> {
  const url = await app.ask<string>('url');
  const perSecond = async () => {
    const asked = { workflow: 'bench.remote', runs, atOnce: AT_ONCE, steps: STEPS };
    return (runs / (await app.ask<number>('runsAtOnce', asked))) * 1_000;
  };
  const alone: number[] = [];
  const lookedAt: number[] = [];
  let answers = 0;
  const withTabs = async () => {
    const tabs = TABS.map((looks) => openTab(url, looks));
    try {
      // What is measured is pages that stay open.
      await Promise.all(tabs.map(({ ready }) => ready));
      lookedAt.push(await perSecond());
    } finally {
      for (const tab of tabs) answers += await tab.close();
    }
  };
  const without = async () => void alone.push(await perSecond());
  await perSecond();
  for (let round = 0; round < rounds; round++)
    for (const measure of round % 2 === 0 ? [without, withTabs] : [withTabs, without]) await measure();
  // Neighbours in time are compared: the machine and the tables change over the rounds.
  const ratio = median(lookedAt.map((value, round) => value / alone[round]!));
  return [
    {
      what: `${db}, remote runs at once while ten tabs look`,
      value: median(lookedAt),
      unit: 'runs/s',
      floor: median(alone),
      ratio,
      target: { of: 'ratio', least: LEAST },
      rounds: lookedAt,
      floorRounds: alone,
      detail: { answers },
    },
  ];
}
