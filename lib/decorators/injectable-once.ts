import { Injectable } from '@nestjs/common';

/** Nest's own mark. Our decorators stand above or below an `@Injectable({ scope })`, which must not lose its options. */
const MARK = '__injectable__';

/** Makes a class a provider by itself, unless it says so already. */
export function injectableOnce(target: object): void {
  if (!Reflect.hasOwnMetadata(MARK, target)) Injectable()(target as never);
}
