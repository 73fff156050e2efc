import { validated } from '../engine/model/validated.js';
import { RefusedOutputError, ValidationError } from '../errors/argument-errors.js';
import type { StandardSchema } from '../protocol/standard-schema.js';
import type { StepHandler } from '../worker/handler-registry.js';
import type { EffectiveStep } from './declared-remote-steps.js';

/** The handler of a step between the schemas of its input and of its output, where it has them. */
export function validatedStep({ name, options: { input, output } }: EffectiveStep, run: StepHandler): StepHandler {
  if (!input && !output) return run;
  return async (given, step) => {
    const accepted = input ? validated(input, given, `The input of step "${name}"`) : given;
    const returned = await run(accepted, step);
    return output ? validatedOutput(output, returned, `The output of step "${name}"`) : returned;
  };
}

/** @throws RefusedOutputError, AsyncSchemaError */
function validatedOutput(schema: StandardSchema, returned: unknown, what: string): unknown {
  try {
    return validated(schema, returned, what);
  } catch (error) {
    throw error instanceof ValidationError ? new RefusedOutputError(what, error.issues, returned) : error;
  }
}
