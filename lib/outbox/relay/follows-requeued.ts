import type { DeadLettered } from './acknowledgements.js';
import type { ChannelState } from './event-source.js';

/**
 * Whether an event that is to join the dead is given back with those of its channel that are being given back: it was
 * under way when somebody did that, and its own turn comes after theirs. As a dead one it would park the channel again
 * once they are through. One that was given back itself has had its turn.
 */
export const followsRequeued = (item: DeadLettered, state: ChannelState | null | undefined): boolean =>
  state === 'requeued' && !item.requeued && (item.reason === 'behind' || item.parksChannel);
