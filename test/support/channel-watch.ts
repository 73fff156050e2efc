import type { Subscription } from 'rxjs';
import type { ChannelMessage, ChannelOptions, OutboxFeed } from '../../lib/outbox/channels.js';
import { until } from './until.js';

/** A reader of one channel that keeps all it is told. */
export interface ChannelWatch {
  messages: ChannelMessage[];
  /** Numbers of the events, and `reset:<reason>`. */
  readonly told: string[];
  completed: boolean;
  /** Where it stands: what a browser sends when it connects again. */
  readonly lastEventId: string | undefined;
  end(): void;
}

export function watch(feed: OutboxFeed, channel: string, options: ChannelOptions = {}): ChannelWatch {
  const messages: ChannelMessage[] = [];
  const seen: ChannelWatch = {
    messages,
    completed: false,
    get told() {
      return messages.flatMap((message) => {
        if (message.type === 'heartbeat') return [];
        return [message.type === 'event' ? message.data.sequenceId : `reset:${message.data.reason}`];
      });
    },
    get lastEventId() {
      return messages.at(-1)?.id;
    },
    end: () => subscription.unsubscribe(),
  };
  const subscription: Subscription = feed.channel(channel, options).subscribe({
    next: (message) => void messages.push(message),
    complete: () => (seen.completed = true),
  });
  return seen;
}

/** The same, once it says where it stands. */
export async function watching(feed: OutboxFeed, channel: string, options?: ChannelOptions): Promise<ChannelWatch> {
  const seen = watch(feed, channel, options);
  await until('the stream says where it stands', () => seen.messages.length > 0);
  return seen;
}
