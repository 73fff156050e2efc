import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { AttributeValue } from './run.js';

/** The limit of attributes at the start of a run, and of further names that its code may set. */
export const MOST_ATTRIBUTES = 50;
const LONGEST_NAME = 64;
const LONGEST_TEXT = 191;

/** A value as stored in indexed columns: texts are sorted by code points, all other types as numbers. */
export interface HeldAttribute {
  type: 'text' | 'number' | 'boolean' | 'date';
  text: string | null;
  number: number | null;
}

export function holdAttribute(value: AttributeValue): HeldAttribute {
  if (typeof value === 'string') return { type: 'text', text: value, number: null };
  if (typeof value === 'boolean') return { type: 'boolean', text: null, number: value ? 1 : 0 };
  if (typeof value === 'number') return { type: 'number', text: null, number: value };
  return { type: 'date', text: null, number: value.getTime() };
}

export function attributeOf({ type, text, number }: HeldAttribute): AttributeValue {
  switch (type) {
    case 'text':
      return text ?? '';
    case 'number':
      return number ?? 0;
    case 'boolean':
      return number === 1;
    case 'date':
      return new Date(number ?? 0);
  }
}

/** @throws InvalidArgumentError unless it is a text of 1 to 64 characters without control characters. */
export function checkAttributeName(name: unknown): string {
  if (typeof name === 'string' && name !== '' && [...name].length <= LONGEST_NAME && !/[\p{Cc}\p{Cs}]/u.test(name))
    return name;
  throw new InvalidArgumentError(
    'The name of an attribute',
    name,
    `a string of 1 to ${LONGEST_NAME} characters, without control characters`,
  );
}

/** Returns the value if it can be stored and compared. @throws InvalidArgumentError */
export function checkAttributeValue(name: string, value: unknown): AttributeValue {
  if (typeof value === 'boolean') return value;
  // Minus zero becomes zero, as in JSON.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  if (typeof value === 'string' && [...value].length <= LONGEST_TEXT && !/[\0\p{Cs}]/u.test(value)) return value;
  throw new InvalidArgumentError(
    `Attribute "${name}"`,
    value,
    `a string of at most ${LONGEST_TEXT} characters, a finite number, a boolean or a valid Date`,
  );
}

/** Checks the attributes of a start: null is invalid, since there is nothing to remove. @throws InvalidArgumentError */
export function checkAttributes(attributes: unknown): Record<string, AttributeValue> {
  return Object.fromEntries(entriesOf(attributes).map(([name, value]) => [name, checkAttributeValue(name, value)]));
}

/** Checks attributes that code sets: null removes one. @throws InvalidArgumentError */
export function checkAttributeChanges(attributes: unknown): Record<string, AttributeValue | null> {
  const changed = entriesOf(attributes).map(
    ([name, value]) => [name, value === null ? null : checkAttributeValue(name, value)] as const,
  );
  return Object.fromEntries(changed);
}

function entriesOf(attributes: unknown): [string, unknown][] {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes))
    throw new InvalidArgumentError('attributes', attributes, 'an object of names and values');
  // Undefined means omitted.
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined);
  if (entries.length > MOST_ATTRIBUTES)
    throw new InvalidArgumentError('attributes', `${entries.length} of them`, `at most ${MOST_ATTRIBUTES}`);
  for (const [name] of entries) checkAttributeName(name);
  return entries;
}
