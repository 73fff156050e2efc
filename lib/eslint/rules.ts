import {
  ancestorsOf,
  childOf,
  contextCallOf,
  databaseCallOf,
  isBetweenSteps,
  isFunction,
  isReplayed,
  isWrapper,
  listOf,
  memberOf,
  nameOf,
  type Node,
  originOf,
  type Rule,
  type RuleContext,
  type SourceCode,
  typeOf,
  withoutTypes,
} from './code.js';

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
  'dependencies',
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

/** What to write instead, by the message. */
const MESSAGES = {
  time: '{{ what }} is another time on every replay: use ctx.now(), or look at the clock in ctx.step',
  random: '{{ what }} is another value on every replay: use ctx.random() or ctx.uuid(), or call it in ctx.step',
  timer: '{{ what }} is forgotten when the process ends, and its order differs on every replay: use ctx.sleep',
  network: '{{ what }} is sent again on every replay: call it in ctx.step, or in a remote step',
  query:
    '{{ what }} goes to the database again on every replay, where the rows may be others: call it in ctx.step or ctx.transaction',
};

type MessageId = keyof typeof MESSAGES;

/** Paths of globals and of modules, see `originOf`. */
const FOUND: Readonly<Record<Exclude<MessageId, 'query'>, RegExp>> = {
  time: /^(Date|Date\.now|Temporal\.Now\.\w+|performance\.now|process\.(hrtime|hrtime\.bigint|uptime))$/,
  random:
    /^(Math\.random|crypto\.(webcrypto\.)?(random\w+|getRandomValues)|uuid\.v[1467]|nanoid(\.nanoid)?|ulid\.ulid)$/,
  timer: /^(set(Timeout|Interval|Immediate)|timers(\/promises)?\..+)$/,
  network: /^(fetch|(axios|got|ky|undici|node-fetch)(\..+)?|https?\.(get|request))$/,
};

/** Code between steps that would do something else when its run is replayed. */
export const deterministicRun: Rule = {
  meta: {
    type: 'problem',
    docs: { description: 'Calls in `run`, outside of steps, that give another result on every replay' },
    messages: MESSAGES,
    schema: [],
  },
  create(context: RuleContext) {
    const look = (node: Node) => {
      const found = foundIn(context.sourceCode, node);
      if (found && isBetweenSteps(context.sourceCode, node))
        context.report({ node, messageId: found.messageId, data: { what: found.what } });
    };
    return { CallExpression: look, NewExpression: look };
  },
};

function foundIn(sourceCode: SourceCode, node: Node): { messageId: MessageId; what: string } | undefined {
  const query = databaseCallOf(sourceCode, node);
  if (query !== undefined) return { messageId: 'query', what: query };
  const callee = childOf(node, 'callee')!;
  const what = `${node.type === 'NewExpression' ? 'new ' : ''}${sourceCode.getText(callee)}()`;
  if (isHttpService(sourceCode, callee)) return { messageId: 'network', what };
  const origin = originOf(sourceCode, callee);
  // A date of a given time is the same on every replay.
  if (origin === undefined || (origin === 'Date' && what.startsWith('new') && listOf(node, 'arguments').length > 0))
    return undefined;
  const [found] = Object.entries(FOUND).filter(([, paths]) => paths.test(origin));
  return found && { messageId: found[0] as MessageId, what };
}

/** That of `@nestjs/axios`. */
function isHttpService(sourceCode: SourceCode, callee: Node): boolean {
  const member = memberOf(callee);
  return member !== undefined && typeOf(sourceCode, member.object) === 'HttpService';
}

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
        '{{ name }} is not part of the transaction around it, so it happens even if that rolls back: pass { transaction }, the handle or manager of that transaction',
      waits:
        'startAndWait waits for a run inside of a transaction, which cannot commit before: start it with { transaction }, and wait for its result after the commit',
    },
    schema: [
      {
        type: 'object',
        properties: { joined: { type: 'array', items: { type: 'string' } } },
        additionalProperties: false,
      },
    ],
  },
  create(context: RuleContext) {
    const { sourceCode } = context;
    const begun = new BegunByHand();
    return {
      CallExpression(node: Node) {
        begun.look(node);
        const callee = memberOf(childOf(node, 'callee'));
        const type = callee && typeOf(sourceCode, callee.object);
        const around = type === undefined ? undefined : transactionAround(sourceCode, node, begun);
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

const TRANSACTIONS = ['transaction', 'transactional', 'withTransaction', 'runInTransaction', 'wrapInTransaction'];
/** Those that are functions of a package, and no methods. */
const FUNCTIONS = ['runInTransaction', 'wrapInTransaction'];
/** What calls its callback once the transaction has ended, such as `runOnTransactionCommit`. */
const AFTER = /(on|after)\w*(commit|rollback|complete)/i;
const BEGINS = 'startTransaction';
const ENDS = ['commitTransaction', 'rollbackTransaction'];

/** Transactions of a `QueryRunner`, from their begin to the next end in the text of a function. */
class BegunByHand {
  private readonly open = new Map<Node, Node>();

  /** To be called with each call, in the order of the text. */
  look(call: Node): void {
    const name = memberOf(childOf(call, 'callee'))?.name ?? '';
    if (name !== BEGINS && !ENDS.includes(name)) return;
    for (const ancestor of ancestorsOf(call)) {
      if (!isFunction(ancestor)) continue;
      if (name === BEGINS) this.open.set(ancestor, call);
      else this.open.delete(ancestor);
      return;
    }
  }

  in(work: Node): Node | undefined {
    return this.open.get(work);
  }
}

/**
 * What makes the transaction in which a node stands: the call of `dataSource.transaction`, `em.transactional` or
 * `ctx.transaction` in whose callback it is, that of `queryRunner.startTransaction` before it, or `@Transactional`.
 */
function transactionAround(sourceCode: SourceCode, node: Node, begun: BegunByHand): Node | undefined {
  for (const ancestor of ancestorsOf(node)) {
    if (!isFunction(ancestor)) continue;
    const around = begun.in(ancestor) ?? decoratorOf(sourceCode, ancestor);
    if (around) return around;
    const call = ancestor.parent;
    if (call?.type !== 'CallExpression' || !listOf(call, 'arguments').includes(ancestor)) continue;
    const callee = childOf(call, 'callee');
    const member = memberOf(callee)?.name;
    const name = member ?? nameOf(callee) ?? '';
    if (AFTER.test(name)) return undefined;
    if (TRANSACTIONS.includes(name) && (member !== undefined || FUNCTIONS.includes(name))) return call;
  }
  return undefined;
}

/** `@Transactional()` of a method, of whatever package. */
function decoratorOf(sourceCode: SourceCode, work: Node): Node | undefined {
  const method = work.parent;
  if (method?.type !== 'MethodDefinition') return undefined;
  return listOf(method, 'decorators')
    .map((decorator) => childOf(decorator, 'expression')!)
    .find((decorator) => isTransactional(originOf(sourceCode, decoratedBy(decorator))));
}

const isTransactional = (origin = ''): boolean => /(^|\.)Transactional$/.test(origin);

const decoratedBy = (decorator: Node): Node =>
  decorator.type === 'CallExpression' ? childOf(decorator, 'callee')! : decorator;

/** MikroORM knows the open transaction, and so do `ctx.transaction` and the libraries that the app has set up. */
function isJoined({ sourceCode, options }: RuleContext, transaction: Node): boolean {
  const { joined = [] } = (options[0] ?? {}) as { joined?: readonly string[] };
  if (memberOf(childOf(transaction, 'callee'))?.name === 'transactional') return true;
  const origin = originOf(sourceCode, decoratedBy(transaction));
  if (isTransactional(origin))
    return origin!.startsWith('@mikro-orm/') || joined.some((library) => origin!.startsWith(`${library}.`));
  return contextCallOf(sourceCode, transaction) === 'transaction';
}
