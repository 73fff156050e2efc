// @ts-check
import { minify } from '@swc/core';
import { parseAst } from 'rollup/parseAst';

const NAMED = { keep_classnames: true, keep_fnames: true };

/**
 * Shorter spellings only: nothing is moved into another function, joined with its neighbour or left out.
 *
 * @type {import('@swc/core').TerserCompressOptions}
 */
const AS_WRITTEN = {
  ...NAMED,
  collapse_vars: false,
  inline: 0,
  passes: 1,
  reduce_funcs: false,
  reduce_vars: false,
  sequences: false,
  toplevel: false,
  unused: false,
};

/**
 * Makes the code of a bundle short: no comments, no blanks, short names of variables inside functions. Classes,
 * properties and the functions of a module keep their names, and each statement of the module and each member of its
 * classes has a line of its own, so that stacks and logs tell where they come from.
 *
 * @param {string} source
 * @param {boolean} module an ES module
 */
export async function inLines(source, module) {
  const { code } = await minify(source, {
    module,
    compress: AS_WRITTEN,
    mangle: { ...NAMED, toplevel: false },
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
