import { costOf, cpuCostOf } from '../cost.js';
import { percentile } from '../numbers.js';
import { type BenchProcess, startProcess } from '../processes.js';
import type { Finding } from '../report.js';
import { type Address, type Server, tidy } from '../server.js';
import type { Sizes } from '../sizes.js';

/** Steps one after the other in one run: the code of each round's first ones is not compiled yet, or its plans not made. */
const WARM = 600;
const LEFT_OUT = 10;

type Figure = 'p50' | 'p99' | 'app CPU' | 'server CPU' | 'statements' | 'commits';
type Bounds = Partial<Record<Figure, number>>;

/** Processes that make steps, which are measured in turns with those of the others. */
interface Subject {
  name: string;
  address: Address;
  processes: BenchProcess[];
  asked: object;
  most: Bounds;
  times: number[];
  p50: number[];
  steps: number;
  appMs: number;
  serverMs: number;
  statements: number;
  commits: number;
}

interface Told {
  name: string;
  scripts: readonly [script: string, config: object][];
  asked?: object;
  /** Against the floor; statements and commits as they are. */
  most?: Bounds;
}

const APP = 'app/app.js';
const SUBJECTS: readonly Told[] = [
  {
    name: 'floor, two processes',
    scripts: [
      ['step/floor-worker.js', {}],
      ['step/floor-engine.js', {}],
    ],
  },
  {
    name: 'remote step, two processes',
    scripts: [
      [APP, { role: 'worker' }],
      [APP, { role: 'engine' }],
    ],
    most: { p50: 2.2, p99: 2.2, 'app CPU': 2.5, 'server CPU': 1.8, statements: 3.2, commits: 3.1 },
  },
  {
    name: 'remote step, two processes, in the pools of the app',
    scripts: [
      [APP, { role: 'worker', sessions: 'app' }],
      [APP, { role: 'engine', sessions: 'app' }],
    ],
  },
  {
    name: 'remote step, one process',
    scripts: [[APP, { role: 'alone' }]],
    most: { p50: 1, statements: 1.1, commits: 1.1 },
  },
  { name: 'local step', scripts: [[APP, { role: 'engine' }]], asked: { local: true }, most: { p50: 0.5 } },
];

async function open(server: Server, told: Told): Promise<Subject> {
  const { name, scripts, asked = {}, most = {} } = told;
  const address = await server.database(`step_${name.replaceAll(/\W+/g, '_')}`);
  const processes: BenchProcess[] = [];
  try {
    for (const [script, config] of scripts) processes.push(await startProcess(script, { address, ...config }));
  } catch (error) {
    for (const one of processes) await one.stop();
    throw error;
  }
  const counters = { steps: 0, appMs: 0, serverMs: 0, statements: 0, commits: 0 };
  return { name, address, processes, asked, most, times: [], p50: [], ...counters };
}

const engineOf = ({ processes }: Subject): BenchProcess => processes.at(-1)!;

async function playRound(subject: Subject, server: Server, steps: number): Promise<void> {
  await tidy(subject.address);
  const play = () => engineOf(subject).ask<number[]>('sequence', { ...subject.asked, steps });
  const on = { pid: server.pid, processes: subject.processes };
  const {
    answer: { answer, cpu },
    cost,
  } = await costOf(subject.address, () => cpuCostOf(on, play));
  subject.serverMs += cpu.serverMs;
  subject.appMs += cpu.appMs;
  subject.statements += cost.statements;
  subject.commits += cost.writes;
  subject.steps += steps;
  const times = answer.slice(LEFT_OUT);
  subject.times.push(...times);
  subject.p50.push(percentile(times, 0.5));
}

/** One step at a time, as one request of one user sees it: all subjects are open, and each has its turn in each round. */
export async function measureStep(server: Server, { rounds, sequence }: Sizes): Promise<Finding[]> {
  const subjects: Subject[] = [];
  try {
    for (const told of SUBJECTS) {
      const subject = await open(server, told);
      subjects.push(subject);
      await engineOf(subject).ask('sequence', { ...subject.asked, steps: WARM });
    }
    for (let round = 0; round < 2 * rounds; round++)
      for (const subject of subjects) await playRound(subject, server, sequence);
    return subjects.flatMap((subject) => findingsOf(subject, subjects[0]!));
  } finally {
    for (const { processes } of subjects) for (const one of processes.reverse()) await one.stop();
  }
}

const FIGURES: Record<Figure, { unit: string; of: (subject: Subject) => number; isCount?: true }> = {
  p50: { unit: 'ms', of: ({ times }) => percentile(times, 0.5) },
  p99: { unit: 'ms', of: ({ times }) => percentile(times, 0.99) },
  'app CPU': { unit: 'ms', of: (subject) => subject.appMs / subject.steps },
  'server CPU': { unit: 'ms', of: (subject) => subject.serverMs / subject.steps },
  statements: { unit: '', of: (subject) => subject.statements / subject.steps, isCount: true },
  commits: { unit: '', of: (subject) => subject.commits / subject.steps, isCount: true },
};

const findingsOf = (subject: Subject, floor: Subject): Finding[] =>
  (Object.keys(FIGURES) as Figure[]).map((figure) => {
    const { unit, of, isCount } = FIGURES[figure];
    const [value, bare, most] = [of(subject), of(floor), subject.most[figure]];
    return {
      what: figure === 'p50' ? `${subject.name}, p50` : `  ${figure}`,
      value,
      unit,
      ...(!isCount && subject !== floor && { floor: bare, ratio: value / bare }),
      // The processor time of a server is known where there is /proc.
      ...(most !== undefined && !Number.isNaN(value) && { target: { of: isCount ? 'value' : 'ratio', most } as const }),
      ...(figure === 'p50' && { rounds: subject.p50, floorRounds: floor.p50 }),
    };
  });
