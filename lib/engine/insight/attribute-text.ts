import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { AttributeValue } from '../model/run.js';
import type { RunsFilter } from './list-options.js';

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * An attribute in the words of the command line and of addresses, `name=value`: a number, true, false, or else a text. A
 * text in quotes is a text whatever is in it: `name="4711"`, escaped as in JSON.
 *
 * @throws InvalidArgumentError
 */
export function attributeOf(text: string): [string, AttributeValue] {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('attribute', text, 'name=value');
  if (/^".*"$/s.test(value)) return [name, quoted(text, value)];
  if (value === 'true' || value === 'false') return [name, value === 'true'];
  return [name, NUMBER.test(value) ? Number(value) : value];
}

const RANGES = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const;

/**
 * Filters of attributes: `name=value`, or with `<`, `<=`, `>` or `>=` a bound, which is a number or a time such as
 * `2026-01-02T03:04:05Z`. Two bounds of an attribute are a range.
 *
 * @throws InvalidArgumentError
 */
export function attributesOf(texts: readonly string[]): NonNullable<RunsFilter['attributes']> {
  const filters: Record<string, AttributeValue | Record<string, number | Date>> = {};
  for (const text of texts) {
    const [, name = '', how = '', value = ''] = /^([^=<>]+)(>=|<=|=|<|>)(.*)$/s.exec(text) ?? [];
    if (name === '') throw new InvalidArgumentError('attribute', text, 'name=value, or <, <=, > or >= for =');
    if (how === '=') filters[name] = attributeOf(text)[1];
    else filters[name] = { ...rangeIn(filters[name]), [RANGES[how as keyof typeof RANGES]]: boundOf(text, value) };
  }
  return filters as NonNullable<RunsFilter['attributes']>;
}

const rangeIn = (given: unknown): object => (typeof given === 'object' && given !== null ? given : {});

function boundOf(text: string, value: string): number | Date {
  if (NUMBER.test(value)) return Number(value);
  const time = new Date(value);
  if (/^\d{4}-/.test(value) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('attribute', text, 'a number or a time behind <, <=, > or >=');
}

function quoted(attribute: string, value: string): string {
  try {
    const text: unknown = JSON.parse(value);
    if (typeof text === 'string') return text;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('attribute', attribute, 'name="value", escaped as in JSON');
}

/** Several in one text, with commas between them. A comma in quotes belongs to its value. */
export const attributeTextsIn = (text: string): string[] =>
  text.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/gs)?.map((one) => one.trim()) ?? [];
