/** A node of the syntax tree, as ESTree and typescript-eslint describe it; only what the rules look at. */
export interface Node {
  readonly type: string;
  readonly parent?: Node | null;
  readonly [field: string]: unknown;
}

interface Variable {
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
  readonly options: readonly unknown[];
  report(found: { node: Node; messageId: string; data?: Record<string, string> }): void;
}

/** A rule, as ESLint takes it. */
export interface Rule {
  readonly meta: {
    readonly type: 'problem';
    readonly docs: { readonly description: string };
    readonly messages: Record<string, string>;
    readonly schema: readonly object[];
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
function variableOf(sourceCode: SourceCode, identifier: Node): Variable | undefined {
  const name = nameOf(identifier);
  if (identifier.type !== 'Identifier' || name === undefined) return undefined;
  for (let scope: Scope | null = sourceCode.getScope(identifier); scope; scope = scope.upper) {
    const found = scope.set.get(name);
    if (found) return found.defs.length > 0 ? found : undefined;
  }
  return undefined;
}

/** The name of the type that a parameter, a variable or a property declares. */
function typeNameOf(declared: Node | undefined): string | undefined {
  const annotation = declared && childOf(declared, 'typeAnnotation');
  const reference = annotation && childOf(annotation, 'typeAnnotation');
  const name = reference?.type === 'TSTypeReference' ? childOf(reference, 'typeName') : undefined;
  return nameOf(name?.type === 'TSQualifiedName' ? childOf(name, 'right') : name);
}

/** More than any code has: a variable whose value is taken from itself has no origin. */
const HOPS = 20;

/**
 * What an expression means, by its path from a global or from a module: `crypto.randomUUID` for all of
 * `crypto.randomUUID`, `import { randomUUID as uuid } from 'node:crypto'` and `const { randomUUID } = crypto`.
 */
export function originOf(sourceCode: SourceCode, node: Node, hops = HOPS): string | undefined {
  const plain = withoutTypes(node);
  if (hops === 0) return undefined;
  if (plain.type === 'Identifier') return originOfVariable(sourceCode, plain, hops - 1);
  if (plain.type === 'CallExpression') return required(sourceCode, plain);
  const member = memberOf(plain);
  return member && within(originOf(sourceCode, member.object, hops - 1), member.name);
}

function originOfVariable(sourceCode: SourceCode, identifier: Node, hops: number): string | undefined {
  const name = nameOf(identifier)!;
  const [definition] = variableOf(sourceCode, identifier)?.defs ?? [];
  if (!definition) return name;
  if (definition.type === 'ImportBinding') return imported(definition.node);
  const value = definition.type === 'Variable' ? childOf(definition.node, 'init') : undefined;
  const pattern = childOf(definition.node, 'id');
  if (!value || !pattern) return undefined;
  if (pattern.type === 'Identifier') return originOf(sourceCode, value, hops);
  const key = keyOf(pattern, name);
  return key === undefined ? undefined : within(originOf(sourceCode, value, hops), key);
}

function imported(specifier: Node): string | undefined {
  if (specifier.type === 'TSImportEqualsDeclaration') {
    const reference = childOf(specifier, 'moduleReference');
    return reference && moduleOf(childOf(reference, 'expression'));
  }
  const module = specifier.parent ? moduleOf(childOf(specifier.parent, 'source')) : undefined;
  const name = specifier.type === 'ImportSpecifier' ? nameOf(childOf(specifier, 'imported')) : undefined;
  return name === undefined ? module : within(module, name);
}

function required(sourceCode: SourceCode, call: Node): string | undefined {
  const callee = childOf(call, 'callee')!;
  const isRequire = nameOf(callee) === 'require' && !variableOf(sourceCode, callee);
  return isRequire ? moduleOf(listOf(call, 'arguments')[0]) : undefined;
}

const moduleOf = (source: Node | undefined): string | undefined => nameOf(source)?.replace(/^node:/, '');

/** What is also global has one path: `performance` of `node:perf_hooks`, and everything of `globalThis`. */
function within(owner: string | undefined, name: string): string | undefined {
  if (owner === undefined || name === 'default') return owner;
  return owner === 'globalThis' || owner === 'perf_hooks' ? name : `${owner}.${name}`;
}

/** Under which name a pattern such as `{ now: at }` takes a variable. */
function keyOf(pattern: Node, variable: string): string | undefined {
  const [found] = listOf(pattern, 'properties').filter(({ value }) => {
    const taken = value as Node | undefined;
    return nameOf(taken?.type === 'AssignmentPattern' ? childOf(taken, 'left') : taken) === variable;
  });
  return found && nameOf(childOf(found, 'key'));
}

/** The class that an expression was declared with: a variable, a parameter, a property of `this`, or `app.get(Class)`. */
export function typeOf(sourceCode: SourceCode, node: Node): string | undefined {
  if (node.type === 'CallExpression') return typeOfLookup(node);
  if (node.type === 'Identifier') {
    const [definition] = variableOf(sourceCode, node)?.defs ?? [];
    const initial = definition?.type === 'Variable' ? childOf(definition.node, 'init') : undefined;
    return typeNameOf(definition?.name) ?? (initial && typeOfLookup(withoutTypes(initial)));
  }
  const declared = declarationOf(node);
  const initial = declared && childOf(declared, 'value');
  return typeNameOf(declared) ?? (initial && typeOfLookup(withoutTypes(initial)));
}

const LOOKUPS = ['get', 'resolve', 'inject'];

function typeOfLookup(node: Node): string | undefined {
  const call = node.type === 'AwaitExpression' ? childOf(node, 'argument') : node;
  if (call?.type !== 'CallExpression') return undefined;
  const callee = childOf(call, 'callee');
  const name = memberOf(callee)?.name ?? nameOf(callee);
  return LOOKUPS.includes(name ?? '') ? nameOf(listOf(call, 'arguments')[0]) : undefined;
}

/** Where the class around declares a property of `this`, also as a parameter of its constructor. */
function declarationOf(node: Node): Node | undefined {
  const property = memberOf(node);
  if (property?.object.type !== 'ThisExpression') return undefined;
  const [body] = [...ancestorsOf(node)].filter(({ type }) => type === 'ClassBody');
  return (body ? listOf(body, 'body') : [])
    .flatMap(propertiesOf)
    .find((declared) => nameIn(declared) === property.name);
}

function propertiesOf(member: Node): readonly Node[] {
  if (member.type === 'PropertyDefinition') return [member];
  if (nameOf(childOf(member, 'key')) !== 'constructor') return [];
  return listOf(childOf(member, 'value')!, 'params').flatMap((param) =>
    param.type === 'TSParameterProperty' ? [childOf(param, 'parameter')!] : [],
  );
}

const nameIn = (declared: Node): string | undefined =>
  nameOf(declared.type === 'PropertyDefinition' ? childOf(declared, 'key') : declared);

const CONTEXT_TYPE = 'WorkflowContext';

/** Whether a function is `run` of a class with `@Workflow`. */
function isRun(work: Node): boolean {
  const method = work.parent;
  if (method?.type !== 'MethodDefinition' || method['static'] === true) return false;
  if (nameOf(childOf(method, 'key')) !== 'run') return false;
  const declared = method.parent?.parent;
  return declared !== undefined && declared !== null && listOf(declared, 'decorators').some(isWorkflowDecorator);
}

function isWorkflowDecorator(decorator: Node): boolean {
  const call = childOf(decorator, 'expression');
  return call?.type === 'CallExpression' && nameOf(childOf(call, 'callee')) === 'Workflow';
}

/** Code that is replayed: `run` of a workflow, and functions that it passes its context to. */
export const isReplayed = (work: Node): boolean =>
  isFunction(work) && (isRun(work) || listOf(work, 'params').some((param) => typeNameOf(param) === CONTEXT_TYPE));

function isContext(sourceCode: SourceCode, node: Node): boolean {
  const [definition] = variableOf(sourceCode, node)?.defs ?? [];
  if (definition?.type !== 'Parameter') return false;
  return typeNameOf(definition.name) === CONTEXT_TYPE || (isRun(definition.node) && isFirst(definition));
}

const isFirst = ({ node, name }: { node: Node; name: Node }): boolean => listOf(node, 'params')[0] === name;

/** The function of the context that a call calls: `step` for `ctx.step(…)`, `remote` for `ctx.remote(Steps).charge(…)`. */
export function contextCallOf(sourceCode: SourceCode, call: Node): string | undefined {
  const callee = calleeOf(call);
  if (!callee || isClientOfSteps(sourceCode, call)) return undefined;
  if (isContext(sourceCode, callee.object)) return callee.name;
  return isClientOfSteps(sourceCode, valueOf(sourceCode, callee.object)) ? 'remote' : undefined;
}

const calleeOf = (call: Node) => (call.type === 'CallExpression' ? memberOf(childOf(call, 'callee')) : undefined);

/** `ctx.remote(Steps)`, also with options, is no step yet; `ctx.remote('name')` is one. */
function isClientOfSteps(sourceCode: SourceCode, call: Node): boolean {
  const callee = calleeOf(call);
  if (callee?.name !== 'remote' || !isContext(sourceCode, callee.object)) return false;
  const [target] = listOf(call, 'arguments').map(withoutTypes);
  return target?.type === 'Identifier' && /^[A-Z]/.test(nameOf(target) ?? '');
}

/** What a constant stands for: `ctx.remote(Steps)` for `steps`. */
function valueOf(sourceCode: SourceCode, node: Node): Node {
  const [definition] = variableOf(sourceCode, node)?.defs ?? [];
  const value = definition?.type === 'Variable' ? childOf(definition.node, 'init') : undefined;
  return value ? withoutTypes(value) : node;
}

/** The functions whose callbacks run once and are recorded, with all callbacks of their options. */
const RECORDED = ['step', 'transaction', 'remote'];

const isRecorder = (sourceCode: SourceCode, call: Node): boolean =>
  RECORDED.includes(contextCallOf(sourceCode, call) ?? '') || isClientOfSteps(sourceCode, call);

/** Whether a node is replayed with its run, and not in a callback of a step. */
export function isBetweenSteps(sourceCode: SourceCode, node: Node, visited: readonly Node[] = []): boolean {
  let inside: Node | undefined;
  for (const ancestor of ancestorsOf(node)) {
    if (inside && isRecorder(sourceCode, ancestor)) return false;
    if (isReplayed(ancestor)) return true;
    if (!isFunction(ancestor)) continue;
    if (visited.includes(ancestor) || isOnlyGivenToSteps(sourceCode, ancestor, visited)) return false;
    inside = ancestor;
  }
  return false;
}

/** `const work = () => …; await ctx.step('a', work)`: a function that nothing else of the run calls. */
function isOnlyGivenToSteps(sourceCode: SourceCode, work: Node, visited: readonly Node[]): boolean {
  const uses = holderOf(sourceCode, work)?.references.filter((used) => used.isRead()) ?? [];
  return (
    uses.length > 0 &&
    uses.every(
      ({ identifier }) =>
        isGivenToStep(sourceCode, identifier) || !isBetweenSteps(sourceCode, identifier, [...visited, work]),
    )
  );
}

/** What a value goes through without being called. */
const CARRIERS = ['Property', 'ObjectExpression', 'ConditionalExpression', 'LogicalExpression'];
const isCarrier = (node: Node): boolean => isWrapper(node) || CARRIERS.includes(node.type);

/** The variable by which a function is known, also as a property of the object in it. */
function holderOf(sourceCode: SourceCode, work: Node): Variable | undefined {
  if (work.type === 'FunctionDeclaration')
    return sourceCode
      .getDeclaredVariables(work)
      .find(({ defs }) => defs[0]?.node === work && defs[0].type !== 'Parameter');
  const declarator = carriedTo(work);
  return declarator?.type === 'VariableDeclarator' ? sourceCode.getDeclaredVariables(declarator)[0] : undefined;
}

/** The callee of a recorded call is a member, so what is carried to the call is one of its arguments. */
function isGivenToStep(sourceCode: SourceCode, identifier: Node): boolean {
  const call = carriedTo(identifier);
  return call !== undefined && isRecorder(sourceCode, call);
}

function carriedTo(value: Node): Node | undefined {
  for (const ancestor of ancestorsOf(value)) if (!isCarrier(ancestor)) return ancestor;
  return undefined;
}

/** Classes of TypeORM and MikroORM, and repositories of the app. */
const TYPES = /(Repository|EntityManager|DataSource|QueryRunner|QueryBuilder|MikroORM)$/;
/** Properties that no class declares here, for example those of a base class. */
const NAMES = /^(em|db|entityManager|dataSource|queryRunner|repo|repository|\w+(Repo|Repository))$/;

/** What reads or writes. `create`, `merge`, `persist`, `createQueryBuilder` and the like only prepare it. */
const METHODS = new RegExp(
  '^(find|count|exist|save|insert|update|upsert|delete|remove|soft|restore|recover|increment|decrement|sum|average|' +
    'minimum|maximum|query|execute|transaction|flush|persistAndFlush|native|populate|refresh|lock|preload|load|stream|' +
    'startTransaction|begin|commit|rollback|get(One|Many|Raw|Count|Exists|Entities|Result|SingleResult))',
);

/** A call that sends something to the database of the app, as far as the text shows it: `this.orders.find()`. */
export function databaseCallOf(sourceCode: SourceCode, call: Node): string | undefined {
  const callee = memberOf(childOf(call, 'callee'));
  if (!callee || !METHODS.test(callee.name)) return undefined;
  const root = databaseOf(sourceCode, callee.object);
  if (!root) return undefined;
  const isDirect = root === callee.object;
  return `${sourceCode.getText(root)}${isDirect ? '.' : '…'}${callee.name}()`;
}

/** With what a chain such as `this.db.getRepository(Order)` begins, if that is a part of an ORM. */
function databaseOf(sourceCode: SourceCode, node: Node, hops = 20): Node | undefined {
  const at = withoutTypes(node);
  if (hops === 0) return undefined;
  if (isDatabase(sourceCode, at)) return at;
  const inner =
    at.type === 'CallExpression' ? childOf(at, 'callee')! : (memberOf(at)?.object ?? initialValueOf(sourceCode, at));
  return inner && databaseOf(sourceCode, inner, hops - 1);
}

function isDatabase(sourceCode: SourceCode, node: Node): boolean {
  const type = typeOf(sourceCode, node);
  if (type !== undefined) return TYPES.test(type);
  const property = memberOf(node);
  return property?.object.type === 'ThisExpression' && !declarationOf(node) && NAMES.test(property.name);
}

/** What a variable was made of: `const orders = this.db.getRepository(Order)`. An awaited value is data. */
function initialValueOf(sourceCode: SourceCode, identifier: Node): Node | undefined {
  const [definition] = variableOf(sourceCode, identifier)?.defs ?? [];
  const isPlain = definition?.type === 'Variable' && nameOf(childOf(definition.node, 'id')) !== undefined;
  return isPlain ? childOf(definition.node, 'init') : undefined;
}
