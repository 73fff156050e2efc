import { ESLint, type Linter, RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { plugin, recommended, rules } from '../../../lib/eslint/index.js';

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

/** The body of `run` of a workflow. */
const run = (body: string, before = '') => `${before}
@Workflow('order')
export class OrderWorkflow {
  async run(ctx: WorkflowContext, order: Order) { ${body} }
}`;
/** The same, in a class with parts of an ORM. */
const withDatabase = (body: string) => `
@Workflow('order')
export class OrderWorkflow extends Audited {
  private readonly em: orm.EntityManager;
  private readonly sources = inject(DataSource);
  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    private readonly invoices: InvoiceRepository,
    private readonly repository: Archive,
    private readonly http: HttpService,
  ) {}
  async run(ctx: WorkflowContext, order: Order) { ${body} }
}`;
/** A method of a service with a client, an outbox and effects. */
const service = (body: string) => `
class Orders {
  private readonly outbox = inject(Outbox);
  private readonly effects: Effects;
  private readonly schedules: WorkflowSchedules;
  constructor(private readonly workflows: WorkflowClient, private readonly timer: Timer) {}
  async place(db: DataSource, em: EntityManager, order: Order) { ${body} }
}`;
const BY_HAND = 'const runner = db.createQueryRunner(); await runner.startTransaction();';
/** A method with this decorator, which an import brings. */
const decorated = (imported: string, body: string, decorator = '@Transactional()') => `
${imported}
class Orders {
  constructor(private readonly workflows: WorkflowClient, private readonly outbox: Outbox) {}
  ${decorator}
  async place(order: Order) { ${body} }
}`;
const TYPEORM = `import { Transactional } from 'typeorm-transactional';`;
const bad = (code: string, ...messageIds: string[]) => ({
  code,
  errors: messageIds.map((messageId) => ({ messageId })),
});

tester.run('deterministic-run', rules['deterministic-run'], {
  valid: [
    run('return ctx.now().getTime() + ctx.random();'),
    run(`await ctx.step('a', async () => { const at = Date.now(); await fetch('/'); return [at, Math.random()]; });`),
    run(`await ctx.transaction('a', (tx) => tx.insert(Order, { at: new Date() }));`),
    run(`await ctx.step('a', () => 1, { compensate: () => fetch('/undo') });`),
    run(`await ctx.remote('a', 1, { compensate: () => fetch('/undo') });`),
    run(`return new Date(order.at);`),
    run(`const fetch = (id: string) => id; return fetch(order.id);`),
    run('return randomUUID(order);', `import { randomUUID } from './ids.js';`),
    run('return random();', `import * as random from './random.js';`),
    // A function that only steps call.
    run(`const work = () => Date.now(); await ctx.step('a', work);`),
    run(`const undo = () => fetch('/undo'); await ctx.step('a', () => 1, { compensate: undo });`),
    run(`const options = { compensate: () => fetch('/undo') }; await ctx.step('a', () => 1, options);`),
    run(`function work() { return later(); } function later() { return Date.now(); } await ctx.step('a', work);`),
    run(`const again = () => { fetch('/'); again(); }; await ctx.step('a', again);`),
    // Options of a client of remote steps, and of a call of it.
    run(`const steps = ctx.remote(Steps, { compensate: () => fetch('/undo') }); await steps.charge(order);`),
    run(`const steps = ctx.remote(Steps); await steps.charge(order, { compensate: () => fetch('/undo') });`),
    run(`await ctx.remote(Steps).charge(order, { compensate: () => fetch('/undo') });`),
    // Queries in steps, and what only prepares them.
    withDatabase(
      `await ctx.step('a', () => this.orders.find()); await ctx.transaction('b', (tx: EntityManager) => tx.save(order));`,
    ),
    withDatabase(
      `const made = this.orders.create(order); const query = this.orders.createQueryBuilder('o'); return ctx.step('a', () => query.getMany());`,
    ),
    withDatabase('return [this.repository.find(order), order.items.find(Boolean), this.items.find(Boolean)];'),
    withDatabase(`const found = await ctx.step('a', () => this.orders.find()); return found.find(Boolean);`),
    `class Orders { async run() { return Date.now(); } }`,
    `@Workflow('a') class A { other() { return Date.now(); } async run(ctx: WorkflowContext) { return 1; } }`,
  ],
  invalid: [
    bad(run('return Date.now();'), 'time'),
    bad(run('return [new Date(), Date(), performance.now()];'), 'time', 'time', 'time'),
    bad(run('return Math.random() + ctx.random();'), 'random'),
    bad(run('return crypto.randomUUID();'), 'random'),
    bad(run('return globalThis.crypto.randomUUID();'), 'random'),
    bad(run('return randomUUID();', `import { randomUUID } from 'node:crypto';`), 'random'),
    bad(run('return nodeCrypto.randomBytes(4);', `import nodeCrypto from 'node:crypto';`), 'random'),
    bad(run(`await fetch('/');`), 'network'),
    bad(run(`await globalThis.fetch('/');`), 'network'),
    bad(run('setTimeout(() => 1, 2); setInterval(() => 1, 2);'), 'timer', 'timer'),
    bad(run('await sleep(2);', `import { setTimeout as sleep } from 'node:timers/promises';`), 'timer'),
    bad(run('const at = () => Date.now(); return at();'), 'time'),
    bad(run(`const at = () => Date.now(); await ctx.step('a', at); return at();`), 'time'),
    bad(run(`const at = () => Date.now(); await ctx.step('a', () => at()); await ctx.step(at(), () => 1);`), 'time'),
    bad(run(`const at = () => Date.now(); await ctx.remote('a', at());`), 'time'),
    bad(run('const at = () => Date.now(); order.items.map(at);'), 'time'),
    // However a function is imported or named.
    bad(run('return performance.now();', `import { performance } from 'node:perf_hooks';`), 'time'),
    bad(run('return hooks.performance.now();', `import * as hooks from 'perf_hooks';`), 'time'),
    bad(
      run('return [process.hrtime(), process.hrtime.bigint(), hrtime()];', `import { hrtime } from 'process';`),
      'time',
      'time',
      'time',
    ),
    bad(run('await timers.setTimeout(5);', `import timers from 'node:timers/promises';`), 'timer'),
    bad(run('await timers.scheduler.wait(5);', `import * as timers from 'node:timers/promises';`), 'timer'),
    bad(run('return uuid();', `import { randomUUID as uuid } from 'node:crypto';`), 'random'),
    bad(run('return uuid();', `import { v4 as uuid } from 'uuid';`), 'random'),
    bad(run('return crypto.randomUUID();', `import crypto = require('node:crypto');`), 'random'),
    bad(run('return randomInt(5);', `const { randomInt } = require('crypto');`), 'random'),
    bad(run('const { now: at } = Date; const clock = Date; return at() + clock.now();'), 'time', 'time'),
    bad(run('return globalThis.Date.now() + window.crypto.length;'), 'time'),
    bad(run(`await axios.get('/');`, `import axios from 'axios';`), 'network'),
    // Queries.
    bad(withDatabase('return this.orders.findOneBy({ id: order.id });'), 'query'),
    bad(withDatabase('await this.invoices.save(order);'), 'query'),
    bad(withDatabase('await this.em.flush(); await this.sources.query("SELECT 1");'), 'query', 'query'),
    bad(withDatabase('return this.sources.getRepository(Order).find();'), 'query'),
    bad(withDatabase(`return this.orders.createQueryBuilder('o').where('1 = 1').getMany();`), 'query'),
    bad(withDatabase('const orders = this.sources.getRepository(Order); return orders.count();'), 'query'),
    bad(withDatabase('return [this.dataSource.query("SELECT 1"), this.orderRepository.find()];'), 'query', 'query'),
    bad(withDatabase('await ctx.sleep("a", await this.orders.count());'), 'query'),
    bad('async function pay(ctx: WorkflowContext, db: DataSource) { await db.query("SELECT 1"); }', 'query'),
    bad(withDatabase('return this.http.get("/");'), 'network'),
    bad(run(`await ctx.step(\`a-\${Date.now()}\`, () => 1);`), 'time'),
    bad(`async function pay(context: WorkflowContext) { return Date.now(); }`, 'time'),
    bad(
      `@Workflow('a') class A { async run(durable) { await durable.step('a', () => Date.now()); return Date.now(); } }`,
      'time',
    ),
  ],
});

tester.run('await-steps', rules['await-steps'], {
  valid: [
    run(`await ctx.step('a', () => 1);`),
    run(`return ctx.step('a', () => 1);`),
    run(`return ctx.remote(Steps).charge(order);`),
    run(`const steps = ctx.remote(Steps); await steps.charge(order);`),
    run(`const steps = ctx.remote(Steps, { retry: 5 }); return steps.charge(order);`),
    run(`await Promise.all(order.items.map(async (item) => { await ctx.step(item.id, () => 1); }));`),
    run(`await (async () => { await ctx.sleep('a', '1d'); })();`),
    run(`order.items.forEach((item) => item.check());`),
    run(`const a = ctx.step('a', () => 1); await ctx.sleep('b', 5); return await a;`),
    run(`await Promise.all([ctx.step('a', () => 1), ctx.step('b', () => 2)]);`),
    run(`await Promise.all(order.items.map((item) => ctx.step(item.id, () => 1)));`),
    run(
      `const all = []; for (const item of order.items) all.push(ctx.step(item.id, () => 1)); await Promise.all(all);`,
    ),
    run(`await ctx.step('a', () => 1).catch(() => null);`),
    run(`ctx.commit('paid'); ctx.setStatus('paid'); ctx.log.info('paid');`),
    run(`if (order.paid) ctx.fail('paid');`),
    run(`await ctx.waitForAny('a', { signal: ctx.signalWait(go), timer: ctx.timer('1d') });`),
    run(`const other = { step() {} }; other.step();`),
    `class Stairs { run(ctx) { ctx.step('a'); } }`,
  ],
  invalid: [
    bad(run(`ctx.step('a', () => 1);`), 'lost'),
    bad(run(`void ctx.step('a', () => 1);`), 'lost'),
    bad(run(`order.paid && ctx.sleep('a', '1d');`), 'lost'),
    bad(run(`order.paid ? ctx.sleep('a', '1d') : 0;`), 'lost'),
    bad(run(`ctx.remote(Steps).charge(order);`), 'lost'),
    bad(run(`ctx.remote('charge', order);`), 'lost'),
    bad(run(`(ctx.transaction('a', () => 1) as Promise<number>)!;`), 'lost'),
    bad(run(`ctx.step('a', () => 1).catch(() => null);`), 'lost'),
    bad(run(`const a = ctx.step('a', () => 1);`), 'lost'),
    bad(run(`order.items.forEach((item) => ctx.step(item.id, () => 1));`), 'lost'),
    bad(run(`order.items.map((item) => ctx.step(item.id, () => 1));`), 'lost'),
    bad(run(`const steps = ctx.remote(Steps); steps.charge(order);`), 'lost'),
    bad(run(`const steps = ctx.remote(Steps, { retry: 5 })!; void steps.charge(order);`), 'lost'),
    bad(run(`order.items.forEach(async (item) => { await ctx.step(item.id, () => 1); });`), 'callback'),
    bad(
      run(`order.items.forEach(async (item) => { if (item) { const a = await ctx.sleep('a', 5); return a; } });`),
      'callback',
    ),
    bad(run(`order.items.map(async (item) => { await ctx.step(item.id, () => 1); });`), 'callback'),
    bad(run(`void (async () => { await ctx.sleep('a', '1d'); })();`), 'callback'),
    bad(run(`const pay = async () => { ctx.sleep('a', '1d'); }; await pay();`), 'lost'),
    bad(`async function pay(context: WorkflowContext) { context.continueAsNew(1); }`, 'lost'),
  ],
});

tester.run('pass-transaction', rules['pass-transaction'], {
  valid: [
    service('await this.workflows.start(OrderWorkflow, order);'),
    service('await db.transaction(async (tx) => this.workflows.start(OrderWorkflow, order, { transaction: tx }));'),
    service(
      'await db.transaction(async (transaction) => this.workflows.start(OrderWorkflow, order, { transaction }));',
    ),
    service('await db.transaction(async (tx) => this.workflows.start(OrderWorkflow, order, options));'),
    service('await db.transaction(async (tx) => this.workflows.start(OrderWorkflow, order, { ...options }));'),
    service('await db.transaction(async (tx) => this.timer.start());'),
    // MikroORM knows the open transaction, and it is joined.
    service('await em.transactional(async () => this.workflows.start(OrderWorkflow, order));'),
    service('await db.transaction(async (tx) => this.outbox.publish(event, { transaction: tx }));'),
    service('await db.transaction((tx) => this.schedules.create(A, { id: order.id }, { transaction: tx }));'),
    // After the commit.
    service('await db.transaction(() => runOnTransactionCommit(() => this.workflows.start(OrderWorkflow, order)));'),
    service('await db.transaction((tx) => { tx.afterCommit(() => this.workflows.startAndWait(A, order)); });'),
    service('await this.workflows.startAndWait(OrderWorkflow, order);'),
    // MikroORM's own decorator, and others that only look alike.
    decorated(`import { Transactional } from '@mikro-orm/core';`, 'await this.workflows.start(A, order);'),
    decorated(`import { Transactional } from '@mikro-orm/decorators/legacy';`, 'await this.workflows.start(A, order);'),
    decorated('', 'await this.workflows.start(A, order);', '@Traced()'),
    // Of a library that the app has set up.
    {
      code: decorated(TYPEORM, 'await this.workflows.start(A, order);'),
      options: [{ joined: ['typeorm-transactional'] }],
    },
    decorated(TYPEORM, 'await this.workflows.start(A, order, { transaction: this.db.manager });'),
    decorated(TYPEORM, 'runOnTransactionCommit(() => this.workflows.start(A, order));'),
    // By hand, before the begin and after the end.
    service(`await this.workflows.start(A, order); ${BY_HAND} await runner.commitTransaction();`),
    service(`${BY_HAND} await runner.commitTransaction(); await this.workflows.start(A, order);`),
    service(`${BY_HAND} try { await runner.commitTransaction(); } catch { await this.outbox.publish({}); }`),
    service(`${BY_HAND} await this.workflows.start(A, order, { transaction: runner.manager });`),
    service('const later = () => db.startTransaction(); await this.workflows.start(A, order);'),
    service('await runInTransaction(() => this.workflows.start(A, order, { transaction: db.manager }));'),
    // It is known around its callback.
    `async function pay(ctx: WorkflowContext, client: WorkflowClient) { await ctx.transaction('a', () => client.start(A, 1)); }`,
    service('await db.transaction(async (tx) => tx.insert(order)); await this.workflows.start(OrderWorkflow, order);'),
  ],
  invalid: [
    bad(service('await db.transaction(async (tx) => this.workflows.start(OrderWorkflow, order));'), 'missing'),
    bad(
      service(`await db.transaction('SERIALIZABLE', (tx) => this.workflows.start(A, order, { id: 'a' }));`),
      'missing',
    ),
    bad(
      service('await db.transaction(async () => { await this.workflows.signal(go, 1, { key: order.id }); });'),
      'missing',
    ),
    bad(
      service('await db.transaction(async () => { for (const id of ids) await this.outbox.publish({ id }); });'),
      'missing',
    ),
    bad(service('await db.transaction((tx) => this.effects.enqueue({ calls: [] }, {}));'), 'missing'),
    bad(service('const client = app.get(WorkflowClient); await db.transaction(() => client.start(A, 1));'), 'missing'),
    bad(service('await db.transaction(() => this.workflows.cancel(order.id));'), 'missing'),
    bad(service('await db.transaction(() => this.schedules.create(A, { id: order.id }));'), 'missing'),
    bad(service('await db.transaction(() => this.schedules.pause(order.id));'), 'missing'),
    bad(service('await db.transaction((tx) => this.workflows.startAndWait(A, 1, { transaction: tx }));'), 'waits'),
    bad(service('await em.transactional(() => this.workflows.startAndWait(A, 1));'), 'waits'),
    bad(service('await db.manager.transaction((tx) => this.workflows.start(A, order));'), 'missing'),
    bad(service('await this.dataSource.transaction(async (tx) => { await this.workflows.start(A, 1); });'), 'missing'),
    bad(service(`await manager.transaction('SERIALIZABLE', () => this.outbox.publish(event));`), 'missing'),
    bad(service('await this.repository.manager.transaction(() => this.effects.enqueue({ calls: [] }));'), 'missing'),
    bad(service('await runInTransaction(() => this.workflows.start(A, order));'), 'missing'),
    bad(service('await wrapInTransaction(async () => this.workflows.signal(go, 1, { key }))();'), 'missing'),
    bad(service('await this.host.withTransaction(() => this.outbox.publish(event));'), 'missing'),
    bad(decorated(TYPEORM, 'await this.workflows.start(A, order);'), 'missing'),
    bad(decorated(TYPEORM, 'for (const id of ids) await this.outbox.publish({ id });'), 'missing'),
    bad(decorated(TYPEORM, 'await Promise.all(ids.map((key) => this.workflows.signal(go, 1, { key })));'), 'missing'),
    bad(decorated(TYPEORM, 'await this.workflows.startAndWait(A, order);'), 'waits'),
    bad(
      decorated(`import { Transactional } from '@nestjs-cls/transactional';`, 'await this.workflows.start(A, order);'),
      'missing',
    ),
    bad(
      decorated(
        `import { Transactional as Tx } from 'typeorm-transactional';`,
        'await this.outbox.publish({});',
        '@Tx()',
      ),
      'missing',
    ),
    bad(
      decorated(`import { Transactional } from '@mikro-orm/core';`, 'await this.workflows.startAndWait(A, order);'),
      'waits',
    ),
    bad(service(`${BY_HAND} await this.workflows.start(A, order); await runner.commitTransaction();`), 'missing'),
    bad(
      service(`${BY_HAND} try { await this.workflows.signal(go, 1, { key }); await runner.commitTransaction(); }
        catch (error) { await runner.rollbackTransaction(); throw error; } finally { await runner.release(); }`),
      'missing',
    ),
    bad(service(`${BY_HAND} await Promise.all(ids.map((id) => this.outbox.publish({ id })));`), 'missing'),
    bad('const start = (client: WorkflowClient) => db.transaction(() => client.start(A, 1));', 'missing'),
  ],
});

/** What ESLint says of a file, with all rules. */
async function lint(code: string, filePath: string, cwd = process.cwd()): Promise<Linter.LintMessage[]> {
  const config: Linter.Config = recommended;
  const files = { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser as Linter.Parser } };
  const overrideConfig = [files, { files: ['**/*.ts'], ...config }];
  const [result] = await new ESLint({ cwd, overrideConfigFile: true, overrideConfig }).lintText(code, { filePath });
  return result!.messages;
}

describe('the recommended configuration', () => {
  it('is one that ESLint takes, and finds what its messages say', async () => {
    const code = run(`ctx.step('a', () => 1); return Date.now();`);
    const messages = await lint(code, 'order.workflow.ts');
    expect(messages.map(({ ruleId, message }) => [ruleId, message])).toEqual([
      ['nest-durable/await-steps', expect.stringContaining('Nobody awaits ctx.step: ')],
      [
        'nest-durable/deterministic-run',
        expect.stringContaining('Date.now() is another time on every replay: use ctx.now()'),
      ],
    ]);
  });

  it('names a query by what it begins with', async () => {
    const code = withDatabase(`return this.orders.createQueryBuilder('o').where('1 = 1').getMany();`);
    const [found] = await lint(code, 'order.workflow.ts');
    expect(found!.message).toMatch(/^this\.orders…getMany\(\) goes to the database again on every replay/);
  });

  it('has every rule', () => {
    expect(Object.keys(recommended.rules)).toEqual(Object.keys(plugin.rules).map((name) => `nest-durable/${name}`));
  });
});
