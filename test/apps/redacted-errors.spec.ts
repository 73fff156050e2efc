import { type ArgumentsHost, Catch, type ExceptionFilter, type LoggerService, UseFilters } from '@nestjs/common';
import { z } from 'zod';
import {
  DurableEvents,
  DurableMetrics,
  DurableModule,
  type DurableModuleOptions,
  Effect,
  Effects,
  OnAbandoned,
  OnOperationComplete,
  OnOutboxMessage,
  OnRunBlocked,
  OnRunEnded,
  Outbox,
  OutboxPublisher,
  RemoteStep,
  RetryAfterError,
  type StepContext,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../lib/index.js';
import type { RedactableError } from '../../lib/core/wire-error.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

/** What people are called, and what an error must not say: it is in the message, the cause, the stack and the code. */
const SECRET = 'Ada-Lovelace';

function leak(where: string): Error {
  const error = new Error(`${where} of ${SECRET}`, { cause: new Error(`because of ${SECRET}`) });
  error.stack = `Error: ${where} of ${SECRET}\n    at ${SECRET} (/app/${SECRET}.js:1:1)`;
  return Object.assign(error, { code: SECRET });
}

const throws = (where: string) => (): never => {
  throw leak(where);
};

const NEVER = new WorkflowSignal<string>('never');
const TWICE = { retry: { attempts: 2, backoff: { delay: 1 } } };

@Catch()
class Fails implements ExceptionFilter {
  catch(_: unknown, __: ArgumentsHost): never {
    throw leak('filter');
  }
}

@Worker({ retry: { attempts: 2, backoff: { delay: 1 } } })
class Steps {
  @RemoteStep('redacted.remote')
  remote(_: undefined, { log }: StepContext): void {
    log.info('fields', { of: { toJSON: throws('fields') } });
    throw leak('remote');
  }

  @RemoteStep('redacted.filtered', { retry: false })
  @UseFilters(Fails)
  filtered(): void {
    throw leak('filtered');
  }

  @RemoteStep('redacted.refused', {
    retry: false,
    input: z.string().refine(() => false, { error: `${SECRET} is no input` }),
  })
  refused(_: string): void {}

  @RemoteStep('redacted.unusable', { retry: false })
  unusable(): unknown {
    return { toJSON: throws('output') };
  }
}

@Workflow('redacted.child')
class Child {
  async run(_: WorkflowContext, __: null): Promise<void> {
    throw leak('child');
  }
}

@Workflow('redacted.all')
class All {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    const steps = ctx.remote(Steps);
    const deferred = { retry: { deferrals: 1 } };
    const failing: (() => Promise<unknown>)[] = [
      () => ctx.step('local', throws('local'), TWICE),
      () => ctx.step('text', () => Promise.reject(SECRET as unknown as Error), { retry: false }),
      () => ctx.step('many', () => Promise.reject(new AggregateError([leak('one')], SECRET)), { retry: false }),
      () => ctx.step('asked', throws('asked'), { retry: { attempts: 2, retryIf: throws('retryIf') } }),
      () => ctx.step('later', () => Promise.reject(new RetryAfterError('1ms', SECRET)), deferred),
      () => ctx.transaction('booked', throws('booked'), { retry: false }),
      () => steps.remote(undefined),
      () => steps.filtered(),
      () => steps.refused('x'),
      () => ctx.executeChild(Child, null),
    ];
    for (const fails of failing) await fails().catch(() => undefined);
    ctx.step('alone', throws('alone'), { retry: false }).catch(() => undefined);
    await ctx.step('undone', () => 1, { compensate: throws('compensation'), retry: false });
    await ctx.remote('redacted.elsewhere', null, { group: 'elsewhere' });
  }
}

@Workflow('redacted.unstorable')
class Unstorable {
  async run(ctx: WorkflowContext, where: 'here' | 'elsewhere'): Promise<void> {
    if (where === 'here') await ctx.step('output', () => ({ toJSON: throws('local output') }), { retry: false });
    await ctx.remote(Steps).unusable();
  }
}

@Workflow('redacted.wrong')
class Wrong {
  async run(_: WorkflowContext, __: null): Promise<void> {
    throw new TypeError(SECRET, { cause: leak('wrong') });
  }
}

@Workflow('redacted.picky')
class Picky {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    await ctx.waitForSignal('never', NEVER, { match: throws('match') });
  }
}

@Workflow('redacted.keyed', { concurrency: { limit: 1, key: throws('key') } })
class Keyed {
  async run(): Promise<void> {}
}

class Outgoing {
  @Effect('redacted.mail', { attempts: 2, backoff: { delay: 1 } })
  mail(): void {
    throw leak('mail');
  }

  @Effect('redacted.done', { attempts: 1, leaseDuration: '30s' })
  done(): void {}

  @OnOperationComplete('done')
  completed(): void {
    throw leak('completed');
  }

  @OnAbandoned('mail')
  abandoned(): void {
    throw leak('abandoned');
  }

  @OnOutboxMessage('redacted', { consumer: 'redacted-consumer' })
  consume(): void {
    throw leak('consumer');
  }

  @OnRunEnded({ workflow: Child, name: 'redacted-ended' })
  ended(): void {
    throw leak('ended');
  }

  @OnRunBlocked({ workflow: Wrong, name: 'redacted-blocked' })
  blocked(): void {
    throw leak('blocked');
  }
}

@OutboxPublisher({ name: 'redacted-publisher', onPoison: 'park', attempts: 1 })
class Publisher {
  publish(): void {
    throw leak('publisher');
  }
}

class Lines implements LoggerService {
  readonly lines: string[] = [];
  private readonly line = (...parts: unknown[]) =>
    void this.lines.push(parts.map((part) => (part instanceof Error ? String(part.stack) : String(part))).join(' '));
  log = this.line;
  warn = this.line;
  error = this.line;
  debug = this.line;
  verbose = this.line;
}

/** Everything in our tables, as one text per table. */
async function everythingIn({ db, query }: FreshDatabase): Promise<Map<string, string>> {
  const schema = db === 'postgres' ? 'current_schema()' : 'DATABASE()';
  const tables = await query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema} AND table_type = 'BASE TABLE'`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await query(`SELECT * FROM ${name}`);
    const values = rows.flatMap((row) => Object.values(row));
    texts.set(name, values.map((one) => (Buffer.isBuffer(one) ? one.toString() : JSON.stringify(one))).join('\n'));
  }
  return texts;
}

/** Lines of the log, one for each path whose errors no table keeps. */
const LOGGED = [
  'Failed: step "redacted.remote"',
  'A filter of Steps.filtered failed',
  'Publishing to "redacted-consumer" fails',
  'Publishing to "redacted-ended" fails',
  'Publishing to "redacted-blocked" fails',
  'could not be delivered to "redacted-publisher"',
  "@OnAbandoned('mail') failed",
  'The result could not be written',
  'Schedule "keyed"',
  'A subscriber of DurableEvents failed',
  'is compensation_failed',
];

describeDatabases('An error with a secret', (backend) => {
  let database: FreshDatabase;
  let lines: string[];
  const booted: { close(): Promise<void> }[] = [];
  beforeEach(async () => void (database = await createDatabase(backend.db)));
  afterEach(async () => {
    for (const app of booted.splice(0)) await app.close();
    await database.close();
  });

  async function boot(options: DurableModuleOptions) {
    const poll = { pollInterval: '20ms' } as const;
    const app = await bootApp({
      imports: [
        ormModule(backend.orm, database),
        DurableModule.forRoot({ migrate: true, outbox: poll, ...options, effects: { ...poll, ...options.effects } }),
      ],
      providers: [All, Child, Wrong, Unstorable, Picky, Keyed, Steps, Outgoing, Publisher],
    });
    booted.push(app);
    const logger = new Lines();
    app.useLogger(logger);
    lines = logger.lines;
    return app;
  }

  const logged = (...wanted: string[]) =>
    until('the log', () => wanted.every((start) => lines.some((line) => line.includes(start))), {
      otherwise: () =>
        `without ${wanted.filter((start) => !lines.some((line) => line.includes(start))).join(', ')}\n${lines.join('\n')}`,
    });

  const leaks = async () => {
    const tables = [...(await everythingIn(database))].filter(([, text]) => text.includes(SECRET));
    return [...tables.map(([name]) => name), ...lines.filter((line) => line.includes(SECRET))];
  };

  it('is in no table and in no line of the log, whatever has thrown it', async () => {
    // What quotes another error quotes it as it may be seen.
    const redact = (error: RedactableError) =>
      error.name === 'TooManyDeferralsError' ? error : { name: error.name, message: 'hidden' };
    const app = await boot({ errors: { redact, stack: true }, effects: { errors: 'full' } });
    const events = app.get(DurableEvents);
    const heard: unknown[] = [];
    events.on('task.failed').subscribe(throws('subscriber'));
    events
      .on('step.ended', 'task.failed', 'run.left', 'outbox.failed', 'effects.failed')
      .subscribe((event) => void heard.push(event));
    app.get(DurableMetrics).start();
    const client = app.get(WorkflowClient);
    const call = (operation: string) => [{ handler: `redacted.${operation}`, ref: 1 }];
    for (const operation of ['mail', 'done'])
      await app.get(Effects).enqueue({ operation, subject: 's', calls: call(operation) });
    await app.get(Outbox).publish({ channel: 'redacted', name: 'n', data: {} });
    await app.get(WorkflowSchedules).create('redacted.keyed', { id: 'keyed', every: '1s' });
    const picky = await client.start(Picky, null);
    await client.signal(NEVER, 'x', { workflowId: picky.id });
    const wrong = await client.start(Wrong, null);
    const unstorable = [await client.start(Unstorable, 'here'), await client.start(Unstorable, 'elsewhere')];
    const all = await client.start(All, null);
    await until('it waits for what nobody serves', async () => {
      const { history } = await client.getStatus(all.id, { history: true });
      return history!.find(({ name, status }) => name === 'redacted.elsewhere' && status === 'pending');
    });
    const { history } = await client.getStatus(all.id, { history: true });
    const failed = history!.filter(({ error }) => error);
    expect(failed.filter(({ error }) => !error!.message.includes('hidden'))).toEqual([]);
    expect(failed.length).toBeGreaterThan(10);
    const { stepId } = history!.find(({ name }) => name === 'redacted.elsewhere')! as unknown as { stepId?: string };
    await client.failStep(
      stepId ?? `${all.id}:${history!.at(-1)!.seq}`,
      Object.assign(leak('answer'), { retryable: false }),
    );
    await until('it could not be compensated', async () => {
      const { status } = await client.getStatus(all.id);
      return status === 'compensation_failed';
    });
    await until('all others have failed or are blocked', async () => {
      const states = await Promise.all([picky, wrong, ...unstorable].map(({ id }) => client.getStatus(id)));
      return states.every(({ reason, finishedAt }) => reason !== null || finishedAt !== null);
    });
    const stand = await Promise.all(unstorable.map(({ id }) => client.getStatus(id, { history: true })));
    expect(stand.map(({ reason, history: steps }) => [reason, steps!.at(-1)!.status])).toEqual([
      ['programming_error', 'exhausted'],
      ['programming_error', 'exhausted'],
    ]);
    await logged(...LOGGED);
    expect(await app.get(Effects).listAbandoned()).toMatchObject([
      { lastError: 'Error', error: { message: 'hidden' } },
    ]);
    const text = JSON.stringify([
      await client.explain(all.id),
      await client.explain(wrong.id),
      await client.getStatus(all.id),
      await app.get(DurableMetrics).text(),
      heard,
    ]);
    expect(text).not.toContain(SECRET);
    expect(await leaks()).toEqual([]);
  });

  it('leaves only its class with a call of an effect, unless more is asked for', async () => {
    const app = await boot({});
    const enqueue = (subject: string) =>
      app.get(Effects).enqueue({ operation: 'mail', subject, calls: [{ handler: 'redacted.mail', ref: 1 }] });
    await enqueue('a');
    await logged("@OnAbandoned('mail') failed");
    expect(await app.get(Effects).listAbandoned()).toMatchObject([{ lastError: 'Error', error: null }]);
    expect(await leaks()).toEqual([]);
    await app.close();
    booted.length = 0;
    const full = await boot({ effects: { errors: 'full' } });
    await full.get(Effects).requeue((await full.get(Effects).listAbandoned()).map(({ entryId }) => entryId));
    await logged("@OnAbandoned('mail') failed");
    const [entry] = await full.get(Effects).listAbandoned();
    const error = { message: `mail of ${SECRET}`, code: SECRET, cause: { message: `because of ${SECRET}` } };
    expect(entry).toMatchObject({ lastError: 'Error', error });
    expect(await leaks()).toEqual(['durable_effects']);
  });
});
