import {
  childOf,
  isFunction,
  listOf,
  memberOf,
  nameOf,
  type Node,
  type SourceCode,
  typeNameOf,
  variableOf,
  withoutTypes,
} from './syntax.js';

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
export function isClientOfSteps(sourceCode: SourceCode, call: Node): boolean {
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
