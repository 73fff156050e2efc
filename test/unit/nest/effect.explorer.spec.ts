import { Injectable, type Provider, Scope } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { systemClock } from '../../../lib/core/time.js';
import { type EffectContext, EffectHandlers, EffectListeners } from '../../../lib/effects/handlers.js';
import type { EffectOptions } from '../../../lib/nest/decorator-options.js';
import { Effect, OnAbandoned, OnOperationComplete } from '../../../lib/nest/decorators.js';
import { EnhancedMethods } from '../../../lib/nest/enhanced-methods.js';
import { EffectExplorer } from '../../../lib/nest/explorers.js';
import { DurableLog, NestLogTarget } from '../../../lib/nest/log.js';
import { DURABLE_SETTINGS, settingsOf } from '../../../lib/nest/options.js';

const ENHANCED: Provider[] = [
  EnhancedMethods,
  { provide: DURABLE_SETTINGS, useValue: settingsOf({}) },
  { provide: DurableLog, useFactory: () => new DurableLog(new NestLogTarget('Durable'), systemClock) },
];

const explore = async (providers: Provider[], overrides?: Record<string, EffectOptions>) => {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [EffectExplorer, ...ENHANCED, ...providers],
  }).compile();
  const [handlers, listeners] = [new EffectHandlers(), new EffectListeners()];
  module.get(EffectExplorer).explore(handlers, listeners, overrides);
  return { handlers, listeners, module };
};

@Injectable()
class Services {
  private readonly greeting = 'hello';

  @Effect('crm', { attempts: 2, backoff: { delay: '2h' } })
  crm(ref: string, { attempt }: EffectContext): string {
    return `${this.greeting} ${ref} ${attempt}`;
  }

  @OnOperationComplete('erase')
  completed(subject: string, tx: unknown, operation: string): string {
    return `${this.greeting} ${subject} ${typeof tx} ${operation}`;
  }
}

@Injectable()
class Others {
  @Effect('mail')
  mail(): void {}

  @OnOperationComplete(['erase', 'rectify'])
  completed(): void {}

  @OnAbandoned('erase')
  abandoned(): void {}
}

const context = { attempt: 7 } as EffectContext;

describe('EffectExplorer', () => {
  it('finds handlers with their policies, called on their instances', async () => {
    const { handlers, module } = await explore([Services, Others]);
    const crm = handlers.get('crm');
    expect(crm.policy).toEqual({
      attempts: 2,
      timeoutMs: 20_000,
      leaseMs: 300_000,
      backoff: { delay: '2h', factor: 2, maxDelay: '2h', jitter: 'none' },
    });
    expect(handlers.get('mail').policy).toEqual({
      attempts: 8,
      timeoutMs: 20_000,
      leaseMs: 300_000,
      backoff: { delay: '30s', factor: 2, maxDelay: '1h', jitter: 'none' },
    });
    expect(crm.call('ada', context)).toBe('hello ada 7');
    module.get(Services).crm = () => 'replaced';
    expect(crm.call('ada', context)).toBe('replaced');
  });

  it('lets the configuration say otherwise', async () => {
    const { handlers } = await explore([Services], { crm: { timeout: 5, backoff: { delay: 7 } } });
    expect(handlers.get('crm').policy).toMatchObject({
      attempts: 2,
      timeoutMs: 5,
      backoff: { delay: 7, maxDelay: '1h' },
    });
  });

  it('refuses what the configuration says of a name that nobody declares', async () => {
    await expect(explore([Services], { crn: {} })).rejects.toThrow(/no option "crn": did you mean "crm"\?/);
    // A process without effects may have the configuration of the others.
    await explore([], { crn: {} });
  });

  it('takes what the configuration leaves out, as one that a variable was to say, from the decorator', async () => {
    const unset = { attempts: undefined, timeout: undefined, backoff: undefined } as object;
    const { handlers } = await explore([Services], { crm: unset });
    expect(handlers.get('crm').policy).toMatchObject({ attempts: 2, timeoutMs: 20_000, backoff: { delay: '2h' } });
  });

  it.each<[EffectOptions['backoff'], unknown, unknown]>([
    [{ maxDelay: '10s' }, '10s', '10s'],
    [{ maxDelay: '45s' }, '30s', '45s'],
    [{ delay: '2h' }, '2h', '2h'],
    [{ delay: undefined, maxDelay: undefined } as object, '30s', '1h'],
  ])('waits no longer than the longest wait, whichever of both is given: %j', async (backoff, delay, maxDelay) => {
    const { handlers } = await explore([Services], { crm: { backoff } as EffectOptions });
    expect(handlers.get('crm').policy.backoff).toMatchObject({ delay, maxDelay });
  });

  it('finds every listener of an operation', async () => {
    const { listeners } = await explore([Services, Others]);
    const [first] = listeners.completionOf('erase');
    expect(first?.onComplete('ada', {}, 'erase')).toBe('hello ada object erase');
    const count = (operation: string) =>
      [listeners.completionOf(operation), listeners.abandonmentOf(operation)].map(({ length }) => length);
    expect([count('erase'), count('rectify'), count('other')]).toEqual([
      [2, 1],
      [1, 0],
      [0, 0],
    ]);
  });

  it('refuses two handlers of one name, and one class provided twice', async () => {
    @Injectable()
    class Twice {
      @Effect('crm')
      again(): void {}
    }
    await expect(explore([Services, Twice])).rejects.toThrow(
      /"crm": it is declared by Services\.crm and by Twice\.again/,
    );
    const copy = { provide: 'copy', useFactory: () => new Services() };
    await expect(explore([Services, copy])).rejects.toThrow(/Services\.crm exists twice/);
  });

  it('refuses listeners that exist twice, since each would be told of the same', async () => {
    @Injectable()
    class Told {
      @OnAbandoned('erase')
      told(): void {}
    }
    const copy = { provide: 'copy', useFactory: () => new Told() };
    await expect(explore([Told, copy])).rejects.toThrow(/Told\.told exists twice: provide its class in one module/);
    await expect(explore([Told, { provide: 'alias', useExisting: Told }])).resolves.toBeDefined();
  });

  it('refuses what is no singleton, or no method of its instance', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {
      @OnAbandoned('erase')
      told(): void {}
    }
    await expect(explore([PerRequest])).rejects.toThrow(/request-scoped/);
    const broken = { provide: Services, useFactory: () => Object.assign(new Services(), { crm: undefined }) };
    await expect(explore([broken])).rejects.toThrow(/Services\.crm has @Effect/);
    const partial = { provide: Services, useValue: { completed: () => 'stand-in' } };
    expect((await explore([partial])).handlers.all()).toEqual([]);
  });
});
