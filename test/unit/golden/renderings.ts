import type ts from 'typescript';
import { type Dialect } from '../../../lib/sql/dialects.js';
import { render, type RenderedStatement, Statement } from '../../../lib/sql/statement.js';
import { type Chosen, StandInValues } from './stand-in-values.js';
import type { StatementFunction } from './statement-functions.js';

export type Call = (...parameters: unknown[]) => unknown;

/** One call of a statement function: which of the choices it was made with, and what it answered. */
interface Rendering {
  title: string;
  rendered: readonly RenderedStatement[];
}

/**
 * What a statement function answers: with everything there is, with as little as there may be, and for each choice
 * between the two, where that makes another text.
 */
export function answersOf(
  call: Call,
  { file, name, parameters }: StatementFunction,
  dialect: Dialect,
  checker: ts.TypeChecker,
): Rendering[] {
  const answers = new Map<string, Rendering>();
  const take = (chosen: Chosen) => {
    const values = new StandInValues(checker, dialect, chosen);
    const given = parameters.map((parameter) => values.of(parameter.type, parameter.name));
    const rendered = statementsOf(call(...given)).map((statement) => render(statement, dialect));
    const text = textOf(rendered);
    if (text !== '' && !answers.has(text)) answers.set(text, { title: `${file} ${name}${titleOf(chosen)}`, rendered });
    return values.choices;
  };
  for (const by of ['first', 'last'] as const) {
    const choices = [...take({ by })].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [path, values] of choices) for (const value of values) take({ by, path, value });
  }
  return [...answers.values()];
}

/** The same as texts. Only the first says its parameters. */
export const renderings = (...of: Parameters<typeof answersOf>): string[] =>
  answersOf(...of).map(
    ({ title, rendered }, n) =>
      `-- ${title}\n${textOf(rendered)}${n === 0 ? shown(rendered.flatMap(({ params }) => params)) : ''}`,
  );

const textOf = (rendered: readonly RenderedStatement[]): string =>
  rendered.map(({ text }) => `${text.trim()};\n`).join('');

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
