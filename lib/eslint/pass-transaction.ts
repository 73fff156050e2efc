import { typeOf } from './declared-types.js';
import {
  ancestorsOf,
  childOf,
  isFunction,
  listOf,
  memberOf,
  nameOf,
  type Node,
  type Rule,
  type RuleContext,
  withoutTypes,
} from './syntax.js';
import { usesMikroOrm } from './used-orm.js';
import { contextCallOf } from './workflow-code.js';

/** Which argument has the options, by class and method. */
const WRITERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  WorkflowClient: {
    start: 2,
    signal: 2,
    completeStep: 2,
    failStep: 2,
    cancel: 1,
    terminate: 1,
    retry: 1,
    restart: 1,
    fork: 1,
    delete: 1,
  },
  WorkflowSchedules: { create: 2, update: 2, delete: 1, pause: 1, resume: 1, trigger: 1 },
  Outbox: { publish: 1 },
  Effects: { enqueue: 1 },
};

/** What takes effect even if the transaction around it rolls back. */
export const passTransaction: Rule = {
  meta: {
    type: 'problem',
    docs: { description: 'Starts, signals, events and effects inside of a transaction that are not part of it' },
    messages: {
      missing:
        '{{ name }} is not part of the transaction around it, so it happens even if that rolls back: pass { transaction }, the handle that the callback gets',
      waits:
        'startAndWait waits for a run inside of a transaction, which cannot commit before: start it with { transaction }, and wait for its result after the commit',
    },
    schema: [],
  },
  create(context: RuleContext) {
    const { sourceCode } = context;
    return {
      CallExpression(node: Node) {
        const callee = memberOf(childOf(node, 'callee'));
        const type = callee && typeOf(sourceCode, callee.object);
        const around = transactionAround(node);
        if (!callee || type === undefined || !around) return;
        if (type === 'WorkflowClient' && callee.name === 'startAndWait')
          return context.report({ node, messageId: 'waits' });
        const position = WRITERS[type]?.[callee.name];
        if (position === undefined || !lacksTransaction(node, position) || isJoined(context, around)) return;
        context.report({ node, messageId: 'missing', data: { name: callee.name } });
      },
    };
  },
};

function lacksTransaction(call: Node, position: number): boolean {
  const given = listOf(call, 'arguments');
  if (given.some(({ type }) => type === 'SpreadElement')) return false;
  const [options] = given.slice(position).map(withoutTypes);
  if (!options) return true;
  if (options.type !== 'ObjectExpression') return false;
  return !listOf(options, 'properties').some(
    (property) => property.type !== 'Property' || nameOf(childOf(property, 'key')) === 'transaction',
  );
}

const TRANSACTIONS = ['transaction', 'transactional'];
/** What calls its callback once the transaction has ended, such as `runOnTransactionCommit`. */
const AFTER = /(on|after)\w*(commit|rollback|complete)/i;

/** The call of `dataSource.transaction`, `em.transactional` or `ctx.transaction` in whose callback a node stands. */
function transactionAround(node: Node): Node | undefined {
  for (const ancestor of ancestorsOf(node)) {
    const call = ancestor.parent;
    if (!isFunction(ancestor) || call?.type !== 'CallExpression') continue;
    if (!listOf(call, 'arguments').includes(ancestor)) continue;
    const callee = childOf(call, 'callee');
    const name = memberOf(callee)?.name ?? nameOf(callee) ?? '';
    if (AFTER.test(name)) return undefined;
    if (TRANSACTIONS.includes(name) && memberOf(callee)) return call;
  }
  return undefined;
}

/** MikroORM knows the open transaction, and it is joined without the option. */
function isJoined(context: RuleContext, transaction: Node): boolean {
  if (memberOf(childOf(transaction, 'callee'))?.name === 'transactional') return true;
  return contextCallOf(context.sourceCode, transaction) === 'transaction' && usesMikroOrm(context);
}
