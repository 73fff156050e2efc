import type { Published } from '../app/ledger.js';
import { marksOf, published as publishing } from '../kinds/published.js';
import { grouped } from '../grouped.js';
import type { Evidence, Seen } from './evidence.js';
import type { Violation } from './violation.js';

/** Events in commit order, none lost, each once for a consumer. */
export function checkEvents(evidence: Evidence): Violation[] {
  const { published, seen, stories } = evidence;
  const marks = (stories.get(publishing) ?? [])
    .filter(({ run }) => run?.status === 'completed')
    .flatMap(({ id }) => marksOf(id));
  const firsts = firstOf(published);
  return [
    ...missing(marks, new Set(firsts.map(({ mark }) => mark)), 'were never published'),
    ...missing(marks, new Set(seen.map(({ mark }) => mark)), 'never reached the consumer'),
    ...twice(seen),
    ...inOrder(seen, 'the consumer'),
    ...inOrder(
      firsts.map(({ number, ...rest }) => ({ ...rest, number: BigInt(number) })),
      'the publisher',
    ),
    ...commitOrder(seen),
    ...numbers(published),
  ];
}

/** What was delivered again after a crash does not count. */
function firstOf(published: readonly Published[]): Published[] {
  const known = new Set<string>();
  return published.filter(({ mark }) => !known.has(mark) && known.add(mark));
}

/** In one sentence: one that is not delivered holds up all behind it. */
function missing(marks: readonly string[], found: ReadonlySet<string>, what: string): Violation[] {
  const lost = marks.filter((mark) => !found.has(mark));
  return lost.length === 0 ? [] : [{ text: `${lost.length} events ${what}: ${lost.slice(0, 5).join(', ')}` }];
}

const runOf = (mark: string): string => mark.slice(0, mark.lastIndexOf('/'));

const twice = (seen: readonly Seen[]): Violation[] =>
  [...grouped(seen, ({ mark }) => mark)]
    .filter(([, times]) => times.length > 1)
    .map(([mark, times]) => ({ run: runOf(mark), text: `event ${mark} reached the consumer ${times.length} times` }));

interface Numbered {
  channel: string;
  number: bigint;
  mark: string;
  at?: number;
}

function inOrder(events: readonly Numbered[], who: string): Violation[] {
  const last = new Map<string, Numbered>();
  return events.flatMap((event) => {
    const before = last.get(event.channel);
    last.set(event.channel, event);
    if (!before || before.number < event.number) return [];
    const text = `${who} of ${event.channel} was given number ${event.number} (${event.mark}) after ${before.number} (${before.mark})`;
    return [{ run: runOf(event.mark), text, ...(event.at !== undefined && { at: event.at }) }];
  });
}

/** The counter of a channel says in which order its transactions have committed. */
function commitOrder(seen: readonly Seen[]): Violation[] {
  const last = new Map<string, Seen>();
  return seen.flatMap((event) => {
    if (event.n === null) return [];
    const before = last.get(event.channel);
    last.set(event.channel, event);
    if (!before || before.n! < event.n) return [];
    return [{ run: runOf(event.mark), text: `${event.mark} came after ${before.mark}, which was committed later` }];
  });
}

const numbers = (published: readonly Published[]): Violation[] =>
  [...grouped(published, ({ channel, number }) => `${channel} ${number}`)]
    .filter(([, events]) => new Set(events.map(({ mark }) => mark)).size > 1)
    .map(([number, events]) => ({
      text: `number ${number} stands for ${events.map(({ mark }) => mark).join(' and ')}`,
    }));
