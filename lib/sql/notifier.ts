import type { Statement } from './dialects/statement.js';

/**
 * Says "look again" to other processes and to this one. A hint only: every subscriber also polls, and
 * is called without a payload whenever hints may have been lost.
 */
export interface Notifier {
  /** True while hints from other processes arrive, so that polling may be slow. */
  readonly live: boolean;
  /** To run inside a batch's own transaction, which makes it the batch's only notification; undefined where there is none. */
  statement(topic: string, payload: string): Statement | undefined;
  /** Whether {@link local} would reach anybody. */
  hears(topic: string): boolean;
  /** Tells the subscribers of this process at once. Call it after the commit. */
  local(topic: string, payload: string): void;
  /** Tells other processes with a statement of its own, off the commit path; calls close together become one. */
  publish(topic: string, payload: string): void;
  /** `listener` hears the payloads of `topic`, or undefined for "look at everything". Returns a function that ends it. */
  subscribe(topic: string, listener: (payload: string | undefined) => void): () => void;
  start(): void;
  stop(): Promise<void>;
}
