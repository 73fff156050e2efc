import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '../../page/src/pace.js';
import { RUN_WITH_MANY_CHILDREN } from './rows.js';

/** What a view asks for: below `<path>/api/`, and how often at most, in ms. */
type Looks = Readonly<Record<string, number>>;

const runLooks = (id: string): Looks => ({
  [`runs/${id}`]: 2_000,
  [`runs/${id}/why`]: 2_000,
  [`runs/${id}/steps?limit=200`]: 2_000,
  [`acts?kind=run&target=${id}&limit=20`]: 10_000,
  [`runs/${id}/tree?limit=50`]: 30_000,
});

/** Ten tabs, as `page/src` asks (`useLive`): what people on call have open, and who looks at one run. */
export const TABS: readonly Looks[] = [
  { overview: 5_000, graphs: 30_000, 'doctor/recent': 60_000 },
  { overview: 5_000, graphs: 30_000, 'doctor/recent': 60_000 },
  { overview: 5_000, graphs: 30_000, 'doctor/recent': 60_000 },
  { 'runs?': 2_000, 'runs/counts?': 10_000 },
  { 'runs?status=failed': 2_000, 'runs/counts?status=failed': 10_000 },
  { queues: 3_000, limits: 5_000 },
  { nodes: 5_000 },
  { outbox: 5_000 },
  { effects: 5_000, 'effects/abandoned': 5_000, 'effects/scheduled': 5_000 },
  runLooks(RUN_WITH_MANY_CHILDREN),
];

export interface Tab {
  /** Resolves once it has all its first answers. */
  readonly ready: Promise<void>;
  /** Returns how many answers it had. */
  close(): Promise<number>;
}

/** Asks as an open page does until it is closed. */
export function openTab(url: string, looks: Looks): Tab {
  const closed = new AbortController();
  let answers = 0;
  const ask = async (at: string, mostS = 1): Promise<{ tookMs: number; restMs: number }> => {
    const began = performance.now();
    const headers = { 'sec-fetch-site': 'same-origin', 'cache-control': `max-age=${mostS}` };
    const answer = await fetch(`${url}/${at}`, { headers });
    const text = await answer.text();
    // 429: there is much to do.
    if (!answer.ok && answer.status !== 429) throw new Error(`${at}: ${answer.status} ${text}`);
    answers++;
    return { tookMs: performance.now() - began, restMs: Number(answer.headers.get('durable-rest-ms')) || 0 };
  };
  const follow = async (at: string, everyMs: number, first: Awaited<ReturnType<typeof ask>>): Promise<void> => {
    for (let last = first; !closed.signal.aborted; last = await ask(at, 60)) {
      await sleep(pauseAfter(everyMs, last.tookMs, last.restMs), undefined, { signal: closed.signal }).catch(
        () => undefined,
      );
      if (closed.signal.aborted) return;
    }
  };
  const firsts = Object.entries(looks).map(async ([at, everyMs]) => ({ at, everyMs, first: await ask(at) }));
  const all = firsts.map(async (asked) => {
    const { at, everyMs, first } = await asked;
    await follow(at, everyMs, first);
  });
  return {
    ready: Promise.all(firsts).then(() => undefined),
    close: async () => {
      closed.abort();
      await Promise.all(all);
      return answers;
    },
  };
}
