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

/** A time as it is spoken of: `4 m 3 s ago`, `in 2 h 0 m`. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="dim">–</span>;
  const ms = now.value - Date.parse(at);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ms >= 0 ? `${span(ms)} ago` : `in ${span(-ms)}`}
    </time>
  );
}
