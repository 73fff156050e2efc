import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { NodeIdentity } from '../engine/model/node-record.js';
import type { DurableSettings } from './durable-options.js';

const names = new WeakMap<DurableSettings, string>();

/** The name of this process in leases and in the list of processes: readable and unique, one per settings object. */
export function nodeName(settings: DurableSettings): NodeIdentity {
  const { namespace, engine, worker } = settings;
  const id = names.get(settings) ?? `${hostname().slice(0, 40)}.${process.pid}.${randomBytes(4).toString('hex')}`;
  names.set(settings, id);
  const roles = [engine && 'engine', worker && 'worker'].filter(Boolean).join(',');
  return { id, namespace, roles };
}
