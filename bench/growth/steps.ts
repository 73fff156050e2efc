import { median, percentile } from '../numbers.js';
import { preciseNow } from '../serve.js';
import type { Curve, Point } from './curve.js';
import { type Ground, LEAST, on, repeated, System, until, WARM } from './ground.js';
import type { Echo } from './workflows.js';

const KINDS = ['local', 'remote'] as const;

/** Steps one after the other in one run. */
export async function steps(ground: Ground): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const kind of KINDS) {
    const points: Point[] = [];
    for (const x of ground.scale.history)
      points.push(
        await on(ground, undefined, async (system) => {
          const sequence = (count: number) =>
            system.engine.ask<number[]>('sequence', { steps: count, local: kind === 'local' });
          await sequence(WARM);
          await system.tidy();
          const { answer: runs, cost } = await system.costOf(() => repeated(LEAST, x, () => sequence(x)));
          const tenth = Math.ceil(x / 10);
          const counted = runs.length * x;
          return {
            x,
            values: {
              'p50 per step, ms': percentile(runs.flat(), 0.5),
              'of the first tenth, ms': median(runs.flatMap((times) => times.slice(0, tenth))),
              'of the last tenth, ms': median(runs.flatMap((times) => times.slice(-tenth))),
              'app CPU per step, ms': cost.appMs / counted,
              'server CPU per step, ms': cost.serverMs / counted,
              'statements per step': cost.statements / counted,
              'WAL per step, bytes': cost.walBytes / counted,
              'most memory of the engine, MB': (await system.memory()).peakMb,
            },
          };
        }),
      );
    curves.push({ name: `steps of one run, ${kind}`, along: 'steps', points });
  }
  return curves;
}

/** A run that waits is taken up again by a process that has never seen it. */
export async function replay(ground: Ground): Promise<Curve[]> {
  const points: Point[] = [];
  for (const x of ground.scale.history)
    await on(ground, ['worker'], async (first) => {
      const engine = await first.start({ role: 'engine', engine: { residency: '1s' } });
      const input = { steps: x, local: true };
      const id = await engine.ask<string>('begin', { workflow: 'bench.then-signal', input });
      await until('a run that is parked behind all its steps', async () => {
        const rows = await first.query(`SELECT 1 FROM durable_runs WHERE id = $1 AND status = 'suspended'`, [id]);
        return rows.length > 0;
      });
      await first.stop();
      points.push({ x, values: await replayed(ground, first, id) });
    });
  return [{ name: 'replay after a restart', along: 'steps', points }];
}

async function replayed(ground: Ground, { address }: System, id: string): Promise<Record<string, number>> {
  const system = await System.open(ground, undefined, address);
  const { engine } = system;
  try {
    await engine.ask('sequence', { steps: WARM, local: true });
    const { heapMb: before } = await system.memory();
    const began = preciseNow();
    let at: number | undefined;
    const { cost } = await system.costOf(async () => {
      await engine.ask('go', id);
      await until(
        'a run that has gone on',
        async () => {
          at = await engine.ask<number | undefined>('wentOn', id);
          return at !== undefined;
        },
        5,
      );
    });
    const { heapMb } = await system.memory();
    await engine.ask('go', id);
    await engine.ask('result', id);
    return {
      'signal to behind its wait, ms': at! - began,
      'app CPU, ms': cost.appMs,
      statements: cost.statements,
      'held in memory, MB': Math.max(0, heapMb - before),
    };
  } finally {
    await system.stop();
  }
}

/** Large inputs and outputs. */
export async function payloads(ground: Ground): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const kind of KINDS) {
    const points: Point[] = [];
    for (const x of ground.scale.bytes)
      points.push(
        await on(ground, undefined, async (system) => {
          const echo = async (count: number, bytes: number): Promise<number[]> => {
            const input: Echo = { steps: count, bytes, local: kind === 'local' };
            await system.engine.ask('run', { workflow: 'bench.echo', input });
            return system.engine.ask<number[]>('stepTimes');
          };
          await echo(WARM, 1_000);
          const count = x > 500_000 ? 30 : 100;
          const { answer: times, cost } = await system.costOf(() => echo(count, x));
          return {
            x,
            values: {
              'p50 per step, ms': median(times),
              'app CPU per step, ms': cost.appMs / count,
              'server CPU per step, ms': cost.serverMs / count,
              'WAL per step, bytes': cost.walBytes / count,
            },
          };
        }),
      );
    curves.push({ name: `payloads, ${kind}`, along: 'bytes', points });
  }
  return curves;
}
