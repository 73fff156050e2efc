import { jsonCodec } from '../protocol/codec.js';

/** A place in which two payloads differ. */
export interface Difference {
  /** The keys that lead to it; empty for the payload itself. */
  path: readonly string[];
  /** As plain JSON, in which values that JSON does not have are tagged; undefined: it is not there. */
  a: unknown;
  b: unknown;
}

/** The most differences of two payloads that are told. */
export const MOST_DIFFERENCES = 100;

/** The places in which two payloads differ, in the order of the first one; at most 100. */
export function differencesOf(a: unknown, b: unknown): Difference[] {
  const found: Difference[] = [];
  const walk = (one: unknown, other: unknown, path: readonly string[]): void => {
    if (found.length === MOST_DIFFERENCES || one === other) return;
    const [left, right] = [partsOf(one), partsOf(other)];
    if (!left || !right || left.isList !== right.isList) {
      found.push({ path, a: one, b: other });
      return;
    }
    for (const key of new Set([...left.parts.keys(), ...right.parts.keys()]))
      walk(left.parts.get(key), right.parts.get(key), [...path, key]);
  };
  walk(plain(a), plain(b), []);
  return found;
}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(jsonCodec.encode(value)) as unknown);

const partsOf = (value: unknown): { isList: boolean; parts: Map<string, unknown> } | undefined =>
  typeof value === 'object' && value !== null
    ? { isList: Array.isArray(value), parts: new Map(Object.entries(value)) }
    : undefined;
