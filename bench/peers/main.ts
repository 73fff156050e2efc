import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from '../packages.js';
import { profileInto } from '../processes.js';
import { machineWith } from '../report.js';
import { SUBJECTS } from './catalog.js';
import { type Asked, measureSubject, type Row } from './measure.js';
import { Servers } from './servers.js';
import { tables } from './tables.js';

const USAGE = `npm run bench:peers -- [--rounds 3] [--seconds 2] [--at 1,10,100,1000] [--steps 300]
  [--only "${SUBJECTS[2]!.name};dbos"] [--postgres folder of another PostgreSQL's binaries]
  [--json file] [--svg file] [--profile folder]`;

/** Absurd is missing: its tables are made by a file that its package does not have. */
const ABSENT = { absurd: 'the SQL that makes its tables is not on npm' };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      at: { type: 'string', default: '1,10,100,1000' },
      steps: { type: 'string', default: '300' },
      only: { type: 'string' },
      postgres: { type: 'string' },
      json: { type: 'string', default: '.cache/peers.json' },
      svg: { type: 'string', default: '.cache/peers.svg' },
      profile: { type: 'string' },
    },
  });
  const only = values.only?.split(';');
  const unknown = only?.filter((name) => !SUBJECTS.some((subject) => subject.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`Nothing is called ${unknown.join(', ')}: ${USAGE}`);
  const subjects = SUBJECTS.filter(({ name }) => only?.includes(name) ?? true);
  profileInto(values.profile && resolve(values.profile));
  const { node, versionOf } = installPackages();
  const { plotPeers } = (await import(new URL('../plots/peers.mjs', import.meta.url).href)) as {
    plotPeers: (rows: readonly Row[], note: string) => Promise<string>;
  };
  const asked: Asked = {
    atOnce: values.at.split(',').map(Number),
    ms: Number(values.seconds) * 1_000,
    steps: Number(values.steps),
  };
  const servers = new Servers(values.postgres);
  const rows: Row[] = [];
  const missing: Record<string, string> = { ...ABSENT };
  let versions: string[] = [];
  try {
    // In turns: the machine is not as fast in one minute as in the next.
    for (let round = 1; round <= Number(values.rounds); round++)
      for (const subject of subjects.filter(({ name }) => !(name in missing))) {
        console.log(`round ${round}: ${subject.name}`);
        try {
          rows.push(...(await measureSubject(subject, servers, { ...asked, node }, round)));
        } catch (error) {
          missing[subject.name] = `round ${round}: ${error instanceof Error ? error.message : String(error)}`;
        }
      }
    versions = servers.versions();
  } finally {
    await servers.stop();
  }
  const packages = Object.fromEntries(
    subjects.flatMap(({ name, package: from }) => (from ? [[name, versionOf(from)]] : [])),
  );
  const machine = machineWith(versionOf('node'));
  const where = `${versions.join(', ')}; ${machine.cores} × ${machine.cpu}, Node ${machine.node}`;
  const notes = subjects.flatMap(({ name, note }) => (note ? [`${name}: ${note}`] : []));
  const results = { measuredAt: new Date().toISOString(), machine, versions, packages, asked, rows, notes, missing };
  write(values.json, JSON.stringify(results, null, 2));
  write(values.svg, await plotPeers(rows, where));
  console.log(`\n${tables(rows, packages)}\n\n${where}\n`);
  for (const note of notes) console.log(`- ${note}`);
  for (const [name, why] of Object.entries(missing)) console.log(`- not measured: ${name}, ${why}`);
  console.log(`\nAll rounds: ${values.json}; the plot: ${values.svg}`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(resolve(file), text);
}

await main();
