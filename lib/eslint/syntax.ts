/** A node of the syntax tree, as ESTree and typescript-eslint describe it; only what the rules look at. */
export interface Node {
  readonly type: string;
  readonly parent?: Node | null;
  readonly [field: string]: unknown;
}

export interface Variable {
  readonly defs: readonly {
    readonly type: string;
    readonly node: Node;
    readonly name: Node;
    readonly parent?: Node | null;
  }[];
  readonly references: readonly { readonly identifier: Node; isRead(): boolean }[];
}

interface Scope {
  readonly set: ReadonlyMap<string, Variable>;
  readonly upper: Scope | null;
}

export interface SourceCode {
  readonly ast: Node;
  getText(node: Node): string;
  getScope(node: Node): Scope;
  getDeclaredVariables(node: Node): readonly Variable[];
}

export interface RuleContext {
  readonly filename: string;
  readonly sourceCode: SourceCode;
  report(found: { node: Node; messageId: string; data?: Record<string, string> }): void;
}

/** A rule, as ESLint takes it. */
export interface Rule {
  readonly meta: {
    readonly type: 'problem';
    readonly docs: { readonly description: string };
    readonly messages: Record<string, string>;
    readonly schema: [];
  };
  // Called by ESLint alone; its own types of contexts and nodes are wider and differ between its versions.
  create(context: never): Record<string, (node: Node) => void>;
}

export const childOf = (node: Node, field: string): Node | undefined => (node[field] as Node | null) ?? undefined;
export const listOf = (node: Node, field: string): readonly Node[] =>
  (node[field] as readonly Node[] | undefined) ?? [];

export function* ancestorsOf(node: Node): Generator<Node, undefined> {
  for (let at = node.parent; at; at = at.parent) yield at;
  return undefined;
}

export const isFunction = ({ type }: Node): boolean =>
  type === 'FunctionExpression' || type === 'ArrowFunctionExpression' || type === 'FunctionDeclaration';

/** The name of an identifier, of a key, or of what a string says. */
export function nameOf(node: Node | undefined): string | undefined {
  if (!node) return undefined;
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node['name'] as string;
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;
}

/** The object and the name of a member such as `ctx.step`, in whatever way it is written. */
export function memberOf(node: Node | undefined): { object: Node; name: string } | undefined {
  const member = node && withoutTypes(node);
  if (member?.type !== 'MemberExpression') return undefined;
  const name = nameOf(childOf(member, 'property'));
  const isNamed = member['computed'] !== true || childOf(member, 'property')?.type === 'Literal';
  return name !== undefined && isNamed ? { object: withoutTypes(childOf(member, 'object')!), name } : undefined;
}

const WRAPPERS = [
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'ChainExpression',
];

/** What stands inside of `as`, `!` and `?.`. */
export function withoutTypes(node: Node): Node {
  let at = node;
  while (WRAPPERS.includes(at.type)) at = childOf(at, 'expression')!;
  return at;
}

export const isWrapper = ({ type }: Node): boolean => WRAPPERS.includes(type);

/** The variable that an identifier means; undefined for globals. */
export function variableOf(sourceCode: SourceCode, identifier: Node): Variable | undefined {
  const name = nameOf(identifier);
  if (identifier.type !== 'Identifier' || name === undefined) return undefined;
  for (let scope: Scope | null = sourceCode.getScope(identifier); scope; scope = scope.upper) {
    const found = scope.set.get(name);
    if (found) return found.defs.length > 0 ? found : undefined;
  }
  return undefined;
}

/** The name of the type that a parameter, a variable or a property declares. */
export function typeNameOf(declared: Node | undefined): string | undefined {
  const annotation = declared && childOf(declared, 'typeAnnotation');
  const reference = annotation && childOf(annotation, 'typeAnnotation');
  const name = reference?.type === 'TSTypeReference' ? childOf(reference, 'typeName') : undefined;
  return nameOf(name?.type === 'TSQualifiedName' ? childOf(name, 'right') : name);
}
