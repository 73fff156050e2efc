import { setTimeout as pause } from 'node:timers/promises';
import type { OrderInput } from './app/order.workflow.js';

export interface Placing {
  /** The orders that the API has confirmed. */
  placed: number;
  /** Requests that failed and were sent again, with the same order. */
  repeated: number;
  done: Promise<void>;
}

/** Places orders over HTTP at a steady rate. A request that fails is sent again until it is answered. */
export function placeOrders(count: number, perSecond: number, url: string, signal: AbortSignal): Placing {
  const placing: Placing = { placed: 0, repeated: 0, done: Promise.resolve() };
  const place = async (order: OrderInput) => {
    while (!(await isConfirmed(order, url, signal))) {
      placing.repeated++;
      await pause(200, undefined, { signal });
    }
    placing.placed++;
  };
  placing.done = Promise.all(
    Array.from({ length: count }, async (_, at) => {
      await pause((at * 1_000) / perSecond, undefined, { signal });
      await place({ id: String(at + 1), amount: 10 + at });
    }),
  ).then(() => undefined);
  return placing;
}

async function isConfirmed(order: OrderInput, url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
      signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
