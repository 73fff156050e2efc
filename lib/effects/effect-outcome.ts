import { InvalidArgumentError } from '../errors/argument-errors.js';

const LONGEST = 191;

/** The class name of an error. Only this is stored: a message may contain confidential data. Never throws. */
export function errorClassOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  try {
    return classNameOf(error) || 'Error';
  } catch {
    // Any value can be thrown, including one whose getters throw.
    return 'Error';
  }
}

function classNameOf(error: object): string {
  const { constructor } = error as { constructor?: { name?: unknown } };
  const name = typeof constructor?.name === 'string' ? constructor.name : '';
  const storable = name.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
  // Cuts between code points.
  return [...storable].slice(0, LONGEST).join('');
}

/** A global symbol, because the package, and with it its classes, may be installed twice. */
const MARK = Symbol.for('nest-durable.effect-outcome');

/** The result of a call. */
export type EffectOutcome =
  | { readonly kind: 'done' }
  /** There was nothing left to do, which counts as a success. */
  | { readonly kind: 'already-absent' }
  /** The handler is called again at the given time, epoch ms. */
  | { readonly kind: 'scheduled'; readonly until: number };

/** Opaque: a handler returns it for an outcome other than `done`. */
export interface MarkedOutcome {
  readonly [MARK]: EffectOutcome;
}

const DONE: EffectOutcome = { kind: 'done' };

/**
 * A handler returns this when its target no longer exists. The call counts as a success and is recorded as such.
 *
 * @example if (response.status === 404) return alreadyAbsent();
 */
export function alreadyAbsent(): MarkedOutcome {
  return { [MARK]: { kind: 'already-absent' } };
}

/**
 * A handler returns this when the other side finishes later, by `date`, a `Date` or epoch ms. The handler is called
 * again then, with its attempts counted from zero; until then the operation is not complete.
 *
 * @throws InvalidArgumentError when it is not a valid date.
 * @example return scheduleUntil(job.expiresAt);
 */
export function scheduleUntil(date: Date | number): MarkedOutcome {
  const until = typeof date === 'number' ? date : date instanceof Date ? date.getTime() : Number.NaN;
  if (!Number.isFinite(until) || Math.abs(until) > 8.64e15)
    throw new InvalidArgumentError('date', date, 'a valid Date, or epoch milliseconds');
  return { [MARK]: { kind: 'scheduled', until: Math.round(until) } };
}

/** The outcome that a handler's return value stands for. */
export function outcomeOf(returned: unknown): EffectOutcome {
  if (typeof returned !== 'object' || returned === null || !(MARK in returned)) return DONE;
  return (returned as MarkedOutcome)[MARK];
}
