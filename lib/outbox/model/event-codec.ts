import { SerializationError } from '../../errors/payload-errors.js';
import type { CodecContext } from '../../protocol/codec.js';
import { UnreadablePayload } from '../../protocol/unreadable-payload.js';
import { isRunChannel, type OutboxEvent } from './outbox-event.js';

/** Seals the data of events, as a `sealedCodec` does. What it returns is stored as JSON. */
export interface EventCodec {
  seal(value: unknown, context?: CodecContext): unknown;
  /** @throws if the data cannot be opened. */
  open(data: unknown): unknown;
}

/** The data as it is stored, of the JSON text that the app has published. @throws SerializationError */
export function sealedData(codec: EventCodec, text: string, context: CodecContext): string {
  try {
    return JSON.stringify(codec.seal(JSON.parse(text), context));
  } catch (error) {
    throw new SerializationError('event.data', error instanceof Error ? error.message : String(error));
  }
}

/** The event as the app has published it. Ends of runs, which only hooks read, are never sealed. */
export const opened = <Event extends OutboxEvent>(codec: EventCodec | undefined, event: Event): Event =>
  !codec || event.data === null || isRunChannel(event.channel) ? event : { ...event, data: codec.open(event.data) };

/** The same for people and streams: data that cannot be opened says so. */
export function shown<Event extends OutboxEvent>(codec: EventCodec | undefined, event: Event): Event {
  try {
    return opened(codec, event);
  } catch (error) {
    return { ...event, data: new UnreadablePayload(error instanceof Error ? error.message : String(error)) };
  }
}
