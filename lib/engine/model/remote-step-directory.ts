import type { KeyedLimits } from './limit-requests.js';
import type { OnExhausted, Retry } from './step-options.js';

/** The declaration of a remote step by its worker class. */
export interface RemoteStepDefinition {
  name: string;
  group: string;
  retry?: Retry;
  onExhausted?: OnExhausted;
  keepInputs?: boolean;
  /** Limits its concurrency and rate over all processes. */
  limits?: KeyedLimits;
}

/** The remote steps that the worker classes of this process declare. */
export interface RemoteStepDirectory {
  /** By method name. @throws UnknownStepError when the class declares none. */
  ofClass(worker: object): ReadonlyMap<string, RemoteStepDefinition>;
  /** The declaration of the step with this name, if this process has it. */
  ofName(name: string): RemoteStepDefinition | undefined;
}
