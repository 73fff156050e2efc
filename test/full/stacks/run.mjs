// @ts-check
// Packs this checkout and has the apps beside this file install, build, test and use it, as somebody would who has found it today:
//   npm run test:stacks [-- jest arguments]        one of them: npm run test:stacks -- monorepo
//   npm run test:stacks -- --update-locks          after a change of what an app depends on
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../compile.mjs';
import { pathWithNode } from '../../support/node-programs.mjs';
import { ROOT } from '../../support/root.mjs';

const APPS = join(ROOT, 'test/full/stacks/apps');
const FOLDER = join(ROOT, '.cache/stacks');
const LIMIT_MINUTES = 10;

/** Builds and packs; returns the path of the file. */
function pack() {
  mkdirSync(FOLDER, { recursive: true });
  const printed = execFileSync('npm', ['pack', '--json', '--foreground-scripts=false', '--pack-destination', FOLDER], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(printed.slice(printed.indexOf('[\n')));
  return join(FOLDER, filename);
}

function updateLocks() {
  for (const app of readdirSync(APPS)) {
    // Without addresses of packages, as the root's `.npmrc` has it.
    const how = ['--package-lock-only', '--omit-lockfile-registry-resolved', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...how], {
      cwd: join(APPS, app),
      stdio: 'inherit',
      env: { ...process.env, PATH: pathWithNode(24) },
    });
  }
}

/**
 * Ends Jest with the apps that it has started, its process group, once the time is over that all of this may take.
 *
 * @param {import('node:child_process').ChildProcess} jest
 */
function endInTime(jest) {
  const end = () => jest.pid && process.kill(-jest.pid, 'SIGKILL');
  const timer = setTimeout(
    () => {
      console.error(`\nThe apps took more than ${LIMIT_MINUTES} minutes. To see which is slow, run each by its name.`);
      end();
    },
    LIMIT_MINUTES * 60_000 - performance.now(),
  );
  jest.once('exit', () => clearTimeout(timer));
  // The group is not the terminal's.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
}

if (process.argv.includes('--update-locks')) updateLocks();
else {
  const packed = pack();
  await compile();
  const jest = ['--enable-source-maps', 'node_modules/jest/bin/jest.js'];
  const config = ['--config', 'test/full/stacks/jest.config.mjs'];
  const child = spawn(process.execPath, [...jest, ...config, ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, DURABLE_STACKS_PACKAGE: packed },
  });
  endInTime(child);
  child.on('exit', (code) => process.exit(code ?? 1));
}
