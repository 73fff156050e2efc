/** A stretch of time, epoch ms. */
export interface Stretch {
  from: number;
  to: number;
}

/** Where a time is between the edges, as a part of the width. */
export interface Scale {
  at: (ms: number) => number;
  /** What is drawn shorter than it was. */
  gaps: readonly Stretch[];
}

/** From which part of the whole on idle time collapses. */
const LONG = 0.3;
/** The part of the whole that a collapsed gap keeps. */
const KEPT = 0.04;

/** The times between `from` and `to` in which nothing was busy. */
function idleOf(busy: readonly Stretch[], from: number, to: number): Stretch[] {
  const idle: Stretch[] = [];
  let at = from;
  for (const one of [...busy].sort((a, b) => a.from - b.from)) {
    if (one.from > at) idle.push({ from: at, to: Math.min(one.from, to) });
    at = Math.max(at, one.to);
  }
  if (to > at) idle.push({ from: at, to });
  return idle;
}

const lengthOf = ({ from, to }: Stretch): number => to - from;

/**
 * A scale from `from` to `to` on which idle gaps are short that would take more than 30 % of the width. Once one has
 * collapsed, another may take that much of the rest.
 */
export function scaleOf(busy: readonly Stretch[], from: number, to: number): Scale {
  const idle = idleOf(busy, from, to).sort((a, b) => lengthOf(b) - lengthOf(a));
  const gaps: Stretch[] = [];
  let rest = to - from;
  for (const gap of idle) {
    // A run that only waits has no other time to be drawn to scale.
    if (busy.length === 0 || lengthOf(gap) <= LONG * rest) break;
    gaps.push(gap);
    rest -= lengthOf(gap);
  }
  const kept = gaps.length === 0 ? 0 : (Math.max(rest, 1) * KEPT) / (1 - KEPT * gaps.length);
  const whole = Math.max(1, rest) + kept * gaps.length;
  const at = (ms: number) => {
    const saved = gaps.reduce((sum, gap) => {
      const within = Math.min(Math.max(ms - gap.from, 0), lengthOf(gap));
      return sum + within * (1 - kept / lengthOf(gap));
    }, 0);
    return (Math.min(Math.max(ms, from), to) - from - saved) / whole;
  };
  return { at, gaps: gaps.sort((a, b) => a.from - b.from) };
}

/** The part of the width that is looked at. */
export interface Window {
  left: number;
  right: number;
}

export const WHOLE: Window = { left: 0, right: 1 };

/** The closest look: a thousandth of the width. */
const LEAST = 0.001;

/** Twice as near (`by` 2), or twice as far (0.5), about the middle. */
export function zoomed({ left, right }: Window, by: number): Window {
  const width = Math.min(1, Math.max(LEAST, (right - left) / by));
  return moved({ left: (left + right - width) / 2, right: (left + right + width) / 2 }, 0);
}

/** A part of itself to the right, or to the left; not beyond the edges. */
export function moved({ left, right }: Window, part: number): Window {
  const width = right - left;
  const begin = Math.min(1 - width, Math.max(0, left + part * width));
  return { left: begin, right: begin + width };
}

/** What was dragged over, as a part of what is looked at; the whole of it if it is next to nothing. */
export function chosen({ left, right }: Window, a: number, b: number): Window {
  const width = right - left;
  const [begin, end] = [Math.min(a, b), Math.max(a, b)].map((part) => left + Math.min(1, Math.max(0, part)) * width);
  return end! - begin! < LEAST ? { left, right } : { left: begin!, right: end! };
}
