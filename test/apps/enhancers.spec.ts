import {
  type ArgumentsHost,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  ConflictException,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  Logger,
  Module,
  type NestInterceptor,
  ParseIntPipe,
  type PipeTransform,
  type Provider,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, NestFactory, Reflector } from '@nestjs/core';
import { map } from 'rxjs';
import {
  ConfigurationError,
  DurableModule,
  type DurableModuleOptions,
  memoryBackend,
  NonRetryableStepError,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  type WorkflowRunner,
} from '../../lib/index.js';
import { bootApp } from '../support/nest-app.js';
import { thrownBy } from '../support/thrown-by.js';

const seen: string[] = [];

@Injectable()
class Words {
  readonly greeting = 'hello';
}

@Injectable()
class Members implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const [input, step] = context.getArgs<[{ who: string }, StepContext]>();
    seen.push(`${context.getType()} ${context.getClass().name}.${context.getHandler().name} ${step.name}`);
    const role = this.reflector.get<string>('role', context.getHandler());
    return role === undefined || input.who === role;
  }
}

@Injectable()
class Loud implements NestInterceptor {
  constructor(private readonly words: Words) {}

  intercept(_: ExecutionContext, next: CallHandler<string>) {
    return next.handle().pipe(map((output) => `${this.words.greeting} ${output}`.toUpperCase()));
  }
}

class Trimmed implements PipeTransform<{ who: string }> {
  transform({ who }: { who: string }) {
    return { who: who.trim() };
  }
}

class Odd extends Error {}

@Catch(Odd)
class Odds implements ExceptionFilter {
  catch(error: Odd, host: ArgumentsHost): unknown {
    if (error.message === 'forgiven') return `${host.getType()} forgave`;
    if (error.message === 'only logged') return Promise.resolve();
    if (error.message === 'final') throw new NonRetryableStepError(`filtered ${error.message}`);
    if (error.message === 'as HTTP') throw new ConflictException('filtered', { cause: error });
    throw new RangeError(`filtered ${error.message}`);
  }
}

@Worker({ retry: 1 })
@UseFilters(Odds)
class Steps {
  @RemoteStep('greet')
  @UseGuards(Members)
  @UseInterceptors(Loud)
  @UsePipes(Trimmed)
  greet({ who }: { who: string }, { seq }: StepContext): string {
    return `${who} ${seq}`;
  }

  @RemoteStep('ask')
  @UseGuards(Members)
  @SetMetadata('role', 'Ada')
  ask({ who }: { who: string }): string {
    return who;
  }

  @RemoteStep('parse')
  @UsePipes(ParseIntPipe)
  parse(n: number, { name }: StepContext): string {
    return `${name} ${n + 1}`;
  }

  @RemoteStep('odd')
  odd({ who }: { who: string }): void {
    throw new Odd(who);
  }
}

@Workflow('asks')
class Asks implements WorkflowRunner<{ step: 'greet' | 'ask' | 'odd' | 'parse'; who: string }, unknown> {
  async run(ctx: WorkflowContext, { step, who }: { step: string; who: string }): Promise<unknown> {
    return ctx.remote(step, step === 'parse' ? who : { who });
  }
}

async function appOf(providers: Provider[], options: DurableModuleOptions = {}) {
  const app = await bootApp({ imports: [DurableModule.forRoot({ backend: memoryBackend(), ...options })], providers });
  const client = app.get(WorkflowClient);
  const ask = (step: 'greet' | 'ask' | 'odd' | 'parse', who: string) =>
    client.start(Asks, { step, who }).then((handle) => handle.result({ timeout: '120s' }));
  return { ask, app, [Symbol.asyncDispose]: () => app.close() };
}

describe('enhancers of remote steps', () => {
  beforeEach(() => void (seen.length = 0));

  it('are called as for requests: guards, interceptors, pipes, with what Nest injects', async () => {
    await using app = await appOf([Asks, Steps, Words]);
    expect(await app.ask('greet', ' Ada ')).toBe('HELLO ADA 0');
    expect(seen).toEqual(['durable Steps.greet greet']);
    expect(await app.ask('parse', '41')).toBe('parse 42');
  });

  it('see metadata of the method, and a refusal fails the step', async () => {
    await using app = await appOf([Asks, Steps, Words]);
    expect(await app.ask('ask', 'Ada')).toBe('Ada');
    expect(String(await thrownBy(app.ask('ask', 'Bob')))).toMatch(/Forbidden resource/);
    expect(String(await thrownBy(app.ask('parse', 'x')))).toMatch(/Validation failed \(numeric string is expected\)/);
  });

  it('are filters too, which may answer or throw another error', async () => {
    await using app = await appOf([Asks, Steps, Words]);
    expect(await app.ask('odd', 'forgiven')).toBe('durable forgave');
    expect(String(await thrownBy(app.ask('odd', 'final')))).toMatch(/filtered final/);
    expect(String(await thrownBy(app.ask('odd', 'as HTTP')))).toMatch(/filtered/);
  });

  it('are filters that fail: what they were given counts, and the log says so once', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    try {
      await using app = await appOf([Asks, Steps, Words]);
      expect(String(await thrownBy(app.ask('odd', 'once')))).toMatch(/: once$/);
      expect(String(await thrownBy(app.ask('odd', 'once')))).toMatch(/: once$/);
      expect(warned.mock.calls.flat().filter((line) => String(line).startsWith('A filter'))).toEqual([
        'A filter of Steps.odd failed, so the error that it was given counts as it is: RangeError: filtered once',
      ]);
    } finally {
      warned.mockRestore();
    }
  });

  it('are filters that return nothing: the failure stays', async () => {
    await using app = await appOf([Asks, Steps, Words]);
    expect(String(await thrownBy(app.ask('odd', 'only logged')))).toMatch(/only logged/);
  });

  it('are global ones, of providers and of the app, if it asks for them', async () => {
    const global = [
      { provide: APP_INTERCEPTOR, useClass: Loud },
      { provide: APP_GUARD, useClass: Members },
    ];
    await using app = await appOf([Asks, Steps, Words, ...global], { enhancers: 'global' });
    expect(await app.ask('parse', '1')).toBe('HELLO PARSE 2');
    expect(seen).toEqual(['durable Steps.parse parse']);
  });

  it('may be added to the app before it begins', async () => {
    const options = { backend: memoryBackend(), enhancers: 'global' } as const;
    @Module({ imports: [DurableModule.forRoot(options)], providers: [Asks, Steps, Words] })
    class App {}
    const app = await NestFactory.create(App, { logger: false });
    app.useGlobalInterceptors(new Loud(new Words()));
    await app.init();
    const handle = await app.get(WorkflowClient).start(Asks, { step: 'parse', who: '2' });
    expect(await handle.result({ timeout: '120s' })).toBe('HELLO PARSE 3');
    await app.close();
  });

  it('are not called if they are global and request-scoped, which the start tells', async () => {
    const told = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const global = { provide: APP_GUARD, useClass: Members, scope: Scope.REQUEST };
    await using app = await appOf([Asks, Steps, Words, global], { enhancers: 'global' });
    expect(await app.ask('parse', '1')).toBe('parse 2');
    expect(seen).toEqual([]);
    expect(told.mock.calls.map(String)).toContainEqual(expect.stringMatching(/^Global guards .* request-scoped/));
    told.mockRestore();
  });

  it('are not in the way of a step that has none', async () => {
    await using app = await appOf([Asks, Words, Plain]);
    const plain = app.app.get(Plain);
    const stacks: string[] = [];
    plain.ask = () => stacks.push(new Error().stack ?? '');
    await app.ask('ask', 'Ada');
    expect(stacks[0]).not.toContain('external-context-creator');
  });
});

@Worker()
class Plain {
  @RemoteStep('ask')
  ask(): unknown {
    return undefined;
  }
}

describe('enhancers that nobody would call', () => {
  const refusal = (providers: Provider[]) =>
    thrownBy(bootApp({ imports: [DurableModule.forRoot({ backend: memoryBackend() })], providers }));

  it('are refused on a workflow', async () => {
    @Workflow('guarded')
    @UseGuards(Members)
    class Guarded {
      async run(): Promise<void> {}
    }
    const error = await refusal([Guarded]);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toMatch(/Guarded has @UseGuards, which is not called for run/);

    @Workflow('intercepted')
    class Intercepted {
      @UseInterceptors(Loud)
      async run(): Promise<void> {}
    }
    expect(String(await refusal([Intercepted, Words]))).toMatch(/Intercepted has @UseInterceptors/);
  });

  it('are refused if they are not singletons, as are decorated parameters', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest extends Members {}
    @Injectable({ scope: Scope.TRANSIENT })
    class PerHost extends Members {}
    class Requests {
      @RemoteStep('a')
      @UseGuards(PerRequest)
      a(): void {}
    }
    class Hosts {
      @RemoteStep('a')
      @UseGuards(PerHost)
      a(): void {}
    }
    class Bodies {
      @RemoteStep('a')
      a(@Body() body: unknown): unknown {
        return body;
      }
    }
    expect(String(await refusal([Requests]))).toMatch(/ConfigurationError: Requests is request-scoped/);
    expect(String(await refusal([Hosts]))).toMatch(/ConfigurationError: Hosts has a transient guard/);
    expect(String(await refusal([Bodies]))).toMatch(/ConfigurationError: Bodies\.a has a decorated parameter/);
  });
});
