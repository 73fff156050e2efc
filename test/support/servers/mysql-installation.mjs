// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { ROOT } from '../root.mjs';

/**
 * A server that can be started: `command` is followed by `args`, which are empty unless the server is run
 * through a dynamic linker of its own.
 * @typedef {{ db: 'mysql' | 'mariadb', version: string, command: string, args: string[], env: NodeJS.ProcessEnv, usr: string | undefined }} Installation
 */

/**
 * Finds a server: where the environment variable says, in `.cache` of the project, on the PATH.
 *
 * @param {'mysql' | 'mariadb'} db
 * @returns {Installation | { reason: string }}
 */
export function findInstallation(db) {
  const variable = `DURABLE_TEST_${db.toUpperCase()}`;
  const named = process.env[variable];
  if (named) {
    return (
      firstOf(db, [resolve(named)]) ?? { reason: `${variable} is ${named}, which holds no ${db} server that runs` }
    );
  }
  const found = firstOf(db, [join(ROOT, '.cache', db)]) ?? onPath(db);
  return (
    found ?? { reason: `no server in .cache/${db} nor on the PATH; name a folder in ${variable} or run .ci/databases` }
  );
}

/** @type {(db: 'mysql' | 'mariadb', roots: string[]) => Installation | undefined} */
function firstOf(db, roots) {
  for (const root of roots) {
    for (const usr of [join(root, 'root/usr'), join(root, 'usr'), root]) {
      for (const binary of binariesIn(usr)) {
        const installation = describe(binary, usr);
        if (installation?.db === db) return installation;
      }
    }
  }
  return undefined;
}

/** @param {'mysql' | 'mariadb'} db */
function onPath(db) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/libexec'];
  for (const folder of folders.filter(Boolean)) {
    for (const binary of ['mariadbd', 'mysqld'].map((name) => join(folder, name)).filter((file) => existsSync(file))) {
      const installation = describe(binary, undefined);
      if (installation?.db === db) return installation;
    }
  }
  return undefined;
}

const binariesIn = (/** @type {string} */ usr) =>
  ['sbin', 'bin', 'libexec']
    .flatMap((folder) => ['mariadbd', 'mysqld'].map((name) => join(usr, folder, name)))
    .filter((file) => existsSync(file));

/**
 * What a binary is, by its own word: a file called `mysqld` may be MariaDB.
 *
 * @type {(binary: string, usr: string | undefined) => Installation | undefined}
 */
function describe(binary, usr) {
  const { command, args, env } = launcher(binary, usr);
  try {
    const text = execFileSync(command, [...args, '--no-defaults', '--version'], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const version = /Ver (\S+)/.exec(text)?.[1];
    if (!version) return undefined;
    return { db: /mariadb/i.test(text) ? 'mariadb' : 'mysql', version, command, args, env, usr };
  } catch {
    return undefined;
  }
}

/**
 * How to start a binary. Packages of another release of the system bring their own C library: they only run
 * through their own dynamic linker.
 *
 * @type {(binary: string, usr: string | undefined) => { command: string, args: string[], env: NodeJS.ProcessEnv }}
 */
function launcher(binary, usr) {
  const libraries = usr === undefined ? undefined : librariesIn(usr);
  if (libraries === undefined) return { command: binary, args: [], env: process.env };
  const linker = readdirSync(libraries).find((name) => /^ld-linux.*\.so/.test(name));
  if (linker)
    return { command: join(libraries, linker), args: ['--library-path', libraries, binary], env: process.env };
  return { command: binary, args: [], env: { ...process.env, LD_LIBRARY_PATH: libraries } };
}

/** @param {string} usr */
function librariesIn(usr) {
  if (!existsSync(join(usr, 'lib'))) return undefined;
  const folder = readdirSync(join(usr, 'lib')).find((name) => name.endsWith('-linux-gnu'));
  // The system's own folder needs no help.
  return folder === undefined || dirname(usr) === '/' ? undefined : join(usr, 'lib', folder);
}
