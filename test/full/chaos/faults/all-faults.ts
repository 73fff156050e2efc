import type { Fault } from '../arena.js';
import { ofCode } from './of-code.js';
import { ofDisk } from './of-disk.js';
import { ofNetwork } from './of-network.js';
import { ofProcesses } from './of-processes.js';
import { ofRows } from './of-rows.js';
import { ofServer } from './of-server.js';

const FAULTS: readonly Fault[] = [...ofProcesses, ...ofNetwork, ...ofServer, ...ofRows, ...ofCode, ...ofDisk];

/** Those of these names, or all. @throws Error that lists the names. */
export function faultsNamed(names: readonly string[]): readonly Fault[] {
  const unknown = names.find((name) => !FAULTS.some((fault) => fault.name === name));
  if (unknown !== undefined)
    throw new Error(`--only is "${unknown}": pass some of ${FAULTS.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? FAULTS : FAULTS.filter(({ name }) => names.includes(name));
}
