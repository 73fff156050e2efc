import { median } from '../numbers.js';
import { type BenchProcess, startProcess } from '../processes.js';
import type { Finding } from '../report.js';
import { type Server, tidy } from '../server.js';
import type { Sizes } from '../sizes.js';

const STEPS = 10;
const AT_ONCE = 100;
/** What telemetry may cost while nobody listens, of all that a step costs its process. */
const MOST = 0.01;

type Telemetry = 'none' | 'off' | 'metrics';
const KINDS: readonly Telemetry[] = ['none', 'off', 'metrics'];

/**
 * What telemetry costs a process while nobody listens, and with metrics. One process takes turns with and without it,
 * since two of the same code differ by more than it costs; in memory, where a step costs least and the difference
 * shows. It is the same beside a database.
 */
export async function measureTelemetry(server: Server, { runs, rounds }: Sizes): Promise<Finding[]> {
  // Many short rounds: what else the machine does, and the heap as it grows, meet all of them alike.
  const inMemory = await perStep(server, { backend: 'memory' }, { runs: runs / 4, rounds: rounds * 16 });
  const beside = await perStep(server, {}, { runs, rounds });
  const onDatabase = median(beside.off);
  return [
    ...KINDS.map((kind) => finding(`CPU per remote step in memory, ${NAMES[kind]}`, inMemory[kind])),
    ...KINDS.map((kind) => finding(`CPU per remote step on PostgreSQL, ${NAMES[kind]}`, beside[kind])),
    {
      ...finding(
        '  telemetry off: its part of a step on PostgreSQL',
        inMemory.off.map((cost, round) => ((cost - inMemory.none[round]!) / onDatabase) * 100),
      ),
      unit: '%',
      target: { of: 'value', most: MOST * 100 },
    },
  ];
}

const NAMES: Readonly<Record<Telemetry, string>> = {
  none: 'without the code',
  off: 'nobody listens',
  metrics: 'with metrics',
};

const finding = (what: string, rounds: number[]): Finding => ({ what, value: median(rounds), unit: 'us', rounds });

/** Microseconds of CPU per step, round by round. */
async function perStep(
  server: Server,
  config: { backend?: 'memory' },
  { runs, rounds }: Pick<Sizes, 'runs' | 'rounds'>,
): Promise<Record<Telemetry, number[]>> {
  const costs: Record<Telemetry, number[]> = { none: [], off: [], metrics: [] };
  const apps: Awaited<ReturnType<typeof startApp>>[] = [];
  try {
    for (const metrics of [false, true]) apps.push(await startApp(metrics));
    for (const kind of KINDS) await measure(kind);
    for (let round = 0; round < rounds; round++)
      for (const kind of round % 2 === 0 ? KINDS : [...KINDS].reverse()) costs[kind].push(await measure(kind));
    return costs;
  } finally {
    for (const { app } of apps) await app.stop();
  }

  async function measure(kind: Telemetry): Promise<number> {
    const { app, address } = apps[kind === 'metrics' ? 1 : 0]!;
    await (config.backend ? app.ask('forget') : tidy(address));
    await app.ask('tellNobody', kind === 'none');
    return cpuPerStep(app, runs);
  }

  /** Each with a database of its own: no process does the work of another. */
  async function startApp(metrics: boolean) {
    const address = await server.database(`telemetry_${config.backend ?? 'database'}_${metrics ? 'metrics' : 'quiet'}`);
    return { app: await startProcess('app/app.js', { address, role: 'alone', ...config, metrics }), address };
  }
}

async function cpuPerStep(app: BenchProcess, runs: number): Promise<number> {
  const before = await app.ask<number>('cpu');
  await app.ask('runsAtOnce', { workflow: 'bench.remote', runs, atOnce: AT_ONCE, steps: STEPS });
  return (((await app.ask<number>('cpu')) - before) * 1_000) / (runs * STEPS);
}
