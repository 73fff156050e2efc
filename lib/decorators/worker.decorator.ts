import type { Retry } from '../engine/workflow-context.js';
import type { Duration } from '../time/duration.js';
import { injectableOnce } from './injectable-once.js';
import { WORKER_METADATA } from './metadata.js';
import { checkWorkerOptions } from './option-checks.js';

/** For all remote steps of one class. */
export interface WorkerOptions {
  /** How many of them run at once in this process. Default: as many as the process runs at all. */
  concurrency?: number;
  /** The queue token that their tasks wait in. Default: each step's name with `:` replaced by `-`. */
  group?: string;
  /** Appended to the group as `@partition`, unless it is empty or `default`. */
  partition?: string;
  /** How long a claim holds without being renewed; others take the task over after that. Default: the module's. */
  leaseDuration?: Duration;
  /** For steps that say nothing themselves. Default: the module's `retry`. */
  retry?: Retry;
}

/**
 * Sets options for the `@RemoteStep` methods of a class, and makes it injectable. A class whose steps need none of them
 * may be any provider.
 *
 * @example
 * \@Worker({ concurrency: 20 })
 * export class PaymentSteps {
 *   \@RemoteStep('payments.charge')
 *   async charge(order: Order, step: StepContext): Promise<Charge> { … }
 * }
 *
 * @throws InvalidArgumentError at once for an option that cannot be used.
 */
export function Worker(options: WorkerOptions = {}): ClassDecorator {
  return (target) => {
    checkWorkerOptions(options, `@Worker on ${target.name}`);
    injectableOnce(target);
    Reflect.defineMetadata(WORKER_METADATA, options, target);
  };
}
