import { jsonCodec } from '../protocol/codec.js';

/** A value of a payload on its way to a browser. */
export interface PayloadOrigin {
  kind: 'input' | 'output' | 'error' | 'logs' | 'attributes' | 'status';
  /** Undefined for what belongs to no run. */
  workflow?: string;
  runId?: string;
  /** The name of the step that it belongs to. */
  step?: string;
  /** The keys that lead to it; empty for the payload itself. */
  path: readonly string[];
  value: unknown;
}

/** Returns the value, or what is shown instead of it. Called for every value of a payload, the outer ones first. */
export type Redact = (origin: PayloadOrigin) => unknown;

/** A payload as a user may see it. */
export type Show = (payload: unknown, origin: Omit<PayloadOrigin, 'path' | 'value'>) => unknown;

/** What is shown instead of a value that is not to be seen. */
export const REDACTED = '[redacted]';

const SECRET =
  /(^|_)(pass(word|wd|phrase|code)|pwd|tokens?|jwt|secrets?|auth(orization)?|cookies?|credentials?|iban|cvc|cvv|pan|cards?|api_?key|private_?key|access_?key)(_|$)/;

/** `accessToken`, `access-token` and `APIToken` in words. */
const wordsOf = (key: string): string =>
  key
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4')
    .replaceAll(/\W/g, '_')
    .toLowerCase();

/** The default: hides values under keys with a word such as `password`, `token`, `secret`, `iban` or `card`. */
export const hideSecrets: Redact = ({ path, value }) => (SECRET.test(wordsOf(path.at(-1) ?? '')) ? REDACTED : value);

/**
 * A payload as plain JSON for the page: values that JSON does not have stay tagged (`{"$durable":"BigInt",…}`), and each
 * has passed `redact`.
 */
export function shown(payload: unknown, origin: Omit<PayloadOrigin, 'path' | 'value'>, redact: Redact): unknown {
  const walk = (value: unknown, path: readonly string[]): unknown => {
    const seen = redact({ ...origin, path, value });
    if (typeof seen !== 'object' || seen === null) return seen;
    if (Array.isArray(seen)) return seen.map((one, n) => walk(one, [...path, String(n)]));
    if (isMap(seen)) {
      // The entries of a map have its keys, as those of an object.
      const entries = seen.value.map(([key, one]) => [walk(key, path), walk(one, [...path, textOf(key)])]);
      return { ...seen, value: entries };
    }
    return Object.fromEntries(Object.entries(seen).map(([key, one]) => [key, walk(one, [...path, key])]));
  };
  return walk(JSON.parse(jsonCodec.encode(payload)), []);
}

const isMap = (value: object): value is { $durable: 'Map'; value: [unknown, unknown][] } =>
  '$durable' in value && value.$durable === 'Map' && 'value' in value && Array.isArray(value.value);

const textOf = (key: unknown): string => (typeof key === 'string' ? key : JSON.stringify(key));
