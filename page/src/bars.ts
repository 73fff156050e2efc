import type { StepRow } from '../../lib/dashboard/run-rows.js';
import type { Sent } from './api.js';

/** What a step did in a stretch of time. */
export interface Bar {
  from: number;
  to: number;
  how: 'backed off' | 'waited' | 'ran' | 'failed' | 'slept';
}

const ms = (time: string | null): number | undefined => (time === null ? undefined : Date.parse(time));

const SLEEPS = ['sleep', 'signal'];

/** The stretches of a step, in order; what is not over reaches to `end`. */
export function barsOf(step: Sent<StepRow>, end: number): Bar[] {
  const from = Date.parse(step.createdAt);
  const finished = ms(step.finishedAt) ?? end;
  if (SLEEPS.includes(step.kind)) return [{ from, to: finished, how: 'slept' }];
  if (step.attempts.length === 0 && step.finishedAt) return [{ from, to: finished, how: outcomeOf(step.status) }];
  const bars: Bar[] = [];
  let at = from;
  const add = (to: number, how: Bar['how']) => {
    if (to > at) bars.push({ from: at, to, how });
    at = Math.max(at, to);
  };
  for (const { askedAt, startedAt, finishedAt, outcome } of step.attempts) {
    add(ms(askedAt) ?? at, 'backed off');
    add(ms(startedAt) ?? at, 'waited');
    add(ms(finishedAt) ?? at, outcome === 'completed' ? 'ran' : 'failed');
  }
  if (step.finishedAt) return bars;
  add(Math.min(end, Date.parse(step.askedAt)), 'backed off');
  add(ms(step.startedAt) ?? end, 'waited');
  add(end, 'ran');
  return bars;
}

const outcomeOf = (status: string): Bar['how'] => (status === 'completed' ? 'ran' : 'failed');
