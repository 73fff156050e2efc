import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { KnownOptions } from '../options/known-options.js';

/** Who changes something by hand, and why. With an actor, the change and its record in the act log are one transaction. */
export interface ByOperator {
  /** Who: a user name, an address. 1 to 191 characters. Default: nobody, and nothing is recorded. */
  actor?: string;
  /** Why, for the record. 1 to 1,000 characters. */
  reason?: string;
}

/** A change that may be one of many of a bulk. */
export interface Acting extends ByOperator {
  /** The id of the bulk. */
  bulk?: string;
}

/** Who and why, for functions that only operators call: both are required. */
export interface ActedBy {
  /** Who: a user name, an address. 1 to 191 characters. */
  actor: string;
  /** Why, for the record. 1 to 1,000 characters. */
  reason: string;
}

export const OPERATOR_OPTIONS = { actor: true, reason: true } satisfies KnownOptions<ActedBy>;

/** The kind of thing that was changed. A step is recorded with its run. `bulk`: an act on many things. */
export type ActKind = 'run' | 'signal' | 'schedule' | 'channel' | 'destination' | 'effect' | 'hold' | 'node' | 'bulk';

export const ACT_KINDS: readonly ActKind[] = [
  ...(['run', 'signal', 'schedule', 'channel', 'destination', 'effect', 'hold', 'node', 'bulk'] as const),
];

/** What an operator is about to do, as it is recorded. */
export interface NewAct {
  readonly actor: string;
  readonly reason: string | null;
  /** The verb, such as `cancel`. At most 64 characters. */
  readonly action: string;
  readonly kind: ActKind;
  /** The id or name of the thing. */
  readonly target: string;
  /** Null: what it belongs to has no namespaces. */
  readonly namespace: string | null;
  /** JSON values: what was there before, and what the act was given. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What came of it, such as `ended`. At most 64 characters. */
  readonly outcome: string;
}

/** What an operator did. */
export interface Act extends NewAct {
  /** Increases in the order of writing. */
  readonly id: string;
  readonly at: Date;
}

const LONGEST_ACTOR = 191;
const LONGEST_REASON = 1_000;

/**
 * Who acts; undefined without an actor.
 *
 * @throws InvalidArgumentError for an invalid actor or reason, and for a reason without an actor.
 */
export function operatorOf({ actor, reason }: ByOperator): Pick<NewAct, 'actor' | 'reason'> | undefined {
  if (actor === undefined && reason === undefined) return undefined;
  return {
    actor: checkedText('actor', actor, LONGEST_ACTOR),
    reason: reason === undefined ? null : checkedText('reason', reason, LONGEST_REASON),
  };
}

/** @throws InvalidArgumentError unless there are both an actor and a reason. */
export const requiredOperator = ({ actor, reason }: Partial<ActedBy>): ActedBy => ({
  actor: checkedText('actor', actor, LONGEST_ACTOR),
  reason: checkedText('reason', reason, LONGEST_REASON),
});

/** Length in code points, as the databases count. Lone surrogates (Cs) cannot be stored as text. */
function checkedText(argument: 'actor' | 'reason', text: unknown, longest: number): string {
  const fits =
    typeof text === 'string' && text.trim() !== '' && [...text].length <= longest && !/[\0\p{Cs}]/u.test(text);
  if (fits) return text;
  const expected = argument === 'actor' ? 'who acts' : 'why';
  throw new InvalidArgumentError(argument, text, `${expected}, as a text of 1 to ${longest} characters`);
}
