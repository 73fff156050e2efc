import { setTimeout as pause } from 'node:timers/promises';
import type { AppConfig } from '../app/app.js';
import { type Cost, costOf, type CpuCost, cpuCostOf } from '../cost.js';
import type { Spell, Spent } from '../lives.js';
import { type BenchProcess, startProcess } from '../processes.js';
import type { Memory } from '../serve.js';
import { type Address, dropDatabase, onPostgres, type Server, tidy } from '../server.js';

/** Before anything is counted: code is compiled, and plans are made. */
export const WARM = 600;
/** So many steps are counted at least, however few one run has. */
export const LEAST = 300;

/** How large everything is made. */
export interface Scale {
  /** Of steps, of what fans out, of runs in memory. */
  history: readonly number[];
  /** Of rows that wait. */
  rows: readonly number[];
  bytes: readonly number[];
  processes: readonly number[];
  channels: readonly number[];
  streams: readonly number[];
  /** How long a load is measured, and a snapshot held. */
  ms: number;
  pinnedMs: number;
  purged: number;
  /** Steps of the lifetime. */
  lifetime: number;
}

export const FULL: Scale = {
  history: [10, 100, 1_000, 9_900],
  rows: [1_000, 100_000, 1_000_000],
  bytes: [1_000, 10_000, 100_000, 900_000],
  processes: [1, 2, 4, 8],
  channels: [1, 100, 10_000],
  streams: [10, 100, 1_000],
  ms: 4_000,
  pinnedMs: 180_000,
  purged: 100_000,
  lifetime: 10_000_000,
};

/** Whether it works, in a few minutes. */
export const QUICK: Scale = {
  history: [10, 100],
  rows: [100, 1_000],
  bytes: [1_000, 100_000],
  processes: [1, 2],
  channels: [1, 100],
  streams: [10, 100],
  ms: 500,
  pinnedMs: 2_000,
  purged: 1_000,
  lifetime: 20_000,
};

/** What a part is measured on. */
export interface Ground {
  server: Server;
  scale: Scale;
  node: string;
}

/** Apps on a database. */
export class System {
  private constructor(
    readonly address: Address,
    private readonly server: Server,
    private readonly node: string,
    readonly apps: BenchProcess[],
  ) {}

  static async open(
    { server, node }: Ground,
    roles: readonly AppConfig['role'][] = ['worker', 'engine'],
    address?: Address,
  ): Promise<System> {
    const at = address ?? (await server.database(`growth_${++System.count}`));
    const system = new System(at, server, node, []);
    try {
      for (const role of roles) await system.start({ role });
    } catch (error) {
      await (address ? system.stop() : system.close());
      throw error;
    }
    return system;
  }

  private static count = 0;

  async start(config: Omit<AppConfig, 'address'>): Promise<BenchProcess> {
    const app = await startProcess('app/app.js', { address: this.address, ...config }, this.node);
    this.apps.push(app);
    return app;
  }

  /** The one that is asked, and plays: the last. */
  get engine(): BenchProcess {
    return this.apps.at(-1)!;
  }

  /** What `work` cost, with the processor time of all processes. */
  async costOf<T>(work: () => Promise<T>): Promise<{ answer: T; cost: Cost & CpuCost }> {
    const on = { pid: this.server.pid, processes: this.apps };
    const {
      answer: { answer, cpu },
      cost,
    } = await costOf(this.address, () => cpuCostOf(on, work));
    return { answer, cost: { ...cost, ...cpu } };
  }

  /** Runs of ten steps for a while: how many per second, and what each of their steps cost. */
  async load(kind: 'local' | 'remote', during: Spell, by = [this.engine]): Promise<Record<string, number>> {
    const each = { kind, ...during, atOnce: Math.ceil(during.atOnce / by.length) };
    const { answer, cost } = await this.costOf(() => Promise.all(by.map((one) => one.ask<Spent>('load', each))));
    const runs = answer.reduce((sum, { lives }) => sum + lives, 0);
    const steps = runs * 10;
    return {
      'runs per second': answer.reduce((sum, { lives, ms }) => sum + (lives / ms) * 1_000, 0),
      'app CPU per step, ms': cost.appMs / steps,
      'server CPU per step, ms': cost.serverMs / steps,
      'statements per step': cost.statements / steps,
      'WAL per step, bytes': cost.walBytes / steps,
    };
  }

  /** What is asked while nothing happens. */
  async idle(ms: number): Promise<Record<string, number>> {
    const { cost } = await this.costOf(() => pause(ms));
    return {
      'idle statements per second': (cost.statements / ms) * 1_000,
      'idle server CPU, %': (cost.serverMs / ms) * 100,
    };
  }

  memory = (): Promise<Memory> => this.engine.ask<Memory>('memory');

  tidy = (): Promise<void> => tidy(this.address);

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return onPostgres(this.address, async (client) => (await client.query<Row>(text, values)).rows);
  }

  /** Its database is left to others. */
  async stop(): Promise<void> {
    for (const app of this.apps.splice(0).reverse()) await app.stop();
  }

  async close(): Promise<void> {
    await this.stop();
    await dropDatabase(this.address);
  }
}

/** Opens a system, measures, and closes it whatever happens. */
export async function on<T>(
  ground: Ground,
  roles: readonly AppConfig['role'][] | undefined,
  measure: (system: System) => Promise<T>,
): Promise<T> {
  const system = await System.open(ground, roles);
  try {
    return await measure(system);
  } finally {
    await system.close();
  }
}

/** @throws if it takes longer than anything should. */
export async function until(what: string, holds: () => Promise<boolean>, everyMs = 50): Promise<void> {
  const over = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > over) throw new Error(`In ${PATIENCE_MS / 60_000} minutes ${what} was not seen`);
    await pause(everyMs);
  }
}

const PATIENCE_MS = 600_000;

/** Calls `work` until so many have been done; returns what each answered. */
export async function repeated<T>(least: number, each: number, work: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  do answers.push(await work());
  while (answers.length * each < least);
  return answers;
}
