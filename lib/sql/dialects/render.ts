import type { Dialect } from './dialect.js';
import { Identifier, Statement, type SqlPart, type SqlValue } from './statement.js';

export interface RenderedStatement {
  text: string;
  params: SqlValue[];
}

export function render(statement: Statement, dialect: Pick<Dialect, 'quote' | 'placeholder'>): RenderedStatement {
  const params: SqlValue[] = [];
  const write = (value: SqlPart): string => {
    if (value instanceof Statement) return flatten(value);
    if (value instanceof Identifier) return dialect.quote(value.name);
    params.push(value);
    return dialect.placeholder(params.length);
  };
  const flatten = ({ strings, values }: Statement): string =>
    strings.reduce((text, part, i) => text + write(values[i - 1] ?? null) + part);
  return { text: flatten(statement), params };
}
