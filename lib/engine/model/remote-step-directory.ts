import type { KeyedLimits } from './limit-requests.js';
import type { Retry } from './workflow-context.js';

/** A remote step as its worker declares it. */
export interface RemoteStepDefinition {
  name: string;
  group: string;
  retry?: Retry;
  /** How many of its tasks at once, and how many in a time, in the whole fleet. */
  limits?: KeyedLimits;
}

/** What is known of remote steps without asking a worker: the declarations of this process's classes. */
export interface RemoteStepDirectory {
  /** By method name. @throws UnknownStepError when the class declares none. */
  ofClass(worker: object): ReadonlyMap<string, RemoteStepDefinition>;
  /** What this process knows of a step called by name. */
  ofName(name: string): RemoteStepDefinition | undefined;
}
