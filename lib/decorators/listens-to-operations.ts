import { ConfigurationError } from '../errors.js';
import { methodRefusal } from './method-refusal.js';

/** Writes down which operations a method listens to. @throws ConfigurationError */
export function listensToOperations(
  decorator: string,
  metadataKey: string,
  operations: readonly string[],
  { target, key, descriptor }: { target: object; key: string | symbol; descriptor: unknown },
): void {
  const what = `@${decorator}('${operations.join("', '")}')`;
  const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
  if (refusal) throw new ConfigurationError(`${what} stands on ${refusal}: put it on an instance method`);
  if (Reflect.hasOwnMetadata(metadataKey, target, key)) {
    const location = `${target.constructor.name}.${String(key)}`;
    throw new ConfigurationError(`${location} carries @${decorator} twice: give one a list of operations`);
  }
  Reflect.defineMetadata(metadataKey, operations, target, key);
}
