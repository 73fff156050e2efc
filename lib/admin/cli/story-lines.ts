import type { StoryEntry } from '../../engine/insight/story-entry.js';

/** The time, the run, what happened, and all that is known of it. */
export function storyLine({ at, runId, kind, erased, ...told }: StoryEntry): string {
  const known = Object.entries(told).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  const facts = known.map(([name, value]) => `${name}=${factOf(name, value)}`);
  return [at.toISOString(), runId, kind, ...facts, ...(erased ? ['erased'] : [])].join('  ');
}

function factOf(name: string, value: unknown): string {
  if (name === 'error' && typeof value === 'object') return JSON.stringify((value as { message: string }).message);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
