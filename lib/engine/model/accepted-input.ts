import { validated } from './validated.js';
import type { KnownWorkflow } from './workflow-registry.js';

/**
 * The input that a run gets: what the schema of the workflow makes of the given one. Without a schema an input may be
 * missing, also by name: nothing tells whether the parameter of `run` is optional.
 *
 * @throws ValidationError, AsyncSchemaError
 */
export const acceptedInput = ({ name, input: schema }: KnownWorkflow, given: unknown): unknown =>
  schema ? validated(schema, given, `The input of workflow "${name}"`) : given;
