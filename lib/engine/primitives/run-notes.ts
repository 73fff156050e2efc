import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { Activation } from '../activation/activation.js';
import { checkAttributeChanges, MOST_ATTRIBUTES } from '../model/attributes.js';
import type { AttributeValue } from '../model/run.js';
import type { RunExtras } from '../model/run-store.js';

const LONGEST_STATUS = 1_000;

/**
 * A marker, written together with the run's custom status; a replay writes neither.
 *
 * @throws InvalidArgumentError
 */
export function setStatus(activation: Activation, status: string): void {
  if (typeof status !== 'string' || [...status].length > LONGEST_STATUS || /[\0\p{Cs}]/u.test(status))
    throw new InvalidArgumentError('The status', status, `a string of at most ${LONGEST_STATUS} characters`);
  const { texts, context } = activation.payloads;
  note(activation, 'status', status, { customStatus: texts.text(status, context) });
}

/** The names that the code of an activation has set so far: the same on every replay. */
const named = new WeakMap<Activation, Set<string>>();

/** @throws InvalidArgumentError */
export function setAttributes(
  activation: Activation,
  attributes: Readonly<Record<string, AttributeValue | null>>,
): void {
  const changes = checkAttributeChanges(attributes);
  const names = new Set(named.get(activation));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) names.delete(name);
    else names.add(name);
  }
  if (names.size > MOST_ATTRIBUTES)
    throw new InvalidArgumentError('attributes', `the ${names.size}th of this run`, `at most ${MOST_ATTRIBUTES} names`);
  named.set(activation, names);
  note(activation, 'attributes', changes, { attributes: changes });
}

function note(activation: Activation, name: string, value: unknown, extras: RunExtras): void {
  const position = activation.ask('marker', name);
  if (!position?.isNew) return;
  const { step } = position;
  const output = activation.payloads.encodeFreely(value);
  activation.keep({ ...step, status: 'completed', output, finishedAt: step.createdAt }, { extras });
}
