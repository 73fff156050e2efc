import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { TraceCarrier } from '../../telemetry/tracing.js';

/** What a run carries: a trace context, and what the app names. Plain JSON. */
export type RunContext = Readonly<Record<string, unknown>>;

/** The limit, in bytes of JSON: the context is read with every claim of its run. */
export const MOST_CONTEXT_BYTES = 4_096;

const NOTHING: RunContext = Object.freeze({});

/** The stored text of a context as an object that nobody can change; empty if there is none. */
export function contextIn(text: string | null | undefined): RunContext {
  return text ? (deepFrozen(JSON.parse(text)) as RunContext) : NOTHING;
}

/**
 * The text to store; undefined for an empty context.
 *
 * @throws InvalidArgumentError unless it is a plain object of at most 4 KiB that JSON keeps as it is.
 */
export function contextText(context: unknown): string | undefined {
  if (context === undefined || context === null) return undefined;
  if (!isStorable(context)) throw new InvalidArgumentError('contextFrom()', context, 'a plain object of JSON values');
  const text = JSON.stringify(context);
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_CONTEXT_BYTES)
    throw new InvalidArgumentError('contextFrom()', `${bytes} bytes of JSON`, `at most ${MOST_CONTEXT_BYTES}`);
  return text === '{}' ? undefined : text;
}

/**
 * The text of a context with as much of a trace as there is room for: first its `tracestate` is left out, then all of
 * it. A context that names a `traceparent` keeps its own. Errors are those of the context alone.
 *
 * @throws InvalidArgumentError as {@link contextText}
 */
export function contextTextWithTrace(context: unknown, trace: TraceCarrier): string | undefined {
  const alone = contextText(context);
  const own = (context ?? {}) as RunContext;
  const { traceparent } = trace;
  if (traceparent === undefined || own['traceparent'] !== undefined) return alone;
  const { tracestate: _, ...untraced } = own;
  const fitting = [
    { ...trace, ...own },
    { traceparent, ...untraced },
  ].find(fits);
  return fitting ? JSON.stringify(fitting) : alone;
}

const fits = (context: RunContext): boolean =>
  isStorable(context) && Buffer.byteLength(JSON.stringify(context)) <= MOST_CONTEXT_BYTES;

const isStorable = (context: unknown): boolean => isPlain(context) && survivesJson(context);

/** Not every database stores NUL and lone surrogates as text. */
const UNSTORABLE = /\0|\p{Cs}/u;

function survivesJson(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(survivesJson);
  // An omitted property is usual: `{ tenant: request?.tenant }`.
  return (
    isPlain(value) &&
    Object.entries(value).every(([key, one]) => !UNSTORABLE.test(key) && (one === undefined || survivesJson(one)))
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function deepFrozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) deepFrozen(one);
  return Object.freeze(value);
}
