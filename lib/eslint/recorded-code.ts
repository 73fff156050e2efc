import { ancestorsOf, isFunction, isWrapper, type Node, type SourceCode, type Variable } from './syntax.js';
import { contextCallOf, isClientOfSteps, isReplayed } from './workflow-code.js';

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
