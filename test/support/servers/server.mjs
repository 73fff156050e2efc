// @ts-check
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * How a test reaches a server.
 * @typedef {{ db: 'postgres' | 'mysql' | 'mariadb', host: string, port: number, user: string, password: string, version: string, pid: number }} ServerAddress
 */

/**
 * A server that we started; `stop` ends the process and removes its files.
 * @typedef {{ address: ServerAddress, stop: () => Promise<void> }} RunningServer
 */

/**
 * One that can go away for a while: `crash` ends it by a signal, its files stay, and returns what starts it again. By
 * default it ends with work undone.
 * @typedef {RunningServer & { crash: (signal?: NodeJS.Signals) => Promise<() => Promise<void>> }} MortalServer
 */

/** Where no system picks ports by itself, so that nobody is given one whose server is about to start, or starts again. */
const [LOWEST_PORT, PORTS] = [10_000, 20_000];

/** @returns {Promise<number>} */
export async function freePort() {
  for (;;) {
    const port = LOWEST_PORT + randomInt(PORTS);
    if (await isFree(port)) return port;
  }
}

/** @type {(port: number) => Promise<boolean>} */
const isFree = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

const SHARED_MEMORY = '/dev/shm';
/** What the tests write at once at most, and as much again. */
const ROOMY = 6 * 2 ** 30;

/** Servers as they are found elsewhere: their files on the disk, each commit written to it. */
export const isOnDisk = () => process.env['DURABLE_TEST_DISK'] !== undefined;

/**
 * A place for files that need not outlive the machine: memory, where there is plenty of it. Disks of small machines
 * take seconds to create the tables of a test, and stand still for half a minute now and then. A container may have less
 * than its machine.
 */
export function quickFolder() {
  if (isOnDisk()) return tmpdir();
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= ROOMY && process.availableMemory() >= 2 * ROOMY ? SHARED_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A private folder that a server under another account may enter too. */
export function privateFolder(/** @type {string} */ name, within = quickFolder()) {
  const folder = mkdtempSync(join(within, `nest-durable-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** For servers that refuse to run as root. @returns {{ uid?: number, gid?: number }} */
export function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined) throw new Error('No server can be started as root without the account "nobody"');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Starts a server process and resolves once `probe` no longer throws.
 *
 * @param {{ command: string, args: string[], env?: NodeJS.ProcessEnv, account?: { uid?: number, gid?: number }, folder: string,
 *           stopSignal: NodeJS.Signals, probe: () => Promise<void>, startupMs?: number, leavesFolder?: boolean }} options
 * `leavesFolder`: where it does not start
 * @returns {Promise<{ pid: number, end: (signal?: NodeJS.Signals) => Promise<void>, stop: () => Promise<void> }>} `end` leaves the folder
 */
export async function startProcess({
  command,
  args,
  env,
  account = {},
  folder,
  stopSignal,
  probe,
  startupMs = 60_000,
  leavesFolder = false,
}) {
  const child = spawn(command, args, {
    ...account,
    env: env ?? process.env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log = `${log}${text}`.slice(-4_000)));
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(`ended with ${signal ?? code}`));
  });
  const end = async (signal = stopSignal) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await ended;
    clearTimeout(late);
  };
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const failed = await Promise.race([ended, answers(probe, startupMs)]);
  if (failed === undefined) return { pid: child.pid ?? 0, end, stop };
  await (leavesFolder ? end() : stop());
  throw new Error(`${command} ${failed}\n${log}`);
}

/**
 * @param {() => Promise<void>} probe
 * @param {number} withinMs
 * @returns {Promise<string | undefined>} undefined once it answers, else why it does not
 */
async function answers(probe, withinMs) {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      await probe();
      return undefined;
    } catch (error) {
      if (Date.now() > until) return `does not answer: ${error}`;
      await pause(50);
    }
  }
}
