import type { Evidence } from './evidence.js';
import type { Violation } from './violation.js';

const firstLine = (text: string): string => text.split('\n', 1)[0]!;

/** No process complained of itself, nor ended unless it was told to. */
export const checkProcesses = ({ told }: Evidence, deaths: readonly string[]): Violation[] => [
  ...deaths.map((text) => ({ text })),
  ...told.map(({ what, text, by, at }) => ({ at, text: `${by} had an unhandled ${what}: ${firstLine(text)}` })),
];
