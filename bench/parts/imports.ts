import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../numbers.js';
import type { Finding } from '../report.js';
import type { Server } from '../server.js';
import type { Sizes } from '../sizes.js';

const run = promisify(execFile);

const FORMATS = [
  { name: 'import', type: 'module', load: (name: string) => `await import('${name}');` },
  { name: 'require', type: 'commonjs', load: (name: string) => `require('${name}');` },
];
type Format = (typeof FORMATS)[number];

/** How long a new process takes to load the package beyond Nest; the floor is what Nest itself takes in that process. */
export async function measureImports(_server: Server, { rounds }: Sizes): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const format of FORMATS) {
    const times: Times[] = [];
    // The first one fills the caches of the file system.
    for (let round = -1; round < 3 * rounds; round++) {
      const measured = await timesOf(format);
      if (round >= 0) times.push(measured);
    }
    findings.push(...findingsOf(format, times));
  }
  return findings;
}

interface Times {
  nest: number;
  ours: number;
}

async function timesOf({ type, load }: Format): Promise<Times> {
  const script = `${load('reflect-metadata')} const began = performance.now();
    ${load('@nestjs/core')} const between = performance.now();
    ${load('nest-durable')} const ended = performance.now();
    console.log(JSON.stringify({ nest: between - began, ours: ended - between }));`;
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '-e', script], { cwd: import.meta.dirname });
  return JSON.parse(stdout) as Times;
}

function findingsOf({ name }: Format, times: readonly Times[]): Finding[] {
  const rounds = times.map(({ ours }) => ours);
  const floorRounds = times.map(({ nest }) => nest);
  const [value, floor] = [median(rounds), median(floorRounds)];
  const what = `${name} beyond Nest`;
  return [
    {
      what: `${what} (floor: @nestjs/core)`,
      value,
      unit: 'ms',
      floor,
      ratio: value / floor,
      target: { of: 'ratio', most: 0.5 },
      rounds,
      floorRounds,
    },
    { what: `${what}, fastest`, value: Math.min(...rounds), unit: 'ms', target: { of: 'value', most: 100 } },
  ];
}
