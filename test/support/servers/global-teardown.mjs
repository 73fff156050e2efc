// @ts-check
import { join } from 'node:path';
import { COMPILED } from '../root.mjs';
import { stopServers } from './global-setup.mjs';

/** @param {import('jest').Config} config */
export default async ({ maxWorkers }) => {
  // The only worker is this process, which ends once nothing is open any more.
  if (maxWorkers === 1) await (await import(join(COMPILED, 'test/support/kept-database.js'))).closeKept();
  await stopServers();
};
