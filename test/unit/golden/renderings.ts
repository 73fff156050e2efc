import type ts from 'typescript';
import { type Dialect, render } from '../../../lib/sql/dialects.js';
import { Statement } from '../../../lib/sql/statement.js';
import { type Chosen, StandInValues } from './stand-in-values.js';
import type { StatementFunction } from './statement-functions.js';

export type Call = (...parameters: unknown[]) => unknown;

/**
 * What a statement function renders: with everything there is, with as little as there may be, and for each choice between
 * the two, where that makes another text. Only the first says its parameters.
 */
export function renderings(
  call: Call,
  { file, name, parameters }: StatementFunction,
  dialect: Dialect,
  checker: ts.TypeChecker,
): string[] {
  const texts = new Map<string, string>();
  const take = (chosen: Chosen) => {
    const values = new StandInValues(checker, dialect, chosen);
    const given = parameters.map((parameter) => values.of(parameter.type, parameter.name));
    const rendered = statementsOf(call(...given)).map((statement) => render(statement, dialect));
    const text = rendered.map((one) => `${one.text.trim()};\n`).join('');
    const params = texts.size === 0 ? shown(rendered.flatMap((one) => one.params)) : '';
    if (text !== '' && !texts.has(text)) texts.set(text, `-- ${file} ${name}${titleOf(chosen)}\n${text}${params}`);
    return values.choices;
  };
  for (const by of ['first', 'last'] as const) {
    const choices = [...take({ by })].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [path, values] of choices) for (const value of values) take({ by, path, value });
  }
  return [...texts.values()];
}

const titleOf = ({ by, path, value }: Chosen): string => {
  const least = by === 'first' ? '' : ', the least';
  return path === undefined ? least : `${least}, ${path} = ${value}`;
};

function statementsOf(answer: unknown): Statement[] {
  if (answer instanceof Statement) return [answer];
  if (Array.isArray(answer)) return answer.flatMap(statementsOf);
  return typeof answer === 'object' && answer !== null ? Object.values(answer).flatMap(statementsOf) : [];
}

const shown = (params: readonly unknown[]): string => params.map((param) => `-- ${shownValue(param)}\n`).join('');

/** Marks of rows that are kept are drawn at random. */
const LEAST_MARK = 2 ** 50;

const shownValue = (value: unknown): string => {
  if (typeof value === 'bigint' || (typeof value === 'number' && value > LEAST_MARK)) return 'a large number';
  return JSON.stringify(value).replaceAll('\\"', '"');
};
