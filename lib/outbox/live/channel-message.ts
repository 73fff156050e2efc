import type { OutboxEvent } from '../model/outbox-event.js';

/**
 * What a stream of a channel says, in the shape that `@Sse()` sends. `id` is always where the stream stands: what a
 * browser sends as `Last-Event-ID` when it connects again.
 */
export type ChannelMessage<Data = unknown> =
  | { type: 'event'; id: string; data: OutboxEvent<Data> }
  | { type: 'reset'; id: string; data: ResetNote }
  | { type: 'heartbeat'; id: string; data: { sequenceId: string } };

/**
 * Events were missed: take a snapshot, and leave out what comes with a number up to the snapshot's. The stream goes on
 * behind `sequenceId`.
 */
export interface ResetNote {
  sequenceId: string;
  /** `gone`: what follows the position is no longer there. `slow`: the reader fell behind what is kept for it. */
  reason: 'gone' | 'slow';
}
