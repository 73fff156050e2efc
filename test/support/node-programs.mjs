// @ts-check
import { execFileSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from './root.mjs';

const MODULES = join(ROOT, 'node_modules/');

/**
 * A PATH on which `node`, and with it `npm`, is that major version: this one if it is new enough, else one that npx keeps.
 * It is without this project's own programs, which npm puts in front of it and which would hide that another has none.
 *
 * @param {number} [major] default: this version, whichever it is
 */
export function pathWithNode(major = 0) {
  const rest = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(join(MODULES)));
  return [dirname(nodeOf(major)), ...rest].join(delimiter);
}

/** @type {(major: number) => string} */
function nodeOf(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return process.execPath;
  const wanted = ['--yes', '-p', `node@${major}`, 'node', '-p', 'process.execPath'];
  return execFileSync('npx', wanted, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
