import type { Kind, Story } from '../kinds/kind.js';
import type { Evidence } from './evidence.js';
import type { Violation } from './violation.js';

const FINAL = new Set(['completed', 'failed', 'cancelled', 'terminated', 'compensation_failed']);

/** Nothing that was confirmed is lost, everything ends, and each run as its kind says. */
export function checkRuns({ stories, asked }: Evidence): Violation[] {
  const refused = asked.flatMap(({ id, refused: text }) =>
    text === undefined ? [] : [{ run: id, text: `run ${id} was refused: ${text}` }],
  );
  const judged = [...stories].flatMap(([kind, all]) => [
    ...all.flatMap((story) => judgeOne(kind, story)),
    ...(kind.judgeAll?.(all) ?? []).map((text) => ({ text: `${kind.name}: ${text}` })),
  ]);
  return [...refused, ...judged];
}

function judgeOne(kind: Kind, story: Story): Violation[] {
  const { id, run, answer, steps } = story;
  // It was never confirmed, and it may be there or not.
  if (answer === undefined) return [];
  const places = steps.flatMap(({ settled }) => settled ?? []);
  const texts = [
    ...(run && !FINAL.has(run.status) ? [`has not ended: it is ${run.status} ${run.reason ?? ''}`] : kind.judge(story)),
    ...(new Set(places).size === places.length ? [] : ['has two outcomes in one place of the order']),
  ];
  return texts.map((text) => ({ run: id, text: `run ${id} ${text}` }));
}
