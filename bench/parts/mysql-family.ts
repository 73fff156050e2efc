import { median, percentile } from '../numbers.js';
import type { Finding } from '../report.js';
import { type DatabaseName, type Server, startServer } from '../server.js';
import type { Sizes } from '../sizes.js';
import { livesPerSecond, sequentialTimes, startPair } from './transport.js';

/** The transport on MySQL or MariaDB and on PostgreSQL, in turns. */
export async function measureFamily(
  db: Exclude<DatabaseName, 'postgres'>,
  postgres: Server,
  { load: full, rounds, sequence }: Sizes,
): Promise<Finding[]> {
  const load = { ...full, lives: full.lives / 2 };
  const server = await startServer(db);
  try {
    const theirs = await startPair('transport', await server.database('transport'));
    const reference = await startPair('transport', await postgres.database(`beside_${db}`));
    try {
      for (const pair of [theirs, reference]) await livesPerSecond(pair, { ...load, lives: load.lives / 4 });
      const lives: Record<'theirs' | 'reference', number[]> = { theirs: [], reference: [] };
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        lives.reference.push(await livesPerSecond(reference, load));
        lives.theirs.push(await livesPerSecond(theirs, load));
        times.push(...(await sequentialTimes(theirs, sequence)));
      }
      return findings(lives, times, server.version);
    } finally {
      await theirs.stop();
      await reference.stop();
    }
  } finally {
    await server.stop();
  }
}

function findings(
  lives: Record<'theirs' | 'reference', number[]>,
  times: readonly number[],
  version: string,
): Finding[] {
  const value = median(lives.theirs);
  const floor = median(lives.reference);
  return [
    {
      what: `lives per second (floor: PostgreSQL)`,
      value,
      unit: '/s',
      floor,
      ratio: value / floor,
      target: { of: 'ratio', least: 1 / 3 },
      rounds: lives.theirs,
      floorRounds: lives.reference,
      detail: version,
    },
    {
      what: 'one life after the other, p50',
      value: percentile(times, 0.5),
      unit: 'ms',
      target: { of: 'value', most: 30 },
    },
    { what: 'one life after the other, p99', value: percentile(times, 0.99), unit: 'ms' },
  ];
}
