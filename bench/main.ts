import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureEngine, measureIdle, measureLatency, measureStart } from './parts/engine.js';
import { measureImports } from './parts/imports.js';
import { measureFamily } from './parts/mysql-family.js';
import { measureReads } from './parts/operating.js';
import { measureOutbox } from './parts/outbox.js';
import { measureTransport } from './parts/transport.js';
import { profileInto } from './processes.js';
import { type Finding, type PartReport, report, table } from './report.js';
import { type Server, startServer } from './server.js';
import { FULL, QUICK, type Sizes } from './sizes.js';

const PARTS: Record<string, (server: Server, sizes: Sizes) => Promise<Finding[]>> = {
  imports: measureImports,
  transport: measureTransport,
  engine: measureEngine,
  latency: measureLatency,
  start: measureStart,
  idle: measureIdle,
  outbox: measureOutbox,
  mysql: (server, sizes) => measureFamily('mysql', server, sizes),
  mariadb: (server, sizes) => measureFamily('mariadb', server, sizes),
  operating: async (_server, sizes) => [
    ...(await measureReads('postgres', sizes)),
    ...(await measureReads('mariadb', sizes)),
  ],
};

const USAGE = `npm run bench -- [--quick] [--only ${Object.keys(PARTS).join(',')}] [--json file] [--profile folder]`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string', default: '.cache/bench.json' },
      profile: { type: 'string' },
      rounds: { type: 'string' },
    },
  });
  const chosen = values.only?.split(',') ?? Object.keys(PARTS);
  const unknown = chosen.filter((part) => !(part in PARTS));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: ${USAGE}`);
  const sizes = { ...(values.quick ? QUICK : FULL), ...(values.rounds && { rounds: Number(values.rounds) }) };
  profileInto(values.profile && resolve(values.profile));
  const server = await startServer('postgres');
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, kernel: release(), node: process.version };
  console.log(`${server.version}, fsync on; ${machine.cores} × ${machine.cpu}, Node ${machine.node}\n`);
  const reports: PartReport[] = [];
  const missing: Record<string, string> = {};
  try {
    for (const part of chosen) {
      try {
        reports.push(await report(part, () => PARTS[part]!(server, sizes)));
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
