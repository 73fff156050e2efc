import { join } from 'node:path';
import ts from 'typescript';
import { ourProgram } from '../../support/our-program.js';
import { ROOT } from '../../support/root.mjs';

const PROGRAM = join(ROOT, 'test/unit/types/mistakes.ts');

const DECLARED = `
import { RemoteStep, Workflow } from '../../../lib/nest/decorators.js';
import type { WorkflowClient } from '../../../lib/engine/client/client.js';
import type { WorkflowContext, WorkflowRunner } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import type { StandardSchema } from '../../../lib/core/options.js';

declare const client: WorkflowClient;
declare const ctx: WorkflowContext;
interface Order { id: string }
declare const ordered: StandardSchema<{ id?: string }, Order>;
declare const parsed: StandardSchema<string, number>;
declare class Shop implements WorkflowRunner<Order, number> {
  run(ctx: WorkflowContext, order: Order): Promise<number>;
}
declare class Money {
  constructor(cents: number);
  readonly cents: number;
  format(): string;
}
declare class Steps {
  charge(order: Order): Promise<{ charge: string }>;
  total(order: Order): Promise<Money>;
}
`;

const SCHEMA = "'The schema must return what is declared'";
const CALLERS = "'The schema must accept what it returns, because callers are typed by that'";

/** A mistake, and the first line that the compiler says of it. */
const MISTAKES: Record<string, string> = {
  'client.start(Shop);':
    "Expected 2-3 arguments, but got 1. Arguments for the rest parameter 'inputAndOptions' were not provided.",
  'client.startAndWait(Shop);':
    "Expected 2-3 arguments, but got 1. Arguments for the rest parameter 'inputAndOptions' were not provided.",
  'ctx.startChild(Shop);':
    "Expected 2-3 arguments, but got 1. Arguments for the rest parameter 'inputAndOptions' were not provided.",
  'ctx.executeChild(Shop);':
    "Expected 2-3 arguments, but got 1. Arguments for the rest parameter 'inputAndOptions' were not provided.",
  "client.start(Shop, 'order');": "Argument of type 'string' is not assignable to parameter of type 'Order'.",
  "client.start(Shop, { id: '1' }, { idd: 'x' });":
    "Object literal may only specify known properties, and 'idd' does not exist in type 'StartOptions'.",
  "ctx.remote(Steps).charge({ id: '1' }, { compensate: ({ total }) => total });":
    "Property 'total' does not exist on type '{ charge: string; }'.",
  "ctx.remote(Steps).total({ id: '1' }).then((money) => money.format());":
    "Property 'format' does not exist on type 'StoredFields<Money, [0, 0, 0, 0]>'.",
  "ctx.step('total', () => new Date()).then((date) => date.length);":
    "Property 'length' does not exist on type 'Date'.",
  "ctx.step('pattern', () => /x/).then((pattern) => pattern.test('x'));":
    "Property 'test' does not exist on type 'NotStored<\"RegExp\">'.",
  "ctx.transaction('paid', (tx) => tx.query('SELECT 1'));": "Property 'query' does not exist on type 'OrmTransaction'.",
  "ctx.continueAsNew({ id: '2' });":
    "The 'this' context of type 'UntypedContext' is not assignable to method's 'this' of type '\"declared as run(ctx: WorkflowContext<Input>, input: Input)\"'.",
  'declare const page: WorkflowContext<Order>; page.continueAsNew(5);':
    "Argument of type 'number' is not assignable to parameter of type 'Order'.",
  "@Workflow('pay') class Pay { async run(_: WorkflowContext, money: Money): Promise<void> { money.format(); } }":
    "Property ''Declare the input as plain data: it is stored, so these members do not arrive'' is missing in type 'typeof Pay' but required in type '{ readonly 'Declare the input as plain data: it is stored, so these members do not arrive': \"format\"; }'.",
  "@Workflow('sum', { input: parsed }) class Sum { async run(_: WorkflowContext, n: string) { return n; } }": `Property '${SCHEMA}' is missing in type 'typeof Sum' but required in type '{ readonly ${SCHEMA}: string; }'.`,
  "@Workflow('num', { input: parsed }) class Num { async run(_: WorkflowContext, n: number) { return n; } }": `Property '${CALLERS}' is missing in type 'typeof Num' but required in type '{ readonly ${CALLERS}: number; }'.`,
  "class Reads { @RemoteStep('read', { output: ordered }) read(): string { return ''; } }": `Property '${SCHEMA}' is missing in type 'TypedPropertyDescriptor<() => string>' but required in type '{ readonly ${SCHEMA}: string; }'.`,
  "client.signal(new WorkflowSignal('sent', { payload: parsed }), 5, { key: 'x' });":
    "Argument of type 'number' is not assignable to parameter of type 'string'.",
  "class Pays { @RemoteStep('pay') pay(money: Money): void { money.format(); } }":
    "Property ''Declare the input as plain data: it is stored, so these members do not arrive'' is missing in type 'TypedPropertyDescriptor<(money: Money) => void>' but required in type '{ readonly 'Declare the input as plain data: it is stored, so these members do not arrive': \"format\"; }'.",
};

/** What compiles: a schema with a default, the input of a transformation where it is sent, its output where it arrives. */
const RIGHT = [
  "@Workflow('order', { input: ordered }) class Orders { async run(_: WorkflowContext, order: Order) { return order; } }",
  "class Prints { @RemoteStep('print', { input: ordered }) print(order: Order): string { return order.id; } }",
  "const sent = new WorkflowSignal('sent', { payload: parsed }); client.signal(sent, '5', { key: 'x' });",
  "ctx.waitForSignal('got', new WorkflowSignal('sent', { payload: parsed })).then((n) => n.toFixed());",
];

/** The innermost reason that the compiler gives, and what it adds; above it stands what is not assignable to what. */
function reasonOf({ messageText, code, relatedInformation = [] }: ts.Diagnostic): string {
  if (typeof messageText === 'string') {
    const missing = code === ARGUMENTS ? relatedInformation : [];
    return [messageText, ...missing.map((more) => ts.flattenDiagnosticMessageText(more.messageText, ' '))].join(' ');
  }
  let reason = messageText;
  while (reason.next?.[0]) [reason] = reason.next;
  return reason.messageText;
}

/** The code of "Expected … arguments, but got …". */
const ARGUMENTS = 2554;

/** What the compiler says of each line of the program. */
function complaints(lines: readonly string[]): string[][] {
  const program = ourProgram([PROGRAM], (path) => (path === PROGRAM ? DECLARED + lines.join('\n') : undefined));
  const source = program.getSourceFile(PROGRAM) as ts.SourceFile;
  const first = DECLARED.split('\n').length - 1;
  const found = lines.map((): string[] => []);
  for (const diagnostic of program.getSemanticDiagnostics(source)) {
    const at = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line - first;
    (found[at] ??= []).push(reasonOf(diagnostic));
  }
  return found;
}

describe('The compiler', () => {
  it('says what is wrong in a line that is read once', () => {
    const lines = Object.keys(MISTAKES);
    const said = complaints([...lines, ...RIGHT]);
    expect(said.slice(lines.length)).toEqual(RIGHT.map(() => []));
    expect(Object.fromEntries(lines.map((line, at) => [line, said[at]]))).toEqual(
      Object.fromEntries(Object.entries(MISTAKES).map(([line, message]) => [line, [message]])),
    );
  });
});
