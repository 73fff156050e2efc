import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from '../packages.js';
import { machineWith } from '../report.js';
import { startServer } from '../server.js';
import { backlog } from './backlog.js';
import { type Curve, tableOf } from './curve.js';
import { fanOut } from './fan-out.js';
import { FULL, type Ground, QUICK } from './ground.js';
import { coldStart, lifetime } from './lifetime.js';
import { drain, priceOfOrder, streams } from './outbox.js';
import { parked, purge, resident } from './parked.js';
import { processes } from './processes.js';
import { pinnedSnapshot } from './snapshot.js';
import { payloads, replay, steps } from './steps.js';

const PARTS: Record<string, (ground: Ground) => Promise<Curve[]>> = {
  steps,
  replay,
  payloads,
  'fan-out': fanOut,
  backlog,
  parked,
  resident,
  purge,
  processes,
  snapshot: pinnedSnapshot,
  price: priceOfOrder,
  drain,
  streams,
  start: coldStart,
  lifetime,
};

const USAGE = `npm run bench:growth -- [--quick] [--only ${Object.keys(PARTS).join(',')}]
  [--postgres folder of another PostgreSQL's binaries] [--folder .cache/growth]`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: Object.keys(PARTS).join(',') },
      postgres: { type: 'string' },
      folder: { type: 'string', default: '.cache/growth' },
    },
  });
  const chosen = values.only.split(',');
  const unknown = chosen.filter((part) => !(part in PARTS));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: ${USAGE}`);
  const { node, versionOf } = installPackages();
  const { plotCurve } = (await import(new URL('../plots/growth.mjs', import.meta.url).href)) as {
    plotCurve: (curve: Curve, note: string) => Promise<string>;
  };
  const folder = resolve(values.folder);
  mkdirSync(folder, { recursive: true });
  const machine = machineWith(versionOf('node'));
  const server = await startServer('postgres', values.postgres);
  const where = `${server.version}; ${machine.cores} × ${machine.cpu}, Node ${machine.node}`;
  console.log(`${where}\n`);
  const measure = async (part: string): Promise<void> => {
    const [load, began] = [loadavg()[0]!, performance.now()];
    const curves = await PARTS[part]!({ server, scale: values.quick ? QUICK : FULL, node });
    const seconds = Math.round((performance.now() - began) / 1_000);
    const results = { measuredAt: new Date().toISOString(), machine, server: server.version, load, seconds, curves };
    writeFileSync(join(folder, `${part}.json`), JSON.stringify(results, null, 2));
    for (const curve of curves) {
      writeFileSync(join(folder, `${curve.name.replaceAll(/\W+/g, '-')}.svg`), await plotCurve(curve, where));
      console.log(`${curve.name} (load ${load.toFixed(1)} before, ${seconds} s)\n\n${tableOf(curve)}\n`);
    }
  };
  const missing: string[] = [];
  try {
    for (const part of chosen)
      await measure(part).catch((error: unknown) => {
        missing.push(part);
        console.error(`${part}: not measured,`, error);
      });
  } finally {
    await server.stop();
  }
  if (missing.length > 0) console.error(`Not measured: ${missing.join(', ')}`);
  console.log(`All numbers and plots: ${folder}`);
}

await main();
