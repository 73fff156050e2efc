import { decoratedMethods } from './decorated-methods.js';
import type { EffectOptions } from './effect-options.js';
import { EFFECT_METADATA, ON_ABANDONED_METADATA, ON_OPERATION_COMPLETE_METADATA } from './metadata.js';

export type DeclaredEffect = EffectOptions & { name: string };

/** The `@Effect` methods of a class by their names, inherited ones included. */
export const effectsOf = (target: object): Map<string, DeclaredEffect> =>
  decoratedMethods<DeclaredEffect>(target, EFFECT_METADATA);

/** The operations of `@OnOperationComplete` methods by their names, inherited ones included. */
export const completionsOf = (target: object): Map<string, readonly string[]> =>
  decoratedMethods<readonly string[]>(target, ON_OPERATION_COMPLETE_METADATA);

/** The same of `@OnAbandoned` methods. */
export const abandonmentsOf = (target: object): Map<string, readonly string[]> =>
  decoratedMethods<readonly string[]>(target, ON_ABANDONED_METADATA);
