import { answerWithin } from './answer-within.js';
import { macrotask } from '../time/within.js';
import { sleep } from '../time/sleep.js';

/**
 * Whether what one connection says is heard by another. A pooler that lends its connections for single transactions takes
 * a LISTEN like any statement, forwards nothing, and answers every other question as if all were well.
 */
export class NotificationEcho {
  private waiting = new AbortController();
  private heard = false;

  /** What was said has come back. */
  hear(): void {
    this.heard = true;
    this.waiting.abort('heard');
  }

  /** @throws what `say` throws, and a DatabaseError when it takes longer than `ms`. */
  async comesBack(say: () => Promise<unknown>, ms: number, over: AbortSignal): Promise<boolean> {
    const waiting = (this.waiting = new AbortController());
    const end = () => waiting.abort('over');
    this.heard = false;
    over.addEventListener('abort', end);
    if (over.aborted) end();
    try {
      await answerWithin(ms, Promise.race([say(), sleep(2 * ms, waiting.signal)]));
      await sleep(ms, waiting.signal);
      // It may have come while the event loop stood still.
      await macrotask();
      return this.heard;
    } finally {
      over.removeEventListener('abort', end);
      end();
    }
  }
}

/** PostgreSQL refuses payloads of 8,000 bytes and more. */
const MAX_BYTES = 7_900;

export interface Notification {
  sender: string;
  /** Undefined when they did not fit: look at everything. */
  payloads: string[] | undefined;
}

/** Payloads of one topic as few notifications as they fit into. One that is too long becomes "look at everything". */
export function envelopes(sender: string, payloads: readonly string[]): string[] {
  const packed: string[] = [];
  const open: string[] = [];
  for (const payload of payloads) {
    if (write(sender, [payload]) === sender) return [sender];
    if (write(sender, [...open, payload]) === sender) packed.push(write(sender, open.splice(0)));
    open.push(payload);
  }
  if (open.length > 0) packed.push(write(sender, open));
  return packed;
}

function write(sender: string, payloads: readonly string[]): string {
  const text = `${sender} ${JSON.stringify(payloads)}`;
  return Buffer.byteLength(text) > MAX_BYTES ? sender : text;
}

/** Never throws: anybody may write to a channel, and a hint that cannot be read means "look at everything". */
export function openEnvelope(text: string): Notification {
  const space = text.indexOf(' ');
  if (space === -1) return { sender: text, payloads: undefined };
  const sender = text.slice(0, space);
  try {
    const payloads: unknown = JSON.parse(text.slice(space + 1));
    if (Array.isArray(payloads) && payloads.every((payload) => typeof payload === 'string'))
      return { sender, payloads };
  } catch {
    // Not ours.
  }
  return { sender, payloads: undefined };
}
