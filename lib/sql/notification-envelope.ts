import { answerWithin } from './session.js';
import { macrotask, sleep } from '../time/sleep.js';

/**
 * Tests whether notifications of one connection reach another. A pooler in transaction mode accepts LISTEN like any
 * statement, but forwards no notifications and gives no error.
 */
export class NotificationEcho {
  private waiting = new AbortController();
  private heard = false;

  /** The test notification has arrived. */
  hear(): void {
    this.heard = true;
    this.waiting.abort('heard');
  }

  /** @throws any error of `say`, and a DatabaseError when it takes longer than `ms`. */
  async comesBack(say: () => Promise<unknown>, ms: number, over: AbortSignal): Promise<boolean> {
    const waiting = (this.waiting = new AbortController());
    const end = () => waiting.abort('over');
    this.heard = false;
    over.addEventListener('abort', end);
    if (over.aborted) end();
    try {
      await answerWithin(ms, Promise.race([say(), sleep(2 * ms, waiting.signal)]));
      await sleep(ms, waiting.signal);
      // It may have arrived while the event loop was blocked.
      await macrotask();
      return this.heard;
    } finally {
      over.removeEventListener('abort', end);
      end();
    }
  }
}

/** PostgreSQL rejects payloads of 8,000 bytes and more. */
const MAX_BYTES = 7_900;

export interface Notification {
  sender: string;
  /** Undefined if they did not fit: read everything. */
  payloads: string[] | undefined;
}

/** Packs payloads of one topic into few notifications. A payload that is too long becomes "read everything". */
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

/** Never throws: any user may write to a channel, and an unreadable notification means "read everything". */
export function openEnvelope(text: string): Notification {
  const space = text.indexOf(' ');
  if (space === -1) return { sender: text, payloads: undefined };
  const sender = text.slice(0, space);
  try {
    const payloads: unknown = JSON.parse(text.slice(space + 1));
    if (Array.isArray(payloads) && payloads.every((payload) => typeof payload === 'string'))
      return { sender, payloads };
  } catch {
    // Not our format.
  }
  return { sender, payloads: undefined };
}
