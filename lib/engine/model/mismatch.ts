import { ConfigurationError, NonDeterminismError } from '../../errors.js';

/** What V8 throws when code is wrong, rather than when business fails; and what this process is not set up for. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, SyntaxError, RangeError, ConfigurationError];

/** Such an error blocks a run until code comes that fits: nothing is undone for it. */
export const isProgrammingError = (error: unknown): boolean => PROGRAMMING_ERRORS.some((type) => error instanceof type);

/** Where a run's code and its history part. */
export interface RunMismatch {
  /** The position. */
  seq: number;
  /** Kind and name of what is recorded there, such as `step "charge"`. */
  recorded: string;
  /** Kind and name of what the code asks for there, or `nothing`. */
  asked: string;
}

export const mismatchOf = (error: unknown): { mismatch?: RunMismatch } =>
  error instanceof NonDeterminismError
    ? { mismatch: { seq: error.seq, recorded: error.recorded, asked: error.asked } }
    : {};

/** Why a run stands still, as its row holds it: a text, and in a line of its own what programs want to know. */
export const writeDetail = (detail: string | undefined, mismatch: RunMismatch | undefined): string | null =>
  mismatch ? `${detail ?? ''}\n${JSON.stringify(mismatch)}` : (detail ?? null);

export function readDetail(text: string | null): { detail: string | null; mismatch: RunMismatch | null } {
  const at = text?.lastIndexOf('\n{"seq":') ?? -1;
  if (text === null || at === -1) return { detail: text, mismatch: null };
  try {
    const mismatch = JSON.parse(text.slice(at)) as RunMismatch;
    return { detail: text.slice(0, at), mismatch };
  } catch {
    return { detail: text, mismatch: null };
  }
}
