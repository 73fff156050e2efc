import { checkedOptions } from '../../options/known-options.js';
import type { Activation } from '../activation/activation.js';

/**
 * Like {@link checkedOptions}, for a call that takes the next position. A call that is recorded was accepted when it was
 * made: a later version of this library that refuses one of its options must not block its run.
 *
 * @throws InvalidArgumentError, UnknownOptionError
 */
export const callOptions = <Options extends object>(
  { journal }: Activation,
  options: Options,
  known: Record<keyof Options, unknown>,
  what: string,
): Options => (journal.next.recorded ? options : checkedOptions(options, known, what));
