import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type LoggerService,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  UseFilters,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { map } from 'rxjs';
import {
  type BlockedRun,
  DurableModule,
  type DurableModuleOptions,
  Effect,
  Effects,
  type EndedRun,
  memoryBackend,
  NonRetryableEffectError,
  NonRetryablePublishError,
  NonRetryableStepError,
  OnAbandoned,
  OnOperationComplete,
  OnOutboxMessage,
  OnRunBlocked,
  OnRunEnded,
  Outbox,
  OutboxOperations,
  type OutboxEvent,
  OutboxPublisher,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { bootApp } from '../support/nest-app.js';
import { until } from '../support/until.js';

/** What was called, with its first argument. */
let called: [string, unknown][] = [];
/** What a global enhancer saw: the class and the method. */
let seen: string[] = [];
/** These methods fail. */
const failing = new Set<string>();

const SECRET = 'token=SECRET123';

function note(method: string, argument: unknown, error: () => Error = () => new Error(SECRET)): void {
  called.push([method, argument]);
  if (failing.has(method)) throw error();
}

@Worker({ retry: { attempts: 3, backoff: { delay: 1 } } })
class Steps {
  @RemoteStep('paths.charge')
  charge(order: object): object {
    note('charge', order, () => new NonRetryableStepError(SECRET, 'DECLINED'));
    return { charged: true };
  }
}

@Workflow('paths.order')
class Order {
  async run(ctx: WorkflowContext, order: object): Promise<unknown> {
    return ctx.remote(Steps).charge(order);
  }
}

@Workflow('paths.wrong')
class Wrong {
  async run(_: WorkflowContext, __: null): Promise<void> {
    throw new TypeError('wrong code');
  }
}

@Injectable()
class Calls {
  @Effect('paths.mail', { attempts: 3, backoff: { delay: '1ms' } })
  mail(ref: object): void {
    note('mail', ref, () => new NonRetryableEffectError(SECRET));
  }

  @OnOperationComplete('erase')
  completed(subject: string): void {
    note('completed', subject);
  }

  @OnAbandoned('erase')
  abandoned({ handler }: { handler: string }): void {
    note('abandoned', handler);
  }
}

@Injectable()
class Consumers {
  @OnOutboxMessage('orders', { consumer: 'paths' })
  consume({ data }: OutboxEvent): void {
    note('consume', data, () => new NonRetryablePublishError(SECRET));
  }

  @OnRunEnded({ workflow: Order, name: 'paths-ended' })
  ended({ status }: EndedRun): void {
    note('ended', status, () => new NonRetryablePublishError(SECRET));
  }

  @OnRunBlocked({ workflow: Wrong, name: 'paths-blocked' })
  blocked({ reason }: BlockedRun): void {
    note('blocked', reason);
  }
}

@OutboxPublisher({ name: 'paths-publisher' })
class Publisher {
  publish(events: readonly OutboxEvent[]): void {
    note('publish', Array.isArray(events) ? events.filter(({ channel }) => channel === 'orders').length : events);
  }
}

const OURS: Provider[] = [Order, Wrong, Steps, Calls, Consumers, Publisher];

/** Made for requests, as those of most apps. */
class Envelope implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    seen.push(`interceptor ${context.getHandler().name}`);
    return next.handle().pipe(map((data: unknown) => ({ success: true, data })));
  }
}
class Nobody {
  canActivate(context: ExecutionContext): boolean {
    seen.push(`guard ${context.getHandler().name}`);
    return true;
  }
}
class Stripped implements PipeTransform {
  transform(input: unknown): unknown {
    seen.push('pipe');
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input, stripped: true } : input;
  }
}
@Catch()
class OfRequests implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    seen.push('filter');
    host.switchToHttp().getResponse<{ status(code: number): never }>().status(500);
    throw error;
  }
}
const GLOBAL: Provider[] = [
  { provide: APP_INTERCEPTOR, useClass: Envelope },
  { provide: APP_GUARD, useClass: Nobody },
  { provide: APP_PIPE, useClass: Stripped },
  { provide: APP_FILTER, useClass: OfRequests },
];

class Lines implements LoggerService {
  readonly lines: string[] = [];
  private readonly line = (...parts: unknown[]) =>
    void this.lines.push(parts.map((part) => (part instanceof Error ? String(part.stack) : String(part))).join(' '));
  log = this.line;
  warn = this.line;
  error = this.line;
}

async function appOf(providers: Provider[], options: DurableModuleOptions = {}) {
  const poll = { pollInterval: 20 } as const;
  const forRoot = {
    backend: memoryBackend(),
    effects: poll,
    outbox: { ...poll, onPoison: 'park' as const },
    ...options,
  };
  const app = await bootApp({ imports: [DurableModule.forRoot(forRoot)], providers });
  const logger = new Lines();
  app.useLogger(logger);
  const client = app.get(WorkflowClient);
  return { app, client, lines: logger.lines, [Symbol.asyncDispose]: () => app.close() };
}

type App = Awaited<ReturnType<typeof appOf>>;

const wasCalled = (...methods: string[]) =>
  until(methods.join(', '), () => methods.every((one) => called.some(([method]) => method === one)), {
    otherwise: () => JSON.stringify(called),
  });

/** Has every method called that goes through enhancers. */
async function callAll({ app, client }: App): Promise<unknown> {
  const handle = await client.start(Order, { id: 'o1' });
  const output = await handle.result({ timeout: '120s' }).catch((error: unknown) => error);
  await client.start(Wrong, null);
  await app.get(Outbox).publish({ channel: 'orders', name: 'placed', data: { id: 'o1' } });
  await app
    .get(Effects)
    .enqueue({ operation: 'erase', subject: 'ada', calls: [{ handler: 'paths.mail', ref: { a: 1 } }] });
  await wasCalled('charge', 'mail', 'consume', 'ended', 'blocked', 'publish');
  await wasCalled(failing.has('mail') ? 'abandoned' : 'completed');
  return output;
}

const timesOf = (method: string) => called.filter(([one]) => one === method).length;

describe('enhancers of all methods that are called without a request', () => {
  beforeEach(() => {
    called = [];
    seen = [];
    failing.clear();
  });

  it('are not those of the app', async () => {
    await using app = await appOf([...OURS, ...GLOBAL]);
    expect(await callAll(app)).toEqual({ charged: true });
    expect(seen).toEqual([]);
    expect(new Map(called.filter(([method]) => method !== 'publish'))).toEqual(
      new Map<string, unknown>([
        ['charge', { id: 'o1' }],
        ['ended', 'completed'],
        ['blocked', 'programming_error'],
        ['consume', { id: 'o1' }],
        ['mail', { a: 1 }],
        ['completed', 'ada'],
      ]),
    );
  });

  it('are not those of the app when they fail either', async () => {
    for (const method of ['charge', 'mail', 'consume']) failing.add(method);
    await using app = await appOf([...OURS, ...GLOBAL]);
    expect(await callAll(app)).toMatchObject({ code: 'DECLINED' });
    expect(seen).toEqual([]);
    expect(['charge', 'mail', 'consume'].map(timesOf)).toEqual([1, 1, 1]);
  });

  it('are those of the app if it asks for them', async () => {
    await using app = await appOf([...OURS, ...GLOBAL], { enhancers: 'global' });
    expect(await callAll(app)).toEqual({ success: true, data: { charged: true } });
    expect(called).toContainEqual(['charge', { id: 'o1', stripped: true }]);
    for (const method of ['charge', 'mail', 'completed', 'consume', 'ended', 'blocked', 'publish'])
      expect(seen).toContain(`guard ${method}`);
  });

  it('are filters that fail: the error that they were given decides about retries, and no secret is logged', async () => {
    for (const method of ['charge', 'mail', 'abandoned', 'consume', 'ended']) failing.add(method);
    const redact = ({ name }: { name: string }) => ({ name, message: 'hidden' });
    const options = { enhancers: 'global', errors: { redact } } as const;
    await using app = await appOf([...OURS, { provide: APP_FILTER, useClass: OfRequests }], options);
    expect(await callAll(app)).toMatchObject({ name: 'NonRetryableStepError', message: 'hidden' });
    await until('all filters have failed', () =>
      ['Steps.charge', 'Calls.mail', 'Calls.abandoned', 'Consumers.consume', 'Consumers.ended'].every((method) =>
        app.lines.some((line) => line.startsWith(`A filter of ${method} failed`)),
      ),
    );
    expect(['charge', 'mail', 'consume', 'ended'].map(timesOf)).toEqual([1, 1, 1, 1]);
    expect(app.lines.filter((line) => line.includes('SECRET'))).toEqual([]);
    expect(app.lines.filter((line) => line.includes('ExceptionsHandler'))).toEqual([]);
    await until('dead letters', async () => {
      const dead = await app.app.get(OutboxOperations).deadLetters({ destination: 'paths' });
      return dead.some(({ error }) => error === 'NonRetryablePublishError: hidden');
    });
  });

  it('are filters of a class that take other errors: nothing is logged twice, and nothing raw', async () => {
    @Catch(RangeError)
    class Ranges implements ExceptionFilter {
      catch(): string {
        return 'a range';
      }
    }
    @Worker()
    @UseFilters(Ranges)
    class Filtered {
      @RemoteStep('paths.charge')
      charge(): void {
        note('charge', null, () => new Error(SECRET));
      }
    }
    failing.add('charge');
    const redact = ({ name }: { name: string }) => ({ name, message: 'hidden' });
    await using app = await appOf([Order, Filtered], { errors: { redact } });
    const handle = await app.client.start(Order, {});
    expect(await handle.result({ timeout: '120s' }).catch((error: unknown) => error)).toMatchObject({
      message: 'hidden',
    });
    expect(timesOf('charge')).toBe(3);
    expect(app.lines.filter((line) => /SECRET|Exception/.test(line))).toEqual([]);
  });
});
