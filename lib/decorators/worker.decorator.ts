import type { WorkerOptions } from './decorator-options.js';
import { injectableOnce } from './injectable-once.js';
import { WORKER_METADATA } from './metadata.js';
import { checkWorkerOptions } from './option-checks.js';

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
