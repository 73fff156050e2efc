import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { NodeIdentity } from '../engine/model/node-roster.js';
import type { DurableSettings } from './durable-options.js';

/** The name of this process in leases and in the list of processes: readable and unique. */
export function nodeName({ namespace, engine, worker }: DurableSettings): NodeIdentity {
  const id = `${hostname().slice(0, 40)}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const roles = [engine && 'engine', worker && 'worker'].filter(Boolean).join(',');
  return { id, namespace, roles };
}
