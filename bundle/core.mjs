// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** What depends on NestJS, lists of names, commands, and the suites and rules, which few apps load. All other code is the core. */
const BESIDE_THE_CORE =
  /^(index|durable\.module|sql\/index|(cli|conformance|dashboard|eslint|nest|otel|terminus|testing)\/.+)$/;

/** @type {(root: string, file: string) => boolean} */
export const isCore = (root, file) => !BESIDE_THE_CORE.test(relative(root, file).replace(/(\.d\.ts|\.js)$/, ''));

/** The file that a relative import of `from` means, of the kind that `from` is. @type {(from: string, to: string) => string} */
export function fileOf(from, to) {
  const file = join(dirname(from), to);
  return from.endsWith('.d.ts') ? file.replace(/\.js$/, '.d.ts') : file;
}

/**
 * What the files beside the core import of it: the source of a module that exports exactly that.
 *
 * @param {string} root the compiled files
 * @param {string[]} entries
 */
export function coreSource(root, entries) {
  /** @type {Map<string, string>} each name, and the file it comes from */
  const wanted = new Map();
  const files = new Set(entries);
  for (const file of files) {
    for (const { source, names } of importsOf(root, file)) {
      if (!isCore(root, source)) files.add(source);
      else for (const name of names) claim(wanted, name, source);
    }
  }
  const lines = [...wanted].map(([name, file]) => `export { ${name} } from ${JSON.stringify(file)};`);
  return lines.sort().join('\n');
}

/** @type {(wanted: Map<string, string>, name: string, source: string) => void} */
function claim(wanted, name, source) {
  const other = wanted.get(name) ?? source;
  if (other !== source) throw new Error(`${name} is exported by ${other} and ${source}: rename one of them`);
  wanted.set(name, source);
}

/** @type {(root: string, file: string) => { source: string, names: string[] }[]} */
function importsOf(root, file) {
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const to = statement.moduleSpecifier;
    if (!to || !ts.isStringLiteral(to) || !to.text.startsWith('.')) return [];
    const source = fileOf(file, to.text);
    if (isOfList(root, source, statement)) return [{ source, names: [] }];
    const named = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    if (!named || !('elements' in named)) throw new Error(`${file} imports all of ${to.text}: name what it needs`);
    const names = named.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
    return [{ source, names }];
  });
}

/** `export * from` a file beside the core: a list, which names what it exports. @type {(root: string, source: string, statement: ts.Statement) => boolean} */
const isOfList = (root, source, statement) =>
  !isCore(root, source) && ts.isExportDeclaration(statement) && !statement.exportClause;
