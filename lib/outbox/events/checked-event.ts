import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { CodecContext } from '../../protocol/codec.js';
import { type EventCodec, sealedData } from '../model/event-codec.js';
import {
  EVENT_FIELDS,
  isRunChannel,
  type NewOutboxEvent,
  RUN_CHANNELS,
  type WrittenEvent,
} from '../model/outbox-event.js';
import { checkedOptions } from '../../options/known-options.js';

export interface EventLimits {
  /** The maximum size of an event's data, and of its headers, in bytes of JSON. */
  readonly payloadBytes: number;
  /** Seals the data of all events that are not `plain`. */
  readonly codec?: EventCodec | undefined;
}

const MAX_CHANNEL = 255;
const MAX_NAME = 191;

/** NUL and lone surrogates: not every database can store them as text. */
const UNSTORABLE = /\0|\p{Cs}/u;
/** The same as JSON escapes; an even number of backslashes may precede them. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/**
 * Checks an event and returns it as it is stored. `context`: what is known of the run that publishes it.
 *
 * @throws InvalidArgumentError naming a field that some database could not store unchanged.
 * @throws SerializationError if the codec cannot seal the data.
 */
export function checkedEvent(
  event: NewOutboxEvent,
  limits: EventLimits,
  newId: () => string,
  context: CodecContext = {},
): WrittenEvent {
  if (typeof event !== 'object' || event === null)
    throw new InvalidArgumentError('event', event, 'an object with a channel and a name');
  const {
    channel,
    name,
    data,
    mutationId = newId(),
    headers,
    plain = false,
  } = checkedOptions(event, EVENT_FIELDS, 'The event');
  if (typeof channel === 'string' && isRunChannel(channel))
    throw new InvalidArgumentError('event.channel', channel, `a channel that does not begin with "${RUN_CHANNELS}"`);
  if (typeof plain !== 'boolean') throw new InvalidArgumentError('event.plain', plain, 'true or false');
  const text = checkedJson('event.data', data, limits);
  const { codec } = limits;
  return {
    mutationId: checkedText('event.mutationId', mutationId, MAX_NAME),
    channel: checkedText('event.channel', channel, MAX_CHANNEL),
    name: checkedText('event.name', name, MAX_NAME),
    rejected: false,
    data: text === null || plain || !codec ? text : sealedData(codec, text, { ...context, channel }),
    headers: checkedHeaders(headers, limits),
  };
}

function checkedText(argument: string, text: unknown, most: number): string {
  // Length in code points, as databases count.
  const fits = typeof text === 'string' && text !== '' && !UNSTORABLE.test(text) && [...text].length <= most;
  if (!fits) throw new InvalidArgumentError(argument, text, `a string of 1 to ${most} characters without NUL`);
  return text;
}

function checkedHeaders(headers: unknown, limits: EventLimits): string | null {
  if (headers === undefined || headers === null) return null;
  const prototype: unknown = typeof headers === 'object' ? Object.getPrototypeOf(headers) : undefined;
  if (prototype !== Object.prototype && prototype !== null)
    throw new InvalidArgumentError('event.headers', headers, 'a plain object');
  return checkedJson('event.headers', headers, limits);
}

function checkedJson(argument: string, value: unknown, { payloadBytes }: EventLimits): string | null {
  if (value === undefined || value === null) return null;
  const text = jsonOf(argument, value);
  if (UNSTORABLE_ESCAPE.test(text))
    throw new InvalidArgumentError(argument, value, 'a string without NUL and unpaired surrogates');
  const bytes = Buffer.byteLength(text);
  if (bytes > payloadBytes)
    throw new InvalidArgumentError(argument, `${bytes} bytes of JSON`, `at most ${payloadBytes}, or a reference`);
  return text;
}

function jsonOf(argument: string, value: unknown): string {
  let text: unknown;
  try {
    text = JSON.stringify(value);
  } catch {
    // A circular value, a BigInt, or a toJSON that throws.
  }
  if (typeof text !== 'string') throw new InvalidArgumentError(argument, value, 'a value that JSON can represent');
  return text;
}
