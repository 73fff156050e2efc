import {
  ancestorsOf,
  childOf,
  listOf,
  memberOf,
  nameOf,
  type Node,
  type SourceCode,
  typeNameOf,
  variableOf,
  withoutTypes,
} from './syntax.js';

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
export function declarationOf(node: Node): Node | undefined {
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
