import type { StepRow } from '../../lib/dashboard/options.js';
import type { Sent } from './api.js';

/** That a step waits for a limit is known while it does: what is recorded is when it was asked and when it began. */
export const HOWS = ['waited', 'backed off', 'ran', 'failed', 'slept', 'queued for a limit'] as const;

/** What a step did in a stretch of time. */
export interface Bar {
  from: number;
  to: number;
  how: (typeof HOWS)[number];
}

const ms = (time: string | null): number | undefined => (time === null ? undefined : Date.parse(time));

const SLEEPS = ['sleep', 'signal'];

/** The stretches of a step, in order; what is not over reaches to `end`. `isQueued`: it waits for a limit now. */
export function barsOf(step: Sent<StepRow>, end: number, isQueued = false): Bar[] {
  const from = Date.parse(step.createdAt);
  const finished = ms(step.finishedAt) ?? end;
  if (SLEEPS.includes(step.kind)) return [{ from, to: finished, how: 'slept' }];
  if (step.attempts.length === 0 && step.finishedAt) return [{ from, to: finished, how: outcomeOf(step.status) }];
  const bars: Bar[] = [];
  let at = from;
  const add = (to: number, how: Bar['how']) => {
    // What took no time at all was still done.
    if (to > at || how === 'ran' || how === 'failed') bars.push({ from: at, to: Math.max(at, to), how });
    at = Math.max(at, to);
  };
  for (const { askedAt, startedAt, finishedAt, outcome } of step.attempts) {
    add(ms(askedAt) ?? at, 'backed off');
    add(ms(startedAt) ?? at, 'waited');
    add(ms(finishedAt) ?? at, outcome === 'completed' ? 'ran' : 'failed');
  }
  if (step.finishedAt) return bars;
  add(Math.min(end, Date.parse(step.askedAt)), 'backed off');
  // A child is another run: here it is waited for.
  add(step.kind === 'child' ? end : (ms(step.startedAt) ?? end), isQueued ? 'queued for a limit' : 'waited');
  if (end > at) add(end, 'ran');
  return bars;
}

const outcomeOf = (status: string): Bar['how'] => (status === 'completed' ? 'ran' : 'failed');
