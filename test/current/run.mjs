// @ts-check
// The same lib and the same tests with the newest of what we support: its packages are listed beside this file.
//   npm run test:current [-- jest arguments]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathWithNode } from '../support/node-programs.mjs';

const NODE = 24;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LEG = join(ROOT, '.cache/current');
const COPIED = ['lib', 'page', 'test', 'sample', 'bench', 'docs', 'README.md', 'jest.config.mjs', '.npmrc'];
const CONFIGS = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.sample.json'];

/**
 * Where an ORM, a driver or NestJS can make a difference: what executors and storage promise, transactions that are
 * joined, values, notifications. What engines, relays and runners build upon that, `npm test` has.
 */
const INTEGRATION = [
  'sql/(backends|schema-commands|sql-executor|once-per-commit|migrator|notifier|large-batches|session-settings|left-open)',
  'engine/(engine|run-store|read-back|storage|transactions|lost-transactions|client|remote|values|effects|outgoing)',
  'engine/publish-commits',
  'transport/transport',
  'outbox/(w-outbox|w-commits|r-ports|inbox|live|publishers.*)',
  'effects/(ports|commits|handlers)',
];

/** Where an ORM, NestJS, OpenTelemetry or Node can make a difference. */
const UNITS = ['decorators', 'explorers', 'module', 'protocol', 'sealing', 'sql', 'telemetry', 'testing'];

const LEFT_OUT = [
  // The shape of the package and of the tree does not depend on what is installed, nor do made-up workflows in memory.
  'test/(package|architecture|codes|links|mutants|reading-order|words|types/another-family).spec.ts',
  'random-(runs|repairs)|exploring-',
  // Of the ORM they use what the conformance of the stores uses, which runs here.
  'test/e2e/(check|encrypted|erasure|export|holds|nodes|recorded-errors|run-hooks|story).spec.ts',
  // The page and its answers: what Nest and the ORMs do for them, the mount, the API and the page show, which run here.
  'test/e2e/dashboard-(?!(mount|api|page).spec.ts)',
  // Commands that connect with the drivers alone, which are the same here.
  'test/e2e/(cli|command-answers|command-process|doctor).spec.ts',
  // Of the units those that load neither NestJS nor an ORM nor OpenTelemetry, and meet no errors of Node.
  `test/unit/(?!(${UNITS.join('|')})/)`,
  // Processes that are killed: what decides there is the database.
  'test/e2e/(demo|effects-memory-file|[a-z-]+-killed|sample-comments(-api)?).spec.ts',
  `test/integration/(?!(${INTEGRATION.join('|')}).spec.ts)`,
];

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
  const { devDependencies } = json(join(ROOT, 'test/current/package.json'));
  writeFileSync(
    join(LEG, 'package.json'),
    JSON.stringify({ ...json(join(ROOT, 'package.json')), devDependencies }, null, 2),
  );
  cpSync(join(ROOT, 'test/current/package-lock.json'), join(LEG, 'package-lock.json'));
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
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  run('node', [...jest, ...process.argv.slice(2), ...LEFT_OUT.map((pattern) => `--testPathIgnorePatterns=${pattern}`)]);
}
