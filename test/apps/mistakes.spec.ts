import 'reflect-metadata';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import {
  DurableModule,
  type DurableModuleOptions,
  Effect,
  Effects,
  mikroOrmExecutor,
  OutboxPublisher,
  memoryBackend,
  RemoteStep,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  type WorkflowRunStatus,
  WorkflowSignal,
} from '../../lib/index.js';
import { EntityManager } from '@mikro-orm/core';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { createTestingDurable } from '../../lib/testing/index.js';
import { ManualClock } from '../../lib/core/time.js';
import { answerTo, Lines, memoryApp, messageOf, type Mistake, refusedStart } from '../support/mistakes.js';
import { servers } from '../support/test-servers.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule, type OrmModuleOptions } from '../support/nest-app.js';
import { until } from '../support/until.js';

const Amount = z.object({ amount: z.number().positive() });
const approved = new WorkflowSignal('approved', { payload: z.object({ by: z.string() }) });

@Workflow('checked', { input: Amount })
class Checked {
  async run(ctx: WorkflowContext, _: z.output<typeof Amount>): Promise<unknown> {
    return ctx.waitForSignal('approval', approved);
  }
}

class Shop {
  @RemoteStep('shop.charge')
  charge(amount: number): string {
    return `paid ${amount}`;
  }

  refund(): void {}

  @RemoteStep('shop.count', { output: z.number() })
  count(): number {
    return 'three' as never;
  }
}

const approve = new WorkflowSignal<boolean>('approve');

/** Kept where it must not be. */
let kept: WorkflowContext | undefined;

@Workflow('order')
class Order {
  async run(ctx: WorkflowContext, what: string): Promise<unknown> {
    const known = ORDERS[what];
    return known ? known(ctx) : what;
  }
}

const ORDERS: Record<string, (ctx: WorkflowContext) => unknown> = {
  'a class without remote steps': (ctx) => (ctx.remote(Order) as unknown as Shop).charge(1),
  'a method without @RemoteStep': (ctx) => (ctx.remote(Shop) as unknown as Shop).refund(),
  'a name of nobody': (ctx) => ctx.remote('shop.nothing', 1),
  'undone by nobody': async (ctx) => {
    await ctx.remote(Shop, { compensate: 'shop.refnud' }).charge(1);
    throw new Error('sold out');
  },
  'ctx in a callback': (ctx) => ctx.step('outer', () => ctx.step('inner', () => 1)),
  'ctx of another run': (ctx) => {
    if (ctx.workflowId === 'o1') return kept!.step('kept', () => 1);
    kept = ctx;
    return ctx.waitForSignal('approval', approve);
  },
  'a function as output': (ctx) => ctx.step('load', () => () => 1, { retry: false }),
  'an unknown option': (ctx) => ctx.step('load', () => 1, { retrys: 3 } as never),
  'a delay in words': (ctx) => ctx.sleep('pause', 'soon' as never),
  'nobody awaits': async (ctx) => {
    void ctx.step('audit', () => 1);
    return 'done';
  },
  'throws, and nobody awaits': (ctx) => {
    void ctx.step('audit', () => 1);
    ctx.fail('no');
  },
  'ctx after the end': (ctx) => {
    setImmediate(() => setImmediate(() => void ctx.step('late', () => 1)));
    return Promise.resolve('done');
  },
  // @ts-expect-error a number is no options
  'a number as options': (ctx) => ctx.remote(Shop).charge(1, 0),
  'an output that the schema refuses': (ctx) => ctx.remote(Shop).count(),
  'by chance': (ctx) => ctx.executeChild(Order, String(Math.random())),
  'awaits too late': async (ctx) => {
    const audit = ctx.step('audit', () => Promise.reject(new Error('no room')), { retry: false });
    await ctx.sleep('a moment', '20ms');
    return audit;
  },
  fails: (ctx) => ctx.step('pay', () => Promise.reject(new Error('card refused')), { retry: false }),
  'waits for ever': (ctx) => ctx.waitForSignal('approval', approve),
  'another at each replay': async (ctx) => {
    await ctx.step(`at ${Math.random()}`, () => 1);
    await ctx.sleep('a moment', '10ms');
    return ctx.step('last', () => 1);
  },
};

describe('A mistake that', () => {
  const open: INestApplicationContext[] = [];

  async function app(options: DurableModuleOptions = {}, providers = [Order, Shop] as never[]) {
    const booted = await memoryApp(providers, options);
    const log = new Lines();
    booted.useLogger(log);
    open.push(booted);
    return { client: booted.get(WorkflowClient), log, booted };
  }
  const start = (...args: unknown[]) => messageOf(async () => (await app()).client.start(...(args as [string])));
  const failure = (what: string) =>
    messageOf(async () => (await app()).client.startAndWait(Order, what, { timeout: '120s' }));
  /** What whoever waits for the result of a run is told once it stands still. */
  const lateResult = async (
    what: string,
    stands: (run: WorkflowRunStatus) => boolean,
    options?: DurableModuleOptions,
  ) => {
    const { client } = await app(options);
    const { id } = await client.start(Order, what, { id: 'o1' });
    await until('it stands still', async () => stands(await client.getStatus(id, { history: true })));
    return messageOf(() => client.result(id, { timeout: 1 }));
  };
  const blocked = ({ reason }: WorkflowRunStatus) => reason !== null;
  const waits = ({ history }: WorkflowRunStatus) => history?.some(({ status }) => status === 'pending') ?? false;
  const logged = async (what: string, line: RegExp, options?: DurableModuleOptions) => {
    const { client, log } = await app(options);
    await client.start(Order, what, { id: 'o1' });
    return until(`the log has ${line}`, () => log.find(line));
  };
  /** What is logged as half a minute passes. */
  const loggedInTime = async (
    begin: (client: WorkflowClient, booted: INestApplicationContext) => Promise<unknown>,
    line: RegExp,
    options: DurableModuleOptions = {},
  ) => {
    const clock = new ManualClock();
    const { client, log, booted } = await app({ backend: memoryBackend({ clock }), ...options });
    await begin(client, booted);
    return until(`the log has ${line}`, () => {
      clock.advance(5_000);
      return log.find(line);
    });
  };
  /** What is warned of before an app can get a logger of its own. */
  const warnedAtStart = async (start: () => Promise<unknown>) => {
    const lines: unknown[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void lines.push(line));
    await start().finally(() => warn.mockRestore());
    return lines.join('\n');
  };
  const twice = async (Class: new () => object) => refusedStart([Order, Shop, Class]);

  const atStart: Mistake[] = [
    {
      mistake: 'misspells an option of the module',
      seen: () => refusedStart([], { retenion: {} }),
      says: [/DurableModule has no option "retenion": did you mean "retention"\?/],
    },
    {
      mistake: 'misspells an option within an option',
      seen: () => refusedStart([], { engine: { pollms: 5 } }),
      says: [/DurableModule: engine has no option "pollms": did you mean "pollInterval"\?/],
    },
    {
      mistake: 'misspells an option in useFactory',
      seen: () =>
        messageOf(async () => {
          const useFactory = () => ({ backend: memoryBackend(), conection: 'x' }) as never;
          await (await bootApp({ imports: [DurableModule.forRootAsync({ useFactory })] })).close();
        }),
      says: [/DurableModule has no option "conection": did you mean "connection"\?/],
    },
    {
      mistake: 'misspells an option of a decorator',
      seen: () =>
        messageOf(() => {
          class Late {
            @RemoteStep('late', { timout: '5s' } as never)
            run(): void {}
          }
          return refusedStart([Late]).then((message) => Promise.reject(new Error(message)));
        }),
      says: [/@RemoteStep\('late'\) has no option "timout": did you mean "timeout"\?/],
    },
    {
      mistake: 'misspells a workflow whose options it overrides',
      seen: () => refusedStart([Order, Shop], { workflows: { ordre: { retry: 5 } } }),
      says: [/DurableModule: workflows/, /"ordre"/, /did you mean "order"/],
    },
    {
      mistake: 'misspells a publisher whose options it overrides',
      seen: () => {
        @OutboxPublisher({ name: 'search' })
        class Search {
          async publish(): Promise<void> {}
        }
        return refusedStart([Search], { outbox: { destinations: { serach: { attempts: 3 } } } });
      },
      says: [/outbox\.destinations/, /"serach"/, /did you mean "search"/],
    },
    {
      mistake: 'misspells an effect whose options it overrides',
      seen: () => {
        class Mails {
          @Effect('mail.send')
          send(): void {}
        }
        return refusedStart([Mails], { effects: { handlers: { 'mail.sent': { attempts: 3 } } } });
      },
      says: [/effects\.handlers/, /"mail\.sent"/, /did you mean "mail\.send"/],
    },
    {
      mistake: 'misspells a remote step whose options it overrides',
      seen: () =>
        warnedAtStart(() => app({ steps: { 'shop.chrage': { retry: 5 } }, workers: { Shops: { concurrency: 1 } } })),
      says: [/option steps/, /"shop\.chrage"/, /did you mean "shop\.charge"/, /option workers/, /did you mean "Shop"/],
    },
    {
      mistake: 'overrides the version of a workflow',
      seen: () => refusedStart([Order], { workflows: { order: { version: 2 } } }),
      says: [/workflows\['order'\]/, /no option "version"/],
    },
    {
      mistake: 'overrides the name of a publisher',
      seen: () => refusedStart([], { outbox: { destinations: { search: { name: 'other' } } } }),
      says: [/outbox\.destinations\['search'\]/, /no option "name"/],
    },
    {
      mistake: 'imports the module twice',
      seen: () =>
        messageOf(async () => {
          const once = () => DurableModule.forRoot({ backend: memoryBackend() });
          await (await bootApp({ imports: [once(), once()] })).close();
        }),
      says: [/imported 2 times/, /once \(.*mistakes\.spec/, /import it once/],
    },
    {
      mistake: 'gives retention one time for all',
      seen: () => refusedStart([], { retention: '30d' }),
      says: [/^retention is "30d": pass an object/, /\{ completed: '30d', failed: '90d' \}/],
    },
    {
      mistake: 'gives a prefix that is no name',
      seen: () => refusedStart([], { prefix: 'my-app' }),
      says: [/^prefix is "my-app": pass a letter followed by .* letters, digits or underscores/],
    },
    {
      mistake: 'gives a duration in words',
      seen: () => refusedStart([], { engine: { residency: 'a while' } }),
      says: [/^engine\.residency is "a while": pass milliseconds/, /'500ms', '30s'/],
    },
    {
      mistake: 'has no ORM and no backend',
      seen: () => messageOf(async () => (await bootApp({ imports: [DurableModule.forRoot()] })).close()),
      says: [/no ORM/, /TypeOrmModule/, /MikroOrmModule/],
    },
    {
      mistake: 'declares a workflow twice',
      seen: () => {
        @Workflow('order')
        class Again {
          async run(): Promise<void> {}
        }
        return twice(Again);
      },
      says: [/Workflow "order" version 1 is declared by Order and by Again: rename one, or give it another version/],
    },
    {
      mistake: 'declares a remote step twice',
      seen: () => {
        class Again {
          @RemoteStep('shop.charge')
          charge(): void {}
        }
        return twice(Again);
      },
      says: [/remote step "shop\.charge": it is declared by Shop\.charge and by Again\.charge: rename one/],
    },
    {
      mistake: 'declares a workflow without run',
      seen: () =>
        messageOf(() => {
          class Empty {
            start(): void {}
          }
          Workflow('empty')(Empty as never);
          return twice(Empty).then((message) => Promise.reject(new Error(message)));
        }),
      says: [/Empty has @Workflow\('empty'\) but no method run\(ctx, input\)/],
    },
  ];

  const atTheCall: Mistake[] = [
    {
      mistake: 'starts a class that is no workflow',
      seen: () => start(Shop, 1),
      says: [/"Shop"/, /not a workflow/, /@Workflow\('name'\)/],
    },
    {
      mistake: 'misspells an option of start',
      seen: () => start(Order, 'x', { workflowID: 'o1' }),
      says: [/start has no option "workflowID"/, /The options are id, /],
    },
    {
      mistake: 'gives startAt as a text',
      seen: () => start(Order, 'x', { startAt: '2026-01-01' }),
      says: [/^startAt is "2026-01-01": pass a valid Date/],
    },
    {
      mistake: 'gives a delay in words',
      seen: () => start(Order, 'x', { delay: 'soon' }),
      says: [/^delay is "soon": pass milliseconds, or a string like '500ms'/],
    },
    {
      mistake: 'passes a function as input',
      seen: () => start(Order, { f: () => 1 }),
      says: [/^The input of run /, /it contains a function\. Pass plain data/],
    },
    {
      mistake: 'passes a circle as input',
      seen: () => {
        const circle: Record<string, unknown> = {};
        circle['self'] = circle;
        return start(Order, circle);
      },
      says: [/^The input of run /, /it contains itself\. Pass plain data/],
    },
    {
      mistake: 'passes more than a row takes',
      seen: () => start(Order, 'x'.repeat(2 ** 21)),
      says: [/^The input of run /, /is 2097154 bytes of JSON, over the limit of 1048576/, /or raise limits\.payload/],
    },
    {
      mistake: 'passes something else as transaction',
      seen: () => start(Order, 'x', { transaction: {} }),
      says: [/^In memory the only transaction to join is/, /omit `transaction`, or use the database of your ORM/],
    },
    {
      mistake: 'takes the id of another run',
      seen: async () => {
        const { client } = await app();
        await client.start(Order, 'one', { id: 'o1' });
        return answerTo(() => client.start(Order, 'two', { id: 'o1' }));
      },
      says: [/^409: Run "o1" exists with another input: use another id/],
    },
    {
      mistake: 'passes an input that the schema refuses',
      seen: () => messageOf(async () => (await app({}, [Checked] as never[])).client.start(Checked, { amount: -1 })),
      says: [/^The input of workflow "checked" is not valid: amount: .*>0/],
    },
    {
      mistake: 'sends a signal that the schema refuses',
      seen: () =>
        messageOf(async () => {
          const { client } = await app({}, [Checked] as never[]);
          await client.start(Checked, { amount: 1 }, { id: 'c1' });
          await client.signal(approved, { by: 1 } as never, { workflowId: 'c1' });
        }),
      says: [/^The payload of signal "approved" is not valid: by: .*expected string/],
    },
    {
      mistake: 'asks for a run that there is not',
      seen: () => answerTo(async () => (await app()).client.result('o7')),
      says: [/^404: No run has the id "o7"/],
    },
    {
      mistake: 'restarts a run that has not ended',
      seen: async () => {
        const { client } = await app();
        await client.start(Order, 'waits for ever', { id: 'o1' });
        return answerTo(() => client.restart('o1'));
      },
      says: [
        /^409: Run "o1" is (?:pending|running|suspended): cancel or terminate it, and restart it once it has ended/,
      ],
    },
    {
      mistake: 'enqueues a call without a handler',
      seen: () =>
        messageOf(async () => {
          const { booted } = await app();
          await booted.get(Effects).enqueue({
            operation: 'erase',
            subject: 'p1',
            calls: [{ handler: 'nobody', ref: 1 }],
          });
        }),
      says: [/No effect handler "nobody" in this process: decorate its method with @Effect\('name'\)/],
    },
  ];

  const inRun: Mistake[] = [
    {
      mistake: 'calls a class without remote steps',
      seen: () => lateResult('a class without remote steps', blocked),
      says: [/"Order" is not a remote step/, /@RemoteStep\('name'\)/],
    },
    {
      mistake: 'calls a method without @RemoteStep',
      seen: () => lateResult('a method without @RemoteStep', blocked),
      says: [/"Shop\.refund" is not a remote step/, /@RemoteStep\('name'\)/],
    },
    {
      mistake: 'uses ctx in the callback of a step',
      seen: () => lateResult('ctx in a callback', blocked),
      says: [/ctx\.step\("inner"\) of run .* in the callback of step "outer"/, /call it in run, before or after/],
    },
    {
      mistake: 'uses ctx of another run',
      seen: async () => {
        await (await app()).client.start(Order, 'ctx of another run', { id: 'first' });
        await until('it keeps its context', () => kept);
        return logged('ctx of another run', /kept/);
      },
      says: [/ctx\.step\("kept"\)/, /by the code of run "o1"/, /pass ctx as an argument/],
    },
    {
      mistake: 'returns a function from a step',
      seen: () => lateResult('a function as output', blocked),
      says: [/The output of step "load" cannot be stored/, /it contains a function\. Pass plain data/],
    },
    {
      mistake: 'misspells an option of a step',
      seen: () => lateResult('an unknown option', blocked),
      says: [/it is blocked: an error in its code/, /step "load" has no option "retrys": did you mean "retry"\?/],
    },
    {
      mistake: 'sleeps for a duration in words',
      seen: () => lateResult('a delay in words', blocked),
      says: [/it is blocked: an error in its code/, /The duration of sleep "pause" is "soon": pass .*'500ms'/],
    },
    {
      mistake: 'does not await a step',
      seen: () => logged('nobody awaits', /audit/),
      says: [/Run "o1" of "order" ended without awaiting ctx\.step\("audit"\)/, /Await each call; strict: true/],
    },
    {
      mistake: 'does not await a step before the run throws',
      seen: () => logged('throws, and nobody awaits', /audit/),
      says: [/Run "o1" of "order" ended without awaiting ctx\.step\("audit"\)/, /Await each call/],
    },
    {
      mistake: 'does not await a step, and is strict',
      seen: () => lateResult('nobody awaits', blocked, { strict: true }),
      says: [
        /Run "o1" did not end within 1 ms: it is blocked: an error in its code/,
        /ended without awaiting ctx\.step\("audit"\)/,
        /Await each call, alone or with Promise\.all/,
      ],
    },
    {
      mistake: 'awaits a step when it has failed',
      seen: () => logged('awaits too late', /no room/),
      says: [
        /ctx\.step\("audit"\) of run "o1" of "order" failed before anything awaited it/,
        /no room/,
        /Await each call, alone or with Promise\.all/,
      ],
    },
    {
      mistake: 'uses ctx after the end of its run',
      seen: () => logged('ctx after the end', /late/),
      says: [
        /ctx\.step\("late"\) of run "o1" of "order"/,
        /was called after run had ended, so it is not recorded: await every call/,
      ],
    },
    {
      mistake: 'passes a number as the options of a remote step',
      seen: () => lateResult('a number as options', blocked),
      says: [/The options of a remote step is 0: pass an object with options, after the input/],
    },
    {
      mistake: 'returns from a remote step what its schema refuses',
      seen: () => failure('an output that the schema refuses'),
      says: [/The output of step "shop\.count" is not valid/, /expected number, received string/],
    },
    {
      mistake: 'explores the crashes of code that is not deterministic',
      seen: async () => {
        const kit = await createTestingDurable({ workflows: [Order], providers: [Shop] });
        open.push(kit.app);
        return messageOf(() => kit.exploreCrashes((client) => client.start(Order, 'by chance', { id: 'o1' })));
      },
      says: [
        /Run "o1"/,
        /position 0/,
        /child "order" with the same input/,
        /its code is not deterministic\. Between steps use ctx\.now\(\), ctx\.random\(\) and ctx\.uuid\(\)/,
      ],
    },
    {
      mistake: 'does not look why a run failed',
      seen: () => logged('fails', /card refused/),
      says: [/Run "o1" of "order" is failed at step "pay" \(position 0\): Error: card refused/],
    },
    {
      mistake: 'gets other values at each replay',
      seen: () => logged('another at each replay', /at 0\./),
      says: [
        /Run "o1" of "order" is not deterministic: at position 0 step "at 0\.\d+" was expected/,
        /Between steps use ctx\.now\(\), ctx\.random\(\) and ctx\.uuid\(\)/,
      ],
    },
    {
      mistake: 'calls a step that nobody serves',
      seen: () => loggedInTime((client) => client.start(Order, 'a name of nobody', { id: 'o1' }), /shop\.nothing/),
      says: [
        /1 task "shop\.nothing" waiting in group "shop\.nothing" since 20\d\d-.*Z, first of run "o1"/,
        /no process .* serves group "shop\.nothing" \(signed in: ".+" serves "shop\.charge", "shop\.count"\)/,
        /Start a worker of that group with @RemoteStep\('shop\.nothing'\), or correct the name/,
      ],
    },
    {
      mistake: 'waits for a step that nobody serves',
      seen: () => lateResult('a name of nobody', waits),
      says: [
        /Run ".+" .*did not end within 1 ms/,
        /remote step "shop\.nothing"/,
        /since 20\d\d-/,
        /no process .* serves group "shop\.nothing" \(signed in: ".+" serves "shop\.charge", "shop\.count"\)/,
      ],
    },
    {
      mistake: 'compensates by a step that nobody serves',
      seen: () => loggedInTime((client) => client.start(Order, 'undone by nobody', { id: 'o1' }), /shop\.refnud/),
      says: [
        /1 task "shop\.refnud" waiting in group "shop\.refnud" since 20\d\d-.*Z, first of run "o1"/,
        /@RemoteStep\('shop\.refnud'\), or correct the name/,
      ],
    },
    {
      mistake: 'enqueues a call whose handler no process has',
      seen: () =>
        loggedInTime(
          (_, booted) => {
            const calls = [{ handler: 'crm', ref: 1 }];
            return booted.get(Effects).enqueue({ operation: 'erase', subject: 'p1', calls });
          },
          /crm/,
          { effects: { remoteHandlers: ['crm'] } },
        ),
      says: [
        /Calls of "crm" have waited since 20\d\d-/,
        /no process .* serves effect "crm" \(no process that makes calls is signed in\)/,
        /Start a process with @Effect\('crm'\)/,
      ],
    },
    {
      mistake: 'starts a workflow that nobody has',
      seen: () => loggedInTime((client) => client.start('ordre'), /ordre/),
      says: [
        /Runs of "ordre" \(version 1\) have been due since 20\d\d-/,
        /no process has version 1 of "ordre"/,
        /Start a process that has it, or terminate them/,
      ],
    },
    {
      mistake: 'waits for a result that needs somebody else',
      seen: () => lateResult('waits for ever', waits),
      says: [/did not end within 1 ms/, /It waits for:\s+- signal "approve" in step "approval" \(position 0\)/],
    },
  ];

  const ON_MYSQL: Mistake = {
    mistake: 'migrates on MySQL as a user who may not create tables',
    seen: async () => {
      const other = await createDatabase('mysql');
      const user = `u_${other.database}`.slice(0, 32);
      await other.query(`CREATE USER '${user}'@'%' IDENTIFIED BY 'pw'`);
      await other.query(`GRANT SELECT ON ${other.database}.* TO '${user}'@'%'`);
      const message = await refusedOn({ migrate: true }, {}, { ...other, user, password: 'pw' });
      await other.query(`DROP USER '${user}'@'%'`);
      await other.close();
      return message;
    },
    says: [/command denied/, /GRANT .* TO '?u_/],
  };
  const onDatabase: Mistake[] = [
    {
      mistake: 'names a connection that there is not',
      seen: () => refusedOn({ connection: 'order' }, { name: 'orders' }),
      says: [/No connection is called "order"/, /did you mean "orders"/],
    },
    {
      mistake: 'has named connections and names none',
      seen: () => refusedOn({}, { name: 'orders' }),
      says: [/have names/, /"orders"/, /connection/],
    },
    {
      mistake: 'has MikroORM, whose commands would drop the tables',
      seen: () => onMikroOrm(() => undefined),
      says: [
        /MikroORM CLI would drop the tables shop_\*/,
        /schemaGenerator: \{ skipTables: durableSkipTables\('shop'\)/,
      ],
    },
    {
      mistake: 'has a frozen configuration of MikroORM, whose commands would drop the tables',
      seen: () => messageOf(() => onMikroOrm((em) => void Object.freeze(em.config.get('schemaGenerator')))),
      says: [
        /would drop the tables shop_\*/,
        /skipTables of its configuration is frozen/,
        /durableSkipTables\('shop'\)/,
      ],
    },
    {
      mistake: 'has no tables and may not migrate',
      seen: () => refusedOn({ migrate: false }),
      says: [/"durable"/, /lack/, /npx nest-durable migrate/],
    },
    {
      mistake: 'migrates as a user who may not create tables',
      seen: async () => {
        const user = `u_${database.database}`;
        await database.query(`CREATE ROLE ${user} LOGIN PASSWORD 'pw'`);
        const message = await refusedOn({ migrate: true }, {}, { ...database, user, password: 'pw' });
        await database.query(`DROP ROLE ${user}`);
        return message;
      },
      says: [/permission denied/, /as their owner/, /GRANT .* TO "?u_test/],
    },
    ...(servers.some(({ db }) => db === 'mysql') ? [ON_MYSQL] : []),
    {
      mistake: 'starts a run beside a transaction that has the only connection',
      seen: async () => {
        const imports = [ormModule('typeorm', database, { poolMax: 1 }), DurableModule.forRoot({ migrate: true })];
        const booted = await bootApp({ imports, providers: [Order, Shop] });
        open.push(booted);
        const log = new Lines();
        booted.useLogger(log);
        let begun: Promise<unknown> = Promise.resolve();
        await booted.get(DataSource).transaction(async (em) => {
          await em.query('SELECT 1');
          begun = booted.get(WorkflowClient).start(Order, 'x');
          await until('the log tells of the pool', () => log.find(/pool/i));
        });
        await begun;
        return log.find(/pool/i);
      },
      says: [/A transaction of the app that awaits .* has to pass itself/, /it has 1, \d+ would do \(poolSize\)/],
    },
  ];
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await createDatabase('postgres');
  });
  afterAll(async () => {
    await Promise.all(open.map((app) => app.close()));
    await database.close();
  });
  /** What is warned of at the start on MikroORM. */
  const onMikroOrm = async (change: (em: EntityManager) => void) => {
    const orm = await bootApp({ imports: [ormModule('mikro-orm', database)] });
    open.push(orm);
    const em = orm.get(EntityManager);
    change(em);
    const options = { executor: mikroOrmExecutor(em), prefix: 'shop', engine: false } as const;
    return warnedAtStart(async () => open.push(await bootApp({ imports: [DurableModule.forRoot(options)] })));
  };
  const refusedOn = (options: DurableModuleOptions, orm: OrmModuleOptions = {}, to = database) =>
    messageOf(async () => {
      const imports = [ormModule('typeorm', to, orm), DurableModule.forRoot(options)];
      await (await bootApp({ imports, providers: [Order, Shop] })).close();
    });

  describe.each([
    ['at the start of the app', atStart],
    ['with the database', onDatabase],
    ['at the call', atTheCall],
    ['in the code of a run', inRun],
  ])('is made %s:', (_, mistakes) => {
    it.each(mistakes)('$mistake', async ({ seen, says }) => {
      const message = String(await seen());
      for (const part of says) expect(message).toMatch(part);
    });
  });
});
