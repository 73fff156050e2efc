import type { Commits, RunsAtOnce, Starts } from '../app/app.js';
import { type Cost, costOf } from '../cost.js';
import { median, percentile } from '../numbers.js';
import { type BenchProcess, startProcess } from '../processes.js';
import type { Finding } from '../report.js';
import { type Address, type Server, tidy } from '../server.js';
import type { Sizes } from '../sizes.js';
import { latencies, sequentialTimes, startPair } from './transport.js';

const STEPS = 10;
const AT_ONCE = 100;

/** Runs `work` with an app of each of these roles. */
async function withApps<T>(
  address: Address,
  roles: readonly string[],
  work: (...apps: BenchProcess[]) => Promise<T>,
): Promise<T> {
  const apps: BenchProcess[] = [];
  try {
    for (const role of roles) apps.push(await startProcess('app/app.js', { address, role }));
    return await work(...apps);
  } finally {
    for (const app of apps.reverse()) await app.stop();
  }
}

/** 100 workflows at once, of ten steps each. */
export async function measureEngine(server: Server, { runs, rounds }: Sizes): Promise<Finding[]> {
  const address = await server.database('engine');
  return withApps(address, ['worker', 'engine'], async (_worker, engine) => {
    const kind = async (workflow: string, least: number): Promise<Finding[]> => {
      const asked: RunsAtOnce = { workflow, runs, atOnce: AT_ONCE, steps: STEPS };
      await engine.ask('runsAtOnce', { ...asked, runs: runs / 2 });
      const perSecond: number[] = [];
      for (let round = 1; round < rounds; round++) {
        await tidy(address);
        perSecond.push((runs / (await engine.ask<number>('runsAtOnce', asked))) * 1_000);
      }
      await tidy(address);
      const { answer, cost } = await costOf(address, () => engine.ask<number>('runsAtOnce', asked));
      perSecond.push((runs / answer) * 1_000);
      const what = `${AT_ONCE} runs at once of ${STEPS} ${workflow.replace('bench.', '')} steps`;
      const target = { of: 'value', least } as const;
      return [
        { what, value: median(perSecond), unit: 'runs/s', target, rounds: perSecond, detail: cost },
        ...perStep(cost, runs * STEPS, 0.3),
      ];
    };
    return [...(await kind('bench.local', 400)), ...(await kind('bench.remote', 250))];
  });
}

/** Where other processes wait for notifications, the server counts each that they hear as one more transaction; these are not told. */
const perStep = ({ writes, statements, walBytes }: Cost, steps: number, most: number): Finding[] => [
  { what: '  commits per step', value: tenths(writes / steps), unit: '', target: { of: 'value', most } },
  { what: '  statements per step', value: statements / steps, unit: '' },
  { what: '  WAL per step', value: walBytes / steps, unit: 'bytes' },
];

/** Heartbeats, and what begins and ends the run, are spread over its steps. */
const tenths = (value: number): number => (value < 1 ? value : Math.round(value * 10) / 10);

/** Remote steps one after the other in one run of an idle system, and the bare program's. */
export async function measureLatency(server: Server, { sequence, rounds }: Sizes): Promise<Finding[]> {
  const floor = await startPair('floor', await server.database('latency_floor'));
  const address = await server.database('latency');
  const times: number[] = [];
  const floorTimes: number[] = [];
  try {
    return await withApps(address, ['worker', 'engine'], async (_worker, engine) => {
      const once = async () => (await engine.ask<number[]>('sequence', { steps: sequence })).slice(20);
      await once();
      for (let round = 0; round < rounds; round++) {
        floorTimes.push(...(await sequentialTimes(floor, sequence)));
        times.push(...(await once()));
      }
      const { cost } = await costOf(address, once);
      return [
        ...latencies('a remote step of a resident run', times, floorTimes),
        ...perStep(cost, sequence, 3).map((finding) => ({ ...finding, detail: cost })),
      ];
    });
  } finally {
    await floor.stop();
  }
}

/** Milliseconds from the answer to the commit of each start to its first step. */
export async function waitsForFirstStep(by: BenchProcess, at: BenchProcess, starts: Starts): Promise<number[]> {
  const commits = await by.ask<Commits>('starts', starts);
  const begun = await at.ask<Record<string, number>>('begun');
  return Object.entries(commits).map(([id, committed]) => (begun[id] ?? Number.NaN) - committed);
}

/** From the answer to the commit of `start({ transaction })` to the first step. */
export async function measureStart(server: Server, { starts }: Sizes): Promise<Finding[]> {
  const address = await server.database('start');
  return withApps(address, ['worker', 'engine', 'client'], async (worker, engine, client) => {
    const from = async (what: string, by: BenchProcess, at: BenchProcess, workflow: string): Promise<Finding[]> => {
      await by.ask('starts', { workflow, count: 20 } satisfies Starts);
      const waits = await waitsForFirstStep(by, at, { workflow, count: starts });
      return [
        { what: `${what}, p50`, value: percentile(waits, 0.5), unit: 'ms', target: { of: 'value', most: 10 } },
        { what: `${what}, p99`, value: percentile(waits, 0.99), unit: 'ms' },
      ];
    };
    return [
      ...(await from('commit to local step, one process', engine, engine, 'bench.first-local')),
      ...(await from('commit to local step, started elsewhere', client, engine, 'bench.first-local')),
      ...(await from('commit to remote step', engine, worker, 'bench.first-remote')),
    ];
  });
}

/** What a process with an engine and 20 remote steps asks while nothing happens. */
export async function measureIdle(server: Server, { idleMs }: Sizes): Promise<Finding[]> {
  const address = await server.database('idle');
  return withApps(address, ['idle'], async () => {
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await pause(idleMs / 2);
    const { cost } = await costOf(address, () => pause(idleMs));
    const perSecond = (cost.statements / idleMs) * 1_000;
    const target = { of: 'value', most: 5 } as const;
    return [{ what: 'statements of an idle process', value: perSecond, unit: '/s', target, detail: cost }];
  });
}
