import { childOf, listOf, memberOf, nameOf, type Node, type SourceCode, variableOf, withoutTypes } from './syntax.js';

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
