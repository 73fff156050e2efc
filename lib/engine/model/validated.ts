import { InvalidArgumentError, ValidationError, type ValidationIssue } from '../../errors/argument-errors.js';
import { AsyncSchemaError } from '../../errors/setup-errors.js';
import type { SchemaIssue, StandardSchema } from '../../protocol/standard-schema.js';

/**
 * Returns what the schema makes of a value. `what` names the value in errors.
 *
 * @throws ValidationError; AsyncSchemaError, because a value is checked between two lines of a workflow, where nothing
 *   can be awaited.
 */
export function validated(schema: StandardSchema, value: unknown, what: string): unknown {
  const result = schema['~standard'].validate(value);
  if (isThenable(result)) {
    // It may fail later, when nobody waits for it any more.
    Promise.resolve(result).catch(() => undefined);
    throw new AsyncSchemaError(what, schema['~standard'].vendor);
  }
  if (result.issues) throw new ValidationError(what, result.issues.map(issueOf));
  return result.value;
}

/** Of another realm, or of a library with promises of its own: no result has this method. */
const isThenable = (result: object): result is PromiseLike<unknown> =>
  typeof (result as Partial<PromiseLike<unknown>>).then === 'function';

/** Whether a value implements the standard; schemas of some libraries are functions. */
export function isSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const { version, validate } = (value as Partial<StandardSchema>)['~standard'] ?? {};
  return version === 1 && typeof validate === 'function';
}

/** For a declaration that expects a schema. */
export const noSchema = (what: string, value: unknown): InvalidArgumentError =>
  new InvalidArgumentError(what, value, 'a schema of Standard Schema v1, such as one of zod, valibot or arktype');

/** The standard has no code: zod and arktype call it `code`, valibot `type`. */
function issueOf(issue: SchemaIssue): ValidationIssue {
  const { code, type } = issue as { code?: unknown; type?: unknown };
  const named = [code, type].find((name) => typeof name === 'string');
  return { code: typeof named === 'string' ? named : 'invalid', path: pathOf(issue), message: issue.message };
}

/** A plain array: that of arktype is a class of its own. */
const pathOf = ({ path = [] }: SchemaIssue): (string | number)[] =>
  Array.from(path, (segment) => {
    const key = typeof segment === 'object' ? segment.key : segment;
    return typeof key === 'symbol' ? String(key) : key;
  });
