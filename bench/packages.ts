import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What only the benchmark needs, with its versions: the peers, the Node that all run on, and what draws plots. */
const LISTED = resolve('bench/packages');
const FILES = ['package.json', 'package-lock.json'];
const INSTALLED = resolve('.cache/bench');
/** Whose programs find these packages by their names. */
const FOLDERS = ['peers', 'plots'];

export interface Packages {
  /** Node, of the newest version that has long-term support. */
  node: string;
  versionOf: (name: string) => string;
}

/** Installs them from npm into a folder of the benchmark's own, once for each change of their versions. */
export function installPackages(): Packages {
  const isInstalled = FILES.every(
    (file) =>
      existsSync(join(INSTALLED, file)) &&
      readFileSync(join(INSTALLED, file), 'utf8') === readFileSync(join(LISTED, file), 'utf8'),
  );
  if (!isInstalled) install();
  for (const folder of FOLDERS) {
    const link = fileURLToPath(new URL(`${folder}/node_modules`, import.meta.url));
    mkdirSync(join(link, '..'), { recursive: true });
    rmSync(link, { force: true, recursive: true });
    symlinkSync(join(INSTALLED, 'node_modules'), link, 'dir');
  }
  const versionOf = (name: string) => {
    const text = readFileSync(join(INSTALLED, 'node_modules', name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  };
  return { node: join(INSTALLED, 'node_modules/node/bin/node'), versionOf };
}

function install(): void {
  console.log(`Installing what is measured beside us into ${INSTALLED}`);
  rmSync(INSTALLED, { force: true, recursive: true });
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of FILES) copyFileSync(join(LISTED, file), join(INSTALLED, file));
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: INSTALLED, stdio: 'inherit' });
  } catch (error) {
    rmSync(INSTALLED, { force: true, recursive: true });
    throw error;
  }
}
