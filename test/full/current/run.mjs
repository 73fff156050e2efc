// @ts-check
// The same lib and the same tests with the newest of what we support: its packages are listed beside this file.
//   npm run test:current [-- jest arguments]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathWithNode } from '../../support/node-programs.mjs';
import { ROOT } from '../../support/root.mjs';

const NODE = 24;
const LEG = join(ROOT, '.cache/current');
/** Without what builds the page: that is done here, with what is installed here. */
const COPIED = ['lib', 'page/src', 'test', 'sample', 'bench', 'docs', 'README.md', 'jest.config.mjs', '.npmrc'];
const CONFIGS = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.sample.json'];

/** Where an ORM, a driver, NestJS, OpenTelemetry or Node can make a difference. */
const ASKED = ['test/contract', 'test/apps', 'test/unit/(nest|core|sql|testing|dashboard)/'];

/** @type {(file: string) => any} */
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Everything of the root's package but what is installed for development; the page is built with that. */
function layOut() {
  const built = spawnSync('node', ['page/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
  mkdirSync(LEG, { recursive: true });
  for (const name of [...COPIED, ...CONFIGS]) {
    rmSync(join(LEG, name), { recursive: true, force: true });
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(LEG, name), { recursive: true });
  }
  const { devDependencies } = json(join(ROOT, 'test/full/current/package.json'));
  const { scripts, ...all } = json(join(ROOT, 'package.json'));
  // An installation would build the page.
  delete scripts.prepare;
  writeFileSync(join(LEG, 'package.json'), JSON.stringify({ ...all, scripts, devDependencies }, null, 2));
  cpSync(join(ROOT, 'test/full/current/package-lock.json'), join(LEG, 'package-lock.json'));
}

/** @type {(command: string, args: string[]) => void} */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: LEG, stdio: 'inherit', env: environment() });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** The wanted Node, paths that mean the root, and the rights of the owner: `npm test` has those of roles. */
function environment() {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PATH: pathWithNode(NODE), DURABLE_TEST_ROLE: 'owner' };
  for (const db of ['mysql', 'mariadb']) {
    const variable = `DURABLE_TEST_${db.toUpperCase()}`;
    const place = env[variable] ? resolve(ROOT, env[variable]) : join(ROOT, '.cache', db);
    if (env[variable] || existsSync(place)) env[variable] = place;
  }
  return env;
}

function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(LEG, 'package-lock.json')))
    .digest('hex');
  const stamp = join(LEG, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  run('npm', ['ci', '--no-audit', '--no-fund']);
  writeFileSync(stamp, wanted);
}

layOut();
if (process.argv[2] !== '--lay-out-only') {
  install();
  run('node', ['--version']);
  const asked = process.argv.slice(2);
  const isAsked = asked.some((word) => !word.startsWith('--'));
  run('node', ['test/run.mjs', ...(isAsked ? [] : ASKED), ...asked]);
}
