import { ConfigurationError, InvalidArgumentError } from '../../core/errors.js';
import { shortText } from '../../core/protocol.js';
import { WorkflowFailure } from '../../core/run-errors.js';
import { headersWithTrace } from '../../core/telemetry.js';
import { PUBLISHED } from '../erasure.js';
import { type AttributeValue, checkAttributeChanges, checkName, contextIn, MOST_ATTRIBUTES } from '../run.js';
import type { RunExtras } from '../runs.js';
import { carriedAnew } from '../starts.js';
import { type CheckedEvent, publishedOf, readPublished, type WorkflowEvent } from '../step.js';
import { acceptedInput } from '../workflow.js';
import type { Activation } from './activation.js';
import { askedOf, unawaitedCalls } from './departures.js';
import { never } from './journal.js';

/** The point of no return. It is recorded, so that code which moves it no longer matches the history. */
export function commit(activation: Activation, name: string): void {
  if (activation.closed) return;
  const position = activation.ask('marker', checkName(`commit:${name}`, 'The name of a commit'));
  if (!position) return;
  const { step, isNew } = position;
  if (isNew) activation.keep({ ...step, status: 'completed', finishedAt: step.createdAt });
  activation.compensations.commit();
}

/** The error that ends the run, to be thrown. @throws InvalidArgumentError */
export function fail(message: string, code?: string): WorkflowFailure {
  if (typeof message !== 'string' || message === '')
    throw new InvalidArgumentError('The message of ctx.fail', message, 'a string that says what went wrong');
  return new WorkflowFailure(message, code);
}

/**
 * Whether this run takes the code behind `id`: true if the patch is recorded, or if no record is left. If the history
 * continues with another record, the run passed this line before the patch was added.
 */
export function patched(activation: Activation, id: string): boolean {
  const name = checkName(`patched:${checkName(id, 'The id of a patch')}`, 'The id of a patch');
  const { recorded } = activation.journal.next;
  if (recorded ? recorded.name !== name : activation.journal.unasked !== undefined) return false;
  const position = activation.ask('marker', name);
  if (!position) return recorded !== undefined;
  if (position.isNew) activation.keep({ ...position.step, status: 'completed', finishedAt: position.step.createdAt });
  return true;
}

/**
 * Restarts the run with an empty history. Open requests are withdrawn, children continue, and earlier steps are no
 * longer compensated.
 *
 * @throws ValidationError, AsyncSchemaError, SerializationError, PayloadTooLargeError
 */
export function continueAsNew<T>(activation: Activation, input: unknown): Promise<T> {
  const { run, payloads, closed, closing, interrupted, shared } = activation;
  const next = acceptedInput(shared.workflows(run.workflow, run.version), input);
  const text = payloads.encode(next ?? null, `The input with which workflow "${run.workflow}" continues`);
  if (!closed && !closing && !interrupted)
    void renew(activation, text).catch((error: unknown) => activation.break(error));
  return never();
}

/** The new positions begin after all existing ones, so that step ids are not reused. */
async function renew(activation: Activation, input: string): Promise<void> {
  const { journal, run, shared } = activation;
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  const left = unawaitedCalls(activation);
  if (left) return activation.block('programming_error', left);
  const tracing = shared.telemetry?.tracing;
  const anew = { input, firstSeq: journal.next.seq, ...(tracing && carriedAnew(tracing, run)) };
  return activation.leave({ status: 'pending', ...anew }, () => askedOf(activation));
}

const LONGEST_STATUS = 1_000;

/**
 * A marker, written together with the run's custom status; a replay writes neither.
 *
 * @throws InvalidArgumentError
 */
export function setStatus(activation: Activation, given: string): void {
  if (typeof given !== 'string') throw new InvalidArgumentError('The status', given, 'a string');
  const status = shortText(given, LONGEST_STATUS);
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

/** One event, or several in their order. */
export type Events = WorkflowEvent | readonly WorkflowEvent[];

/** For several events together, in characters of JSON: they are sent in one statement, and servers refuse 16 MiB. */
const MOST_AT_ONCE = 4_000_000;

/**
 * A marker, since there is no outcome to wait for: its events are written in the commit of its record or not at all. It
 * holds their mutation ids, which every replay returns, and their channels, by which an erasure finds them.
 *
 * @throws InvalidArgumentError, SerializationError, ConfigurationError
 */
export function publish(activation: Activation, first: string | Events, second?: Events): Promise<string[]> {
  const isNamed = typeof first === 'string';
  const name = checkName(isNamed ? first : 'publish', 'The name of a publish');
  const { recorded } = activation.journal.next;
  const isOver = recorded !== undefined || activation.closing !== null;
  const events = isOver ? [] : checkedEvents(activation, isNamed ? second : first);
  const position = activation.ask('marker', name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  activation.journal.hasEffect(seq);
  if (!isNew) return Promise.resolve(readPublished(step.output).ids);
  const published = publishedOf(events);
  const output = JSON.stringify(published);
  const record = { ...step, status: 'completed', output, ref: PUBLISHED, finishedAt: step.createdAt } as const;
  activation.keep(record, events.length > 0 ? { extras: { publishes: [{ seq, events }] } } : {});
  return Promise.resolve([...published.ids]);
}

function checkedEvents({ shared, run, payloads }: Activation, given: unknown): CheckedEvent[] {
  const { events } = shared;
  if (!events)
    throw new ConfigurationError(
      `ctx.publish needs an outbox, and the process that executes workflow "${run.workflow}" has none: set outbox: {} in ` +
        'DurableModule.forRoot, or omit the option, instead of outbox: false. The run continues in a process that has an outbox',
    );
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given];
  const context = contextIn(run.context);
  const fit = listed
    .map((event) => events.check(event as WorkflowEvent, payloads.context))
    .map((event) => ({ ...event, headers: headersWithTrace(event.headers, context) }));
  const size = fit.reduce((sum, event) => sum + sizeOfEvent(event), 0);
  if (fit.length > 1 && size > MOST_AT_ONCE)
    throw new InvalidArgumentError('events', `${size} characters of JSON`, `at most ${MOST_AT_ONCE} at once`);
  return fit;
}

const sizeOfEvent = ({ data, headers }: CheckedEvent): number => (data?.length ?? 0) + (headers?.length ?? 0);
