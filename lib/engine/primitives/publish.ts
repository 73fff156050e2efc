import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { ConfigurationError } from '../../errors/setup-errors.js';
import { headersWithTrace } from '../../telemetry/traced-headers.js';
import { PUBLISHED } from '../model/run-erasure.js';
import { checkName } from '../model/names.js';
import { contextIn } from '../model/run-context.js';
import { type CheckedEvent, publishedOf, readPublished, type WorkflowEvent } from '../model/outgoing.js';
import type { Activation } from '../activation/activation.js';
import { never } from '../activation/outcome.js';

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
  const events = isOver ? [] : checked(activation, isNamed ? second : first);
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

function checked({ shared, run, payloads }: Activation, given: unknown): CheckedEvent[] {
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
