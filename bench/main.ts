import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureEngine, measureIdle, measureLatency, measureStart } from './parts/engine.js';
import { measureImports } from './parts/imports.js';
import { measureFamily } from './parts/mysql-family.js';
import { measureReads } from './parts/operating.js';
import { measureOutbox } from './parts/outbox.js';
import { measureStep } from './parts/step.js';
import { measureTabs } from './parts/tabs.js';
import { measureTelemetry } from './parts/telemetry.js';
import { measureTransport } from './parts/transport.js';
import { profileInto } from './processes.js';
import { type Finding, machineWith, type PartReport, report, table } from './report.js';
import { type DatabaseName, type Server, startServer } from './server.js';
import { FULL, QUICK, type Sizes } from './sizes.js';

const DATABASES: readonly DatabaseName[] = ['postgres', 'mariadb'];

/** One after the other, so that they do not share the machine. */
async function each<T>(on: readonly DatabaseName[], measure: (db: DatabaseName) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (const db of on) all.push(await measure(db));
  return all;
}

const PARTS: Record<string, (server: Server, sizes: Sizes, on: readonly DatabaseName[]) => Promise<Finding[]>> = {
  imports: measureImports,
  transport: measureTransport,
  step: measureStep,
  engine: measureEngine,
  latency: measureLatency,
  start: measureStart,
  idle: measureIdle,
  outbox: measureOutbox,
  mysql: (server, sizes) => measureFamily('mysql', server, sizes),
  mariadb: (server, sizes) => measureFamily('mariadb', server, sizes),
  operating: async (_server, sizes, on) => (await each(on, (db) => measureReads(db, sizes))).flat(),
  tabs: async (_server, sizes, on) => (await each(on, (db) => measureTabs(db, sizes))).flat(),
  telemetry: measureTelemetry,
};

const USAGE = `npm run bench -- [--quick] [--only ${Object.keys(PARTS).join(',')}] [--on postgres,mariadb] [--json file] [--profile folder]`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      // The databases of `operating` and `tabs`.
      on: { type: 'string', default: DATABASES.join(',') },
      json: { type: 'string', default: '.cache/bench.json' },
      profile: { type: 'string' },
      rounds: { type: 'string' },
    },
  });
  const chosen = values.only?.split(',') ?? Object.keys(PARTS);
  const on = DATABASES.filter((db) => values.on.split(',').includes(db));
  const unknown = chosen.filter((part) => !(part in PARTS));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: ${USAGE}`);
  const sizes = { ...(values.quick ? QUICK : FULL), ...(values.rounds && { rounds: Number(values.rounds) }) };
  profileInto(values.profile && resolve(values.profile));
  const server = await startServer('postgres');
  const machine = machineWith(process.version);
  console.log(`${server.version}, fsync on; ${machine.cores} × ${machine.cpu}, Node ${machine.node}\n`);
  const reports: PartReport[] = [];
  const missing: Record<string, string> = {};
  try {
    for (const part of chosen) {
      try {
        reports.push(await report(part, () => PARTS[part]!(server, sizes, on)));
        console.log(`${table(reports.slice(-1))}\n`);
      } catch (error) {
        missing[part] = error instanceof Error ? error.message : String(error);
        console.error(`${part}: not measured, ${missing[part]}\n`);
      }
    }
  } finally {
    await server.stop();
  }
  const file = resolve(values.json);
  mkdirSync(dirname(file), { recursive: true });
  const measuredAt = new Date().toISOString();
  writeFileSync(
    file,
    JSON.stringify({ measuredAt, machine, server: server.version, sizes, reports, missing }, null, 2),
  );
  if (reports.length > 1) console.log(table(reports));
  console.log(`\nAll rounds, costs and slowest statements: ${file}`);
}

await main();
