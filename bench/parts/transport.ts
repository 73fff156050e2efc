import { type Load, warmed } from '../lives.js';
import { median, percentile } from '../numbers.js';
import { type BenchProcess, startProcess } from '../processes.js';
import type { Finding } from '../report.js';
import { type Address, type Server, tidy } from '../server.js';
import type { Sizes } from '../sizes.js';

/** An engine's process and a worker's, on a database of their own. */
export interface Pair {
  address: Address;
  engine: BenchProcess;
  stop(): Promise<void>;
}

export async function startPair(kind: 'floor' | 'transport', address: Address): Promise<Pair> {
  const worker = await startProcess(`${kind}/worker.js`, { address });
  const engine = await startProcess(`${kind}/engine.js`, { address });
  const stop = async () => {
    await engine.stop();
    await worker.stop();
  };
  return { address, engine, stop };
}

export async function livesPerSecond({ address, engine }: Pair, load: Load): Promise<number> {
  await tidy(address);
  return (load.lives / (await engine.ask<number>('throughput', load))) * 1_000;
}

export const sequentialTimes = async ({ engine }: Pair, steps: number): Promise<number[]> =>
  warmed(await engine.ask<number[]>('sequence', { steps }));

/** Full lives of tasks through the two tables, ours and the bare program's in turns. */
export async function measureTransport(server: Server, { load, rounds, sequence }: Sizes): Promise<Finding[]> {
  const floor = await startPair('floor', await server.database('floor'));
  const ours = await startPair('transport', await server.database('transport'));
  try {
    for (const pair of [floor, ours]) await livesPerSecond(pair, { ...load, lives: load.lives / 4 });
    const lives: Record<'floor' | 'ours', number[]> = { floor: [], ours: [] };
    const times: Record<'floor' | 'ours', number[]> = { floor: [], ours: [] };
    for (let round = 0; round < rounds; round++) {
      lives.floor.push(await livesPerSecond(floor, load));
      lives.ours.push(await livesPerSecond(ours, load));
      times.floor.push(...(await sequentialTimes(floor, sequence)));
      times.ours.push(...(await sequentialTimes(ours, sequence)));
    }
    return [
      compared('lives per second', '/s', median(lives.ours), median(lives.floor), {
        target: { of: 'ratio', least: 0.6 },
        rounds: lives.ours,
        floorRounds: lives.floor,
      }),
      ...latencies('one life after the other', times.ours, times.floor),
    ];
  } finally {
    await floor.stop();
    await ours.stop();
  }
}

const compared = (what: string, unit: string, value: number, floor: number, rest: Partial<Finding> = {}): Finding => ({
  what,
  unit,
  value,
  floor,
  ratio: value / floor,
  ...rest,
});

/** p50 against the floor's, p99 for itself. */
export function latencies(what: string, ours: readonly number[], floor: readonly number[]): Finding[] {
  return [
    compared(`${what}, p50`, 'ms', percentile(ours, 0.5), percentile(floor, 0.5), {
      target: { of: 'ratio', most: 3 },
    }),
    compared(`${what}, p99`, 'ms', percentile(ours, 0.99), percentile(floor, 0.99), {
      target: { of: 'value', most: 20 },
    }),
  ];
}
