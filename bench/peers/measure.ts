import { loadavg } from 'node:os';
import { cpuCostOf } from '../cost.js';
import { type Spell, type Spent, warmed } from '../lives.js';
import { percentile } from '../numbers.js';
import { type BenchProcess, startProcess } from '../processes.js';
import type { Kind, Subject } from './catalog.js';
import type { Servers, Store } from './servers.js';

/** Of each run. */
export const STEPS = 10;

/** What one step cost: processor time of its processes and of its server, and what the server counted. */
export interface PerStep {
  appMs: number;
  serverMs: number;
  statements?: number;
  /** Of transactions that wrote something; not each of them waits for the disk. */
  commits?: number;
  walBytes?: number;
}

/** One measurement: steps one after the other, or runs of ten steps, so many of them at once. */
export interface Row {
  round: number;
  subject: string;
  kind: Kind;
  perStep: PerStep;
  /** The machine's, just before. */
  load: number;
  step?: { p50: number; p99: number; count: number };
  runs?: { atOnce: number; perSecond: number; count: number };
}

export interface Asked {
  /** Runs at once. */
  atOnce: readonly number[];
  ms: number;
  /** Steps one after the other, at most. */
  steps: number;
}

/** What each process is asked for; `atOnce` is 1 where one step follows the other. */
export interface KindOfWork {
  kind: Kind;
  local: boolean;
  atOnce: number;
}

/** One round of a subject: its processes are opened on a database of their own, warmed up, asked and stopped. */
export async function measureSubject(
  subject: Subject,
  servers: Servers,
  asked: Asked & { node: string },
  round: number,
): Promise<Row[]> {
  const store = await servers.storeFor(subject);
  const processes: BenchProcess[] = [];
  try {
    for (const [script, config] of subject.processes)
      processes.push(await startProcess(script, { ...store.config, ...config }, asked.node));
    const opened = { subject, store, processes, asked, round };
    const rows: Row[] = [];
    for (const kind of subject.kinds) rows.push(...(await measureKind(opened, kind)));
    return rows;
  } finally {
    for (const one of processes.reverse()) await one.stop();
    await store.drop();
  }
}

interface Opened {
  subject: Subject;
  store: Store;
  processes: BenchProcess[];
  asked: Asked;
  round: number;
}

async function measureKind(opened: Opened, kind: Kind): Promise<Row[]> {
  const { subject, processes, asked, round } = opened;
  const { name, most = Number.POSITIVE_INFINITY } = subject;
  const { ms, steps } = asked;
  const main = processes[subject.asked]!;
  const work = (atOnce: number): KindOfWork => ({ kind, local: kind === 'local', atOnce });
  const load = (during: Spell) => main.ask<Spent>('load', { ...work(during.atOnce), ms: during.ms });
  // Code is compiled, and plans are made.
  await load({ atOnce: Math.min(20, most), ms });
  const rows: Row[] = [];
  const told = { round, subject: name, kind };
  const sequence = await measure(opened, () => main.ask<number[]>('sequence', { ...work(1), steps, ms: 5 * ms }));
  const times = warmed(sequence.answer);
  rows.push({
    ...told,
    ...sequence.perStepOf(sequence.answer.length),
    step: { p50: percentile(times, 0.5), p99: percentile(times, 0.99), count: times.length },
  });
  for (const atOnce of asked.atOnce.filter((some) => some <= most)) {
    const { answer, perStepOf } = await measure(opened, () => load({ atOnce, ms }));
    const perSecond = (answer.lives / answer.ms) * 1_000;
    rows.push({ ...told, ...perStepOf(answer.lives * STEPS), runs: { atOnce, perSecond, count: answer.lives } });
  }
  return rows;
}

async function measure<T>({ store, processes }: Opened, work: () => Promise<T>) {
  await store.tidy();
  const load = loadavg()[0]!;
  const {
    answer: { answer, cpu },
    cost,
  } = await store.costOf(() => cpuCostOf({ pid: store.pid, processes }, work));
  /** Once it is known how many there were. */
  const perStepOf = (steps: number): Pick<Row, 'perStep' | 'load'> => ({
    load,
    perStep: {
      appMs: cpu.appMs / steps,
      serverMs: cpu.serverMs / steps,
      ...(cost && {
        statements: cost.statements / steps,
        commits: cost.writes / steps,
        walBytes: cost.walBytes / steps,
      }),
    },
  });
  return { answer, perStepOf };
}
