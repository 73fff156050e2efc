import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ourProgram } from '../../support/our-program.js';
import { ROOT } from '../../support/root.mjs';

const LIB = join(ROOT, 'lib');
const DIALECT = join(LIB, 'sql/dialects.ts');

/** Who could have to say something. */
const KNOWS_DIALECTS = /\bbyFamily\b|\bFamily\b|\bHashFamily\b|\bDialect\['name'\]|\.family\b/;

/** The dialects as they would be with one family more. */
const withAnotherFamily = (text: string): string =>
  text
    .replace(`Family = 'postgres' | 'mysql'`, `Family = 'postgres' | 'mysql' | 'another'`)
    .replace(`name: 'postgres' | 'mysql' | 'mariadb'`, `name: 'postgres' | 'mysql' | 'mariadb' | 'another'`);

/** What is declared around a place, at the top of its file or in a class. */
function placeOf(file: ts.SourceFile, position: number): string {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(file) || position >= node.end) return;
    const named = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isClassDeclaration(node);
    const declares = named || (ts.isVariableDeclaration(node) && node.parent.parent.parent === file);
    if (declares && node.name && ts.isIdentifier(node.name)) names.push(node.name.text);
    if (ts.isConstructorDeclaration(node)) names.push('constructor');
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names.join('.');
}

/** By folder, and in it by file, what does not compile before it is said of the new family. */
function placesToSay(): Map<string, string[]> {
  const files = readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && KNOWS_DIALECTS.test(readFileSync(join(LIB, file), 'utf8')),
  );
  const program = ourProgram(
    files.map((file) => join(LIB, file)),
    (path) => (path === DIALECT ? withAnotherFamily(readFileSync(path, 'utf8')) : undefined),
  );
  const folders = new Map<string, string[]>();
  for (const file of files.sort()) {
    const source = program.getSourceFile(join(LIB, file)) as ts.SourceFile;
    const places = program
      .getSemanticDiagnostics(source)
      .filter(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').includes('another'))
      .map(({ start = 0 }) => placeOf(source, start));
    if (places.length === 0) continue;
    const folder = `lib/${dirname(file)}`;
    folders.set(folder, [...(folders.get(folder) ?? []), ...[...new Set(places)].sort()]);
  }
  return folders;
}

/** The table in CONTRIBUTING, between its marks. */
const LISTED = /(?<=<!-- another-family -->\n\n).*?(?=\n<!-- \/another-family -->)/s;

describe('Another family of databases', () => {
  const places = placesToSay();

  it('compiles nowhere before it is said what it does', () => {
    // One of each kind: a statement, an adapter, a table of the schema, a driver, a limit of versions.
    expect(places.get('lib/engine')).toContain('selectPeopled');
    expect(places.get('lib/worker')).toContain('SqlAnswerWriter.write');
    expect(places.get('lib/sql/migrations')).toContain('createIndex');
    expect(places.get('lib/sql')).toEqual(expect.arrayContaining(['PooledConnection.readLatest', 'OLDEST', 'SIGNS']));
    expect([...places.values()].flat().length).toBeGreaterThan(80);
  });

  it('finds in CONTRIBUTING where it has to say something', () => {
    const path = join(ROOT, 'CONTRIBUTING.md');
    const text = readFileSync(path, 'utf8');
    const rows = [...places].map(
      ([folder, names]) => `- \`${folder}\`: ${names.map((name) => `\`${name}\``).join(', ')}\n`,
    );
    if (process.env.DURABLE_TEST_GOLDEN === 'write') writeFileSync(path, text.replace(LISTED, rows.join('')));
    expect(LISTED.exec(readFileSync(path, 'utf8'))?.[0]).toBe(rows.join(''));
  });
});
