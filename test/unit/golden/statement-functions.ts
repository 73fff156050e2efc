import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ourProgram } from '../../support/our-program.js';
import type { Dialect } from '../../../lib/sql/dialects.js';
import { ROOT } from '../../support/root.mjs';

const LIB = join(ROOT, 'lib');

/** A function of `lib` that answers statements, with the types of what it takes. */
export interface StatementFunction {
  /** Below `lib`. */
  file: string;
  name: string;
  parameters: { name: string; type: ts.Type }[];
  /** The families it is for: one alone where its file's name or the first word of its docblock says so. */
  families: readonly Dialect['family'][];
  /** Whether any other line of `lib` uses it. */
  used: boolean;
}

/** What is not a statement of ours but what statements are made of. */
const MADE_OF = new Set(['sql/statement.ts']);
/** Part of a dialect, and what only holds a statement. */
const NONE = new Set(['channelOf', 'createNotifier']);

/** Every exported function that returns a `Statement`, several of them, or steps of a schema; and whoever knows its types. */
export function statementFunctions(): { functions: StatementFunction[]; checker: ts.TypeChecker } {
  const all = readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('conformance/'),
  );
  const files = all
    .filter((file) => !MADE_OF.has(file))
    .filter((file) => /\bStatement\b|\bPublishedStep\b/.test(readFileSync(join(LIB, file), 'utf8')))
    .sort();
  const program = ourProgram(all.map((file) => join(LIB, file)));
  const checker = program.getTypeChecker();
  const found = files.flatMap((file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(LIB, file)) as ts.Node);
    return checker.getExportsOfModule(module as ts.Symbol).flatMap((symbol) => {
      if (NONE.has(symbol.name)) return [];
      const one = functionOf(checker, symbol, file);
      return one ? [{ symbol, one }] : [];
    });
  });
  const names = new Set(found.map(({ symbol }) => symbol.name));
  const used = new Set(all.flatMap((file) => usedIn(program.getSourceFile(join(LIB, file))!, names, checker)));
  return { functions: found.map(({ symbol, one }) => ({ ...one, used: used.has(symbol) })), checker };
}

/** What a file uses of these names: whatever mentions one and neither declares, imports nor exports it. */
function usedIn(file: ts.SourceFile, names: ReadonlySet<string>, checker: ts.TypeChecker): ts.Symbol[] {
  const used: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isIdentifier(node) && names.has(node.text)) {
      const { parent } = node;
      const declares = (ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent)) && parent.name === node;
      const symbol = ts.isShorthandPropertyAssignment(parent)
        ? checker.getShorthandAssignmentValueSymbol(parent)
        : checker.getSymbolAtLocation(node);
      if (symbol && !declares)
        used.push(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return used;
}

type Declared = Omit<StatementFunction, 'used'>;

function functionOf(checker: ts.TypeChecker, symbol: ts.Symbol, file: string): Declared | undefined {
  const declaration = symbol.valueDeclaration;
  if (!declaration || declaration.getSourceFile().fileName !== join(LIB, file)) return undefined;
  const [signature] = checker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures();
  if (!signature || !answersStatements(checker, signature.getReturnType())) return undefined;
  const parameters = signature.getParameters().map((parameter, at) => ({
    // One that is taken apart has no name.
    name: parameter.name.startsWith('__') ? `${at + 1}` : parameter.name,
    type: checker.getTypeOfSymbol(parameter),
  }));
  const said = `${file} ${symbol.name} ${ts.displayPartsToString(symbol.getDocumentationComment(checker))}`;
  return { file, name: symbol.name, parameters, families: familiesOf(said) };
}

function familiesOf(said: string): readonly Dialect['family'][] {
  if (/^\S*\bpostgres\b|^\S+ \w+Postgres\b|^\S+ \w+ PostgreSQL\b/.test(said)) return ['postgres'];
  if (/^\S*\bmysql\b|^\S+ \w+Mysql\b|^\S+ \w+ (The )?MySQL\b/.test(said)) return ['mysql'];
  return ['postgres', 'mysql'];
}

function answersStatements(checker: ts.TypeChecker, type: ts.Type): boolean {
  const kinds = type.isUnion() ? type.types : [type];
  return kinds.some((kind) => {
    const one = checker.isArrayType(kind) ? checker.getTypeArguments(kind as ts.TypeReference)[0] : kind;
    return one?.symbol?.name === 'Statement' || one?.getProperty('statement') !== undefined;
  });
}
