import { Injectable } from '@nestjs/common';
import {
  type CommitWork,
  DurableModule,
  type InputOf,
  type JoinedTransaction,
  type LeftOpen,
  type NotStored,
  type OutputOf,
  type RemoteOutput,
  RemoteStep,
  type SqlExecutor,
  type SqlTransaction,
  type StepContext,
  type Stored,
  type Transaction,
  Worker,
  Workflow,
  type WorkflowChildStatus,
  type WorkflowClient,
  type WorkflowContext,
  type WorkflowHandle,
  type WorkflowRunner,
  type WorkflowRunStatus,
} from '../../../lib/index.js';

/*
 * What must compile and what must not. The compiler is the test: `npm run typecheck` fails when a line marked with
 * @ts-expect-error compiles, or another does not. Nothing of it runs.
 */

interface Order {
  id: string;
}
interface Receipt {
  total: number;
}

class Money {
  constructor(readonly cents: number) {}
  readonly paidAt = new Date(0);
  format(): string {
    return `${this.cents}`;
  }
}
class Secret {
  private readonly text = 'x';
  toJSON(): { length: number } {
    return { length: this.text.length };
  }
}

/** Types that contain themselves, as trees and entities with relations do. */
interface Category {
  name: string;
  children: Category[];
}
interface Parent {
  id: string;
  children: { parent: Parent; at: Date }[];
}
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What comes out of storage. */
const stored = () => {
  same<Order, Stored<Order>>(true);
  same<Stored<Money>, { readonly cents: number; readonly paidAt: Date }>(true);
  same<Stored<Secret>, { length: number }>(true);
  same<Stored<Money[]>[number], Stored<Money>>(true);
  same<Stored<Map<string, Money>>, Map<string, Stored<Money>>>(true);
  same<Map<string, bigint>, Stored<Map<string, bigint>>>(true);
  same<Set<Date> | null, Stored<Set<Date> | null>>(true);
  same<Error, Stored<RangeError>>(true);
  same<Stored<RegExp>, NotStored<'RegExp'>>(true);
  same<Stored<Uint8Array>, NotStored<'bytes'>>(true);
  same<Stored<Buffer>, NotStored<'bytes'>>(true);
  same<Stored<() => void>, NotStored<'function'>>(true);
  same<unknown, Stored<unknown>>(true);
  same<void, Stored<void>>(true);
  same<Category, Stored<Category>>(true);
  same<Parent, Stored<Parent>>(true);
  same<Json, Stored<Json>>(true);
  same<string | null, RemoteOutput<string | undefined>>(true);
};

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Equal<A, B>): void => undefined;

@Worker({ concurrency: 2, partition: 'eu', leaseDuration: '5s', retry: false })
class Steps {
  constructor(readonly dependency: Date) {}
  readonly field = 1;
  /** No remote step: nobody would pass its second argument. */
  twoOf(first: string, second: string): string {
    return first + second;
  }

  @RemoteStep('steps.charge', { retry: { attempts: 5, backoff: { delay: '1s', jitter: 'full' } }, timeout: '30s' })
  async charge(order: Order, step: StepContext): Promise<number> {
    return order.id.length + step.attempt;
  }

  @RemoteStep('steps.now')
  now(): Date {
    return new Date(0);
  }

  @RemoteStep('steps.greet')
  greet(name?: string): string {
    return `hello ${name}`;
  }

  @RemoteStep('steps.base')
  generic<T>(input: T): T {
    return input;
  }
}

const plain = () => {
  @Injectable()
  class Plain {
    @RemoteStep('plain.step')
    step(input: string, step: StepContext): string {
      return input + step.name;
    }

    // @ts-expect-error the second parameter is the context, nothing else
    @RemoteStep('plain.second')
    second(input: string, other: number): string {
      return input + other;
    }

    // @ts-expect-error nobody would pass a third
    @RemoteStep('plain.third')
    third(input: string, _step: StepContext, third: number): string {
      return input + third;
    }

    // @ts-expect-error a field is no method
    @RemoteStep('plain.field')
    field = 1;
  }
  return Plain;
};

@Workflow('checkout', { version: 1, retry: 5 })
class Checkout implements WorkflowRunner<Order, Receipt> {
  async run(ctx: WorkflowContext, order: Order): Promise<Receipt> {
    const steps = ctx.remote(Steps, { partition: 'us', timeout: '1m', retry: 3 });
    same<Promise<number>, ReturnType<typeof steps.charge>>(true);
    same<Promise<Date>, ReturnType<typeof steps.now>>(true);
    const total = await steps.charge(order);
    await steps.now();
    await steps.greet();
    await steps.greet('you');
    // @ts-expect-error the input is an order
    await steps.charge('order');
    // @ts-expect-error the input is missing
    await steps.charge();
    // @ts-expect-error the context is not the caller's to pass
    await steps.charge(order, {} as StepContext);
    // @ts-expect-error fields are no steps
    void steps.field;
    // @ts-expect-error no such step
    void steps.refund;
    // @ts-expect-error its arguments are not those of a step
    void steps.twoOf;
    await steps.charge(order, { compensate: (charged) => same<number, typeof charged>(true) });
    const typed = ctx.remote(Steps, { compensate: (output) => same<unknown, typeof output>(true) });
    await typed.now(undefined, { retry: false });

    const page = await ctx.remote<{ text: string }>('extract', { url: order.id });
    same<{ text: string }, typeof page>(true);
    const unknownPage = await ctx.remote('extract');
    same<unknown, typeof unknownPage>(true);
    // @ts-expect-error durations have units
    await ctx.sleep('long', '5 minutes');
    const text = await ctx.step('text', () => 'text', { retry: false, timeout: 500 });
    same<string, typeof text>(true);
    const paid = await ctx.transaction('paid', async (tx: { query(text: string): Promise<void> }) => {
      await tx.query('SELECT 1');
      return 1;
    });
    same<number, typeof paid>(true);
    return { total };
  }
}

// @ts-expect-error a workflow has a method run
@Workflow('no run')
class NoRun {
  readonly nothing = 0;
}

// @ts-expect-error versions are numbers
const wrongVersion = () => Workflow('x', { version: '1' });

async function client(workflows: WorkflowClient): Promise<void> {
  same<Order, InputOf<Checkout>>(true);
  same<Receipt, OutputOf<Checkout>>(true);
  const handle = await workflows.start(Checkout, { id: '1' }, { id: 'x', delay: '5s', priority: 1, transaction: {} });
  same<WorkflowHandle<Receipt>, typeof handle>(true);
  same<boolean, typeof handle.created>(true);
  const receipt = await workflows.startAndWait(Checkout, { id: '1' }, { timeout: '1m' });
  same<Receipt, typeof receipt>(true);
  const named = await workflows.start<number>('by name', 5);
  same<Promise<number>, ReturnType<typeof named.result>>(true);
  // @ts-expect-error the input is an order
  await workflows.start(Checkout, 'order');
  // @ts-expect-error the input is missing
  await workflows.start(Checkout);
  // @ts-expect-error no such option
  await workflows.start(Checkout, { id: '1' }, { idd: 'x' });
  // @ts-expect-error no workflow
  await workflows.start(Steps, { id: '1' });
  await insight(workflows);
}

async function insight(workflows: WorkflowClient): Promise<void> {
  const { runs } = await workflows.list({
    status: ['failed', 'running'],
    reason: 'rate_limit',
    attributes: { customer: 'acme', amount: { gte: 5, lt: 9 }, due: { gt: new Date(0) }, paid: false },
    createdAfter: new Date(0),
    order: 'oldest',
  });
  same<WorkflowRunStatus[], typeof runs>(true);
  // @ts-expect-error no such status
  await workflows.list({ status: 'done' });
  // @ts-expect-error texts have no ranges
  await workflows.list({ attributes: { customer: { gte: 'a' } } });
  // @ts-expect-error numbers or times, not both
  await workflows.list({ attributes: { amount: { gte: 5, lt: new Date(0) } } });
  const { history, children } = await workflows.getStatus('x', { history: true, children: { limit: 5 } });
  same<Date | null | undefined, NonNullable<typeof history>[number]['attempts'][number]['startedAt'] | undefined>(true);
  same<WorkflowChildStatus[] | undefined, typeof children>(true);
  const { text, waitingFor } = await workflows.explain('x');
  same<string, typeof text>(true);
  for (const wait of waitingFor) if (wait.kind === 'task') same<string | null, typeof wait.claimedBy>(true);
}

const notes = (ctx: WorkflowContext) => {
  ctx.setAttributes({ a: 'text', b: 5, c: true, d: new Date(0), e: null });
  // @ts-expect-error attributes are plain values
  ctx.setAttributes({ a: [] });
  // @ts-expect-error a status is a text
  ctx.setStatus(5);
};

const modules = () => [
  DurableModule.forRoot(),
  DurableModule.forRoot({
    orm: 'typeorm',
    engine: { residency: '1m' },
    worker: false,
    workers: { Steps: { concurrency: 1 } },
  }),
  DurableModule.forRootAsync({ inject: [Date], useFactory: (date: Date) => ({ prefix: date.toISOString() }) }),
  DurableModule.forRootAsync({ useFactory: async () => ({ engine: false }) }),
  // @ts-expect-error no such ORM
  DurableModule.forRoot({ orm: 'prisma' }),
  // @ts-expect-error an engine is false or its options
  DurableModule.forRoot({ engine: 'off' }),
];

/** Whoever writes an executor can name what its methods take. */
const executors = (executor: SqlExecutor, joined: JoinedTransaction, tx: SqlTransaction) => {
  const inside: Transaction[] = [tx, joined];
  const before: CommitWork = async (connection) => void (await connection.run<{ n: number }>(tx.dialect.now));
  executor.onLeftOpen?.(({ statement }: LeftOpen) => same<string | undefined, typeof statement>(true));
  return executor.transaction(async (own: SqlTransaction) => [own, inside, joined.beforeCommit?.(before)]);
};

describe('the public types', () => {
  it('are checked by the compiler', () => {
    expect([Checkout, NoRun, plain, wrongVersion, client, notes, modules, executors, stored]).not.toContain(undefined);
  });
});
