import { InvalidArgumentError } from '../errors.js';

const LONGEST = 191;

/** The class of an error, which is all that is kept of one: a message may hold what must not be kept. Never throws. */
export function errorClassOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  try {
    return classNameOf(error) || 'Error';
  } catch {
    // Anything can be thrown, also what throws when it is looked at.
    return 'Error';
  }
}

function classNameOf(error: object): string {
  const { constructor } = error as { constructor?: { name?: unknown } };
  const name = typeof constructor?.name === 'string' ? constructor.name : '';
  const storable = name.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
  // Whole characters.
  return [...storable].slice(0, LONGEST).join('');
}

/** Packages may be installed twice, and classes with them. */
const MARK = Symbol.for('nest-durable.effect-outcome');

/** What a call came to. */
export type EffectOutcome =
  | { readonly kind: 'done' }
  /** There was nothing to do any more, which is as good. */
  | { readonly kind: 'already-absent' }
  /** To be called again at the given time, epoch ms. */
  | { readonly kind: 'scheduled'; readonly until: number };

/** Opaque: what a handler returns to say more than that it is done. */
export interface MarkedOutcome {
  readonly [MARK]: EffectOutcome;
}

const DONE: EffectOutcome = { kind: 'done' };

/**
 * For a handler to return when what it was to end was gone: a success, recorded as such.
 *
 * @example if (response.status === 404) return alreadyAbsent();
 */
export function alreadyAbsent(): MarkedOutcome {
  return { [MARK]: { kind: 'already-absent' } };
}

/**
 * For a handler to return when the other side will be done by `date`, a `Date` or epoch ms: it is called again then,
 * with its attempts counted anew, and the operation is not complete before.
 *
 * @throws InvalidArgumentError when it is no date.
 * @example return scheduleUntil(job.expiresAt);
 */
export function scheduleUntil(date: Date | number): MarkedOutcome {
  const until = typeof date === 'number' ? date : date instanceof Date ? date.getTime() : Number.NaN;
  if (!Number.isFinite(until) || Math.abs(until) > 8.64e15)
    throw new InvalidArgumentError('date', date, 'a valid Date, or epoch milliseconds');
  return { [MARK]: { kind: 'scheduled', until: Math.round(until) } };
}

/** What a handler has said by what it returned. */
export function outcomeOf(returned: unknown): EffectOutcome {
  if (typeof returned !== 'object' || returned === null || !(MARK in returned)) return DONE;
  return (returned as MarkedOutcome)[MARK];
}
