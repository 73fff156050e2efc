import { crowd } from '../operating/crowded.js';
import { type Question, questions } from '../operating/questions.js';
import { type Amounts, MILLION } from '../operating/rows.js';
import { percentile } from '../numbers.js';
import { startProcess } from '../processes.js';
import type { Finding } from '../report.js';
import { type DatabaseName, startReadServer } from '../server.js';
import type { Sizes } from '../sizes.js';

/** Whoever opens a page waits at most so long for the server, in ms. */
const MOST_MS = 200;
const SLOWEST = 20;

interface Asked extends Question {
  /** Milliseconds of each round. */
  times: number[];
}

/** How long the dashboard takes for everything that its pages ask, of a system with `amounts`: server and database. */
export async function measureReads(
  db: DatabaseName,
  { rounds }: Sizes,
  amounts: Amounts = MILLION,
): Promise<Finding[]> {
  const server = await startReadServer(db);
  try {
    const address = await server.database('operating');
    const app = await startProcess('app/app.js', { address, role: 'client', dashboard: true });
    try {
      await crowd(address, amounts);
      const asked = questions().map((question): Asked => ({ ...question, times: [] }));
      const url = await app.ask<string>('url');
      for (let round = 0; round < rounds; round++)
        for (const { address: at, times } of asked) times.push(await timeOf(`${url}/${at}`));
      return findings(db, asked);
    } finally {
      await app.stop();
    }
  } finally {
    await server.stop();
  }
}

/** @throws if it is not answered */
async function timeOf(url: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { headers: { 'sec-fetch-site': 'same-origin' } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return performance.now() - began;
}

function findings(db: DatabaseName, asked: readonly Asked[]): Finding[] {
  const routes = [...new Set(asked.map(({ route }) => route))];
  return routes.flatMap((route): Finding[] => {
    const of = asked.filter((one) => one.route === route);
    const all = of.flatMap(({ times }) => times);
    const slowest = of
      .map(({ address, times }) => ({ address, ms: Math.round(percentile(times, 0.5)) }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SLOWEST);
    const most = Math.max(...of.map(({ times }) => percentile(times, 0.5)));
    const what = `${db}, GET ${route}, ${of.length} questions`;
    return [
      { what: `${what}, p50`, value: percentile(all, 0.5), unit: 'ms' },
      { what: `${what}, p99`, value: percentile(all, 0.99), unit: 'ms' },
      {
        what: `  the slowest of them, median`,
        value: most,
        unit: 'ms',
        target: { of: 'value', most: MOST_MS },
        detail: slowest,
      },
    ];
  });
}
