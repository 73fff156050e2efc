import { ConfigurationError, NonDeterminismError } from '../../errors.js';

/** Errors of wrong code rather than of failed business operations, and the error for missing configuration. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, SyntaxError, RangeError, ConfigurationError];

/** Such an error blocks a run until fixed code is deployed; it does not cause compensation. */
export const isProgrammingError = (error: unknown): boolean => PROGRAMMING_ERRORS.some((type) => error instanceof type);

/** The position at which a run's code and its history differ. */
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

/** Why a run is blocked, as stored in its row: a text for people, and JSON for programs on a line of its own. */
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
