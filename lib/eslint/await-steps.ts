import {
  ancestorsOf,
  childOf,
  isFunction,
  isWrapper,
  memberOf,
  type Node,
  type Rule,
  type RuleContext,
  type SourceCode,
} from './syntax.js';
import { contextCallOf, isReplayed } from './workflow-code.js';

/** The functions of the context that return promises. `startChild` and `publish` are complete once they are called. */
const AWAITED = [
  'step',
  'transaction',
  'remote',
  'sleep',
  'sleepUntil',
  'waitForSignal',
  'waitForAny',
  'executeChild',
  'all',
  'effects',
  'continueAsNew',
];

/** Steps whose promise nobody looks at. */
export const awaitSteps: Rule = {
  meta: {
    type: 'problem',
    docs: { description: 'Steps of a workflow that nobody awaits' },
    messages: {
      lost: 'Nobody awaits ctx.{{ name }}: the run may end before it, and its failure is not seen. Write await, return it, or collect it in Promise.all',
      callback:
        'Nobody awaits the function that awaits ctx.{{ name }}: the run may end before it, and its failure is not seen. Write a for…of loop, or await Promise.all(….map(…))',
    },
    schema: [],
  },
  create(context: RuleContext) {
    const { sourceCode } = context;
    return {
      CallExpression(node: Node) {
        const name = contextCallOf(sourceCode, node);
        if (name === undefined || !AWAITED.includes(name)) return;
        const messageId = isLost(sourceCode, node)
          ? 'lost'
          : isInLostCallback(sourceCode, node)
            ? 'callback'
            : undefined;
        if (messageId) context.report({ node, messageId, data: { name } });
      },
    };
  },
};

const PASSED_ON = ['LogicalExpression', 'ConditionalExpression', 'SequenceExpression'];
const OF_PROMISES = ['then', 'catch', 'finally'];

/** Whether the value of an expression is dropped: by a statement, `void`, `forEach`, or in a variable that nobody reads. */
function isLost(sourceCode: SourceCode, value: Node): boolean {
  const user = value.parent;
  if (!user) return false;
  if (user.type === 'ExpressionStatement') return true;
  if (user.type === 'UnaryExpression') return user['operator'] === 'void';
  if (user.type === 'VariableDeclarator') return isNeverRead(sourceCode, user);
  if (isWrapper(user)) return isLost(sourceCode, user);
  if (PASSED_ON.includes(user.type)) return childOf(user, 'test') !== value && isLost(sourceCode, user);
  if (user.type === 'MemberExpression') return isChained(user) && isLost(sourceCode, user.parent!);
  return isFunction(user) && childOf(user, 'body') === value && isLostByCaller(sourceCode, user);
}

function isNeverRead(sourceCode: SourceCode, declarator: Node): boolean {
  const variables = sourceCode.getDeclaredVariables(declarator);
  return variables.length > 0 && variables.every(({ references }) => !references.some((used) => used.isRead()));
}

/** `.then(…)` and the like give another promise, which somebody has to await. */
function isChained(member: Node): boolean {
  const isCalled = member.parent?.type === 'CallExpression' && childOf(member.parent, 'callee') === member;
  return isCalled && OF_PROMISES.includes(memberOf(member)?.name ?? '');
}

/** `items.forEach(async (item) => { await ctx.step(…) })`, and an async function that is called where it stands. */
function isInLostCallback(sourceCode: SourceCode, step: Node): boolean {
  for (const ancestor of ancestorsOf(step)) {
    if (isReplayed(ancestor)) return false;
    if (isFunction(ancestor) && isLostByCaller(sourceCode, ancestor)) return true;
  }
  return false;
}

/** What becomes of the promises that a callback returns. */
function isLostByCaller(sourceCode: SourceCode, callback: Node): boolean {
  const call = callback.parent;
  if (call?.type !== 'CallExpression') return false;
  if (childOf(call, 'callee') === callback) return isLost(sourceCode, call);
  const method = memberOf(childOf(call, 'callee'))?.name;
  if (method === 'forEach') return true;
  return (method === 'map' || method === 'flatMap') && isLost(sourceCode, call);
}
