import { signal } from '@preact/signals';

export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
] as const;

/** `1 h 4 m`, `4.2 s`, `350 ms`. */
export function span(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const at = UNITS.findIndex(([unit]) => ms >= unit);
  const [unit, name] = UNITS[at]!;
  const [next, nextName] = UNITS[at + 1]!;
  return `${Math.floor(ms / unit)} ${name} ${Math.floor((ms % unit) / next)} ${nextName}`;
}

export const between = (from: string | null, to: string | null): string =>
  from && to ? span(Date.parse(to) - Date.parse(from)) : '–';

/** How long it took, or has taken so far. */
export const Took = ({ from, to }: { from: string; to: string | null }) =>
  to === null ? <span class="dim">{span(now.value - Date.parse(from))} so far</span> : <>{between(from, to)}</>;

/** A time in a sentence, in the reader's time zone. */
export const local = (at: string): string => new Date(at).toLocaleString();

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A text of the server with its times as everywhere else on the page. */
export const withLocalTimes = (text: string): string => text.replaceAll(ISO, local);

/** How long something lasts that goes on: `for 4 m 3 s`. */
export const Lasting = ({ since }: { since: string }) => (
  <time dateTime={since} title={local(since)}>
    for {span(now.value - Date.parse(since))}
  </time>
);

/** A time as it is spoken of: `4 m 3 s ago`, `in 2 h 0 m`. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="dim">–</span>;
  const ms = now.value - Date.parse(at);
  return (
    <time dateTime={at} title={local(at)}>
      {ms >= 0 ? `${span(ms)} ago` : `in ${span(-ms)}`}
    </time>
  );
}
