import { databaseCallOf } from './database-calls.js';
import { typeOf } from './declared-types.js';
import { originOf } from './origins.js';
import { isBetweenSteps } from './recorded-code.js';
import { childOf, listOf, memberOf, type Node, type Rule, type RuleContext, type SourceCode } from './syntax.js';

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
