import { checkName } from '../engine/model/names.js';
import { ConfigurationError } from '../errors.js';
import type { StepContext } from '../worker/step-context.js';
import type { RemoteStepOptions } from './decorator-options.js';
import { REMOTE_STEP_METADATA } from './metadata.js';
import { methodRefusal } from './method-refusal.js';
import { checkStepOptions } from './option-checks.js';

/** The first parameter is the input; the second, which may be left out, is the context. */
type StepMethod = (input: never, step: StepContext) => unknown;

/**
 * Marks a method as the handler of a remote step: `ctx.remote(ItsClass).method(input)` in a workflow, or
 * `ctx.remote('name', input)` where the class is not at hand. The name is what travels; it must outlive renames.
 *
 * @throws ConfigurationError at once when it stands on anything but an instance method; InvalidArgumentError for a
 *   name or an option that cannot be used.
 */
export function RemoteStep(name: string, options: RemoteStepOptions = {}) {
  checkName(name, 'The name of a remote step');
  checkStepOptions(options, `@RemoteStep('${name}')`);
  return <Method extends StepMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
    if (refusal)
      throw new ConfigurationError(`@RemoteStep('${name}') stands on ${refusal}: put it on an instance method`);
    // By prototype and key, not on the function: that survives other decorators and overriding methods.
    Reflect.defineMetadata(REMOTE_STEP_METADATA, { ...options, name }, target, key);
  };
}
