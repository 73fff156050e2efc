import { UnknownOptionError } from '../../errors/argument-errors.js';
import { ContextMisuseError, NonDeterminismError } from '../../errors/code-errors.js';
import { ConfigurationError } from '../../errors/setup-errors.js';
import { readWireError, type WireError } from '../../protocol/wire-error.js';

/** Errors of wrong code rather than of failed business operations, and the error for missing configuration. */
const PROGRAMMING_ERRORS = [
  ...[TypeError, ReferenceError, SyntaxError, RangeError],
  ...[ConfigurationError, ContextMisuseError, UnknownOptionError],
];

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

/** Why a run is blocked. */
export interface Detail {
  /** For people. */
  detail: string | null;
  mismatch: RunMismatch | null;
  blockedBy: WireError | null;
}

/** As stored in the row of a run: a text for people, and JSON for programs, on lines of their own. */
export function writeDetail(detail?: string, mismatch?: RunMismatch, blockedBy?: WireError): string | null {
  const lines = [...(mismatch ? [mismatch] : []), ...(blockedBy ? [{ blockedBy }] : [])];
  return lines.length === 0
    ? (detail ?? null)
    : [detail ?? '', ...lines.map((line) => JSON.stringify(line))].join('\n');
}

export function readDetail(text: string | null): Detail {
  const error = lastLine(text, '\n{"blockedBy":');
  const why = lastLine(error.before, '\n{"seq":');
  const { blockedBy } = (error.value ?? {}) as { blockedBy?: Record<string, unknown> };
  return {
    detail: why.before,
    mismatch: (why.value as RunMismatch | undefined) ?? null,
    blockedBy: blockedBy ? readWireError(blockedBy) : null,
  };
}

/** The JSON after the last `start`, and the text before it. */
function lastLine(text: string | null, start: string): { before: string | null; value?: unknown } {
  const at = text?.lastIndexOf(start) ?? -1;
  if (text === null || at === -1) return { before: text };
  try {
    return { before: text.slice(0, at), value: JSON.parse(text.slice(at)) as unknown };
  } catch {
    return { before: text };
  }
}
