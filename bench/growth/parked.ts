import type { ListOptions } from '../../lib/index.js';
import { median } from '../numbers.js';
import { waitsForFirstStep } from '../parts/engine.js';
import type { BenchProcess } from '../processes.js';
import type { Curve, Point } from './curve.js';
import { type Ground, on, System, until } from './ground.js';

/** Rows like those of one run, `count` times. */
async function cloneRun(system: System, id: string, count: number, agedMs = 0): Promise<void> {
  for (const [table, key] of [
    ['durable_runs', 'id'],
    ['durable_steps', 'run_id'],
  ] as const) {
    const columns = await system.query<{ name: string; is_time: boolean }>(
      `SELECT column_name AS name, column_name LIKE '%\\_at' AND column_name <> 'wake_at' AS is_time
       FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER' AND is_identity = 'NO'`,
      [table],
    );
    // One after the other, as they come.
    const values = columns.map(({ name, is_time }) =>
      name === key ? `$1 || '-' || i` : is_time ? `t.${name} - ${agedMs} - i` : `t.${name}`,
    );
    await system.query(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
       SELECT ${values.join(', ')} FROM ${table} AS t, generate_series(1, $2::int) AS i WHERE t.${key} = $1`,
      [id, count],
    );
  }
}

const LISTS: Readonly<Record<string, ListOptions>> = {
  'list all, ms': {},
  'list suspended, ms': { status: 'suspended' },
  'list completed, ms': { status: 'completed' },
};

async function medianOf(ask: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 7; i++) times.push(await ask());
  return median(times);
}

async function listed(engine: BenchProcess): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [what, options] of Object.entries(LISTS))
    found[what] = await medianOf(() => engine.ask<number>('list', options));
  return found;
}

const databaseBytes = async (system: System): Promise<number> =>
  Number((await system.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes'))[0]!.bytes);

/** From the commit of a start to its first step. */
const firstStepMs = async ({ engine }: System): Promise<number> =>
  median(await waitsForFirstStep(engine, engine, { workflow: 'bench.first-local', count: 60 }));

/** Runs that sleep for a year. */
export async function parked(ground: Ground): Promise<Curve[]> {
  const points: Point[] = [];
  for (const x of [0, ...ground.scale.rows]) {
    const first = await System.open(ground);
    try {
      const id = await first.engine.ask<string>('begin', { workflow: 'bench.sleeper', input: null });
      await until('a run that is parked', async () => {
        const asked = [id, 'suspended'];
        return (await first.query('SELECT 1 FROM durable_runs WHERE id = $1 AND status = $2', asked)).length > 0;
      });
      await first.stop();
      const empty = await databaseBytes(first);
      if (x > 0) await cloneRun(first, id, x);
      const full = await databaseBytes(first);
      await first.tidy();
      points.push({
        x,
        values: { ...(x > 0 && { 'bytes per run': (full - empty) / x }), ...(await beside(ground, first, id, x)) },
      });
    } finally {
      await first.close();
    }
  }
  return [{ name: 'runs that are parked', along: 'runs', points }];
}

/** What new processes do among so many of them. */
async function beside(ground: Ground, { address }: System, id: string, x: number): Promise<Record<string, number>> {
  const began = performance.now();
  const system = await System.open(ground, undefined, address);
  try {
    const bootMs = performance.now() - began;
    const { engine } = system;
    await system.load('local', { atOnce: 10, ms: ground.scale.ms });
    const firstMs = await firstStepMs(system);
    const load = await system.load('local', { atOnce: 20, ms: ground.scale.ms });
    const one = x > 0 ? `${id}-${Math.ceil(x / 2)}` : id;
    return {
      'start of two processes, ms': bootMs,
      'commit to first step, ms': firstMs,
      ...load,
      ...(await listed(engine)),
      'status, ms': await medianOf(() => engine.ask<number>('status', one)),
      ...(await system.idle(ground.scale.ms)),
    };
  } finally {
    await system.stop();
  }
}

/** More than the most that are measured, and longer. */
const KEPT = { maxResident: 20_000, residency: '1h' } as const;

/** Runs in the memory of one engine, which wait for a signal; by default it keeps 10,000 for 30 s. */
export async function resident(ground: Ground): Promise<Curve[]> {
  const points: Point[] = [];
  for (const x of [0, ...ground.scale.history])
    points.push(
      await on(ground, ['worker'], async (system) => {
        const engine = await system.start({ role: 'engine', engine: KEPT });
        await system.load('local', { atOnce: 10, ms: ground.scale.ms / 4 });
        const { heapMb: before } = await system.memory();
        if (x > 0) {
          await engine.ask('beginMany', { workflow: 'bench.then-signal', input: { steps: 0 }, count: x });
          await until('all runs in memory', async () => {
            const [row] = await system.query<{ n: string }>(
              `SELECT count(*) AS n FROM durable_runs WHERE workflow = 'bench.then-signal' AND owner IS NOT NULL`,
            );
            return Number(row!.n) >= x;
          });
        }
        const { heapMb, residentMb } = await system.memory();
        return {
          x,
          values: {
            'resident memory, MB': residentMb,
            ...(x > 0 && { 'heap per run, KB': ((heapMb - before) * 1_024) / x }),
            ...(await system.load('local', { atOnce: 20, ms: ground.scale.ms })),
            ...(await system.idle(ground.scale.ms)),
          },
        };
      }),
    );
  return [{ name: 'runs in memory (residency 1h)', along: 'runs', points }];
}

const HOUR_MS = 3_600_000;

/** Old runs are deleted while others are under way. */
export async function purge(ground: Ground): Promise<Curve[]> {
  const { purged, ms } = ground.scale;
  return on(ground, ['client', 'worker', 'engine'], async (system) => {
    const [client] = system.apps;
    await system.engine.ask('run', { workflow: 'bench.local', input: { steps: 10 } });
    const [row] = await system.query<{ id: string }>('SELECT id FROM durable_runs');
    await cloneRun(system, row!.id, purged, 2 * HOUR_MS);
    const began = performance.now();
    const points: Point[] = [];
    const look = async () => {
      const load = await system.load('remote', { atOnce: 20, ms });
      const [left] = await system.query<{ n: string }>(
        `SELECT count(*) AS n FROM durable_runs WHERE id LIKE $1 || '-%'`,
        [row!.id],
      );
      points.push({ x: (performance.now() - began) / 1_000, values: { ...load, 'old runs left': Number(left!.n) } });
    };
    await look();
    let over = false;
    const looks = async () => {
      do await look();
      while (!over);
    };
    const purging = client!.ask('purge', HOUR_MS).finally(() => (over = true));
    await Promise.all([purging, looks()]);
    await look();
    return [{ name: `a purge of ${purged} runs`, along: 'seconds', points, timeline: true }];
  });
}
