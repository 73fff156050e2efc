import {
  type OutboxPublisherOptions,
  PUBLISHER_OPTIONS,
  REMOTE_STEP_OPTIONS,
  type RemoteStepOptions,
  WORKFLOW_OPTIONS,
  type WorkflowOptions,
} from './decorator-options.js';
import { checkDeliveryOptions, checkStepOptions, checkWorkflowOptions } from './option-checks.js';
import { UnknownOptionError } from '../errors/argument-errors.js';
import { checkedOptions } from '../options/known-options.js';
import { nearest } from '../options/nearest.js';

/** What only the class itself can say: its code depends on it, or others know it by that name. */
const { version: _version, input: _input, ...OF_WORKFLOW } = WORKFLOW_OPTIONS;
const { input: _taken, output: _returned, ...OF_STEP } = REMOTE_STEP_OPTIONS;
const { name: _name, ...OF_DESTINATION } = PUBLISHER_OPTIONS;

/** @throws InvalidArgumentError */
export function checkWorkflowOverrides(options: Omit<WorkflowOptions, 'version' | 'input'>, what: string): void {
  checkWorkflowOptions(checkedOptions(options, OF_WORKFLOW, what), what);
}

/** @throws InvalidArgumentError */
export function checkStepOverrides(options: Omit<RemoteStepOptions, 'input' | 'output'>, what: string): void {
  checkStepOptions(checkedOptions(options, OF_STEP, what), what);
}

/** @throws InvalidArgumentError */
export function checkDestinationOverrides(options: Omit<OutboxPublisherOptions, 'name'>, what: string): void {
  checkDeliveryOptions(checkedOptions(options, OF_DESTINATION, what), what);
}

/**
 * Refuses options for names that nobody declares, for example because of a typing error: they would change nothing. A
 * process that declares nothing of the kind, such as a mere client, may have the configuration of the others.
 *
 * @throws UnknownOptionError
 */
export function checkOverriddenNames(overrides: object, declared: Iterable<string>, what: string): void {
  const known = [...new Set(declared)];
  const unknown = Object.keys(overrides).find((name) => !known.includes(name));
  if (unknown === undefined || known.length === 0) return;
  const meant = nearest(unknown, known);
  const guess = meant.length > 0 ? `did you mean ${quoted(meant)}? ` : '';
  const remedy = `${guess}No class of this app declares it; there are ${known.join(', ')}`;
  throw new UnknownOptionError(`DurableModule: ${what}`, unknown, meant, known, remedy);
}

/**
 * Names that look like one that is declared, with that one. Steps and their classes may be declared in other processes,
 * so they cannot be refused.
 */
export const misspelt = (overrides: object, declared: readonly string[]): { name: string; meant: string }[] =>
  Object.keys(overrides)
    .filter((name) => !declared.includes(name))
    .map((name) => ({ name, meant: quoted(nearest(name, declared)) }))
    .filter(({ meant }) => meant !== '');

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(' or ');
