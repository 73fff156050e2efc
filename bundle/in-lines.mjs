// @ts-check
import { minify } from '@swc/core';
import { parseAst } from 'rollup/parseAst';

/**
 * Removes comments, indentation and blanks from the code of a bundle, and gives each statement of the module and each
 * member of its classes a line of its own, so that stacks tell where they come from. Names stay as they are.
 *
 * @param {string} source
 * @param {boolean} module an ES module
 */
export async function inLines(source, module) {
  const { code } = await minify(source, {
    module,
    compress: false,
    mangle: false,
    format: { comments: false, ecma: 2020 },
  });
  /** @type {any[]} */
  const statements = parseAst(code).body;
  const ends = statements.flatMap((statement) => [statement.end, ...membersOf(statement)]);
  ends.sort((a, b) => a - b);
  return ends.map((end, i) => code.slice(ends[i - 1] ?? 0, end)).join('\n') + '\n';
}

/** Where the members of the classes end that a statement declares. @type {(node: any) => number[]} */
function membersOf({ type, body, declarations = [] }) {
  if (type === 'ClassDeclaration') return body.body.map((/** @type {{ end: number }} */ { end }) => end);
  return declarations.flatMap((/** @type {any} */ { init }) =>
    init?.type === 'ClassExpression' ? membersOf({ ...init, type: 'ClassDeclaration' }) : [],
  );
}
