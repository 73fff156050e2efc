import { Injectable, Logger, type Provider, type Type } from '@nestjs/common';
import {
  DurableModule,
  memoryBackend,
  OnOutboxMessage,
  OnRunEnded,
  OutboxPublisher,
  RemoteStep,
  Worker,
} from '../../../lib/index.js';
import { bootApp } from '../../support/nest-app.js';

/** A class with all that takes its name from it, called as a bundler might call it. */
function called(name: string, given?: string): Type<unknown> {
  const named = given === undefined ? {} : { name: given };
  const Called = {
    [name]: class {
      publish(): void {}
      message(): void {}
      ended(): void {}
    },
  }[name]!;
  const method = (key: 'message' | 'ended') => [Called.prototype, key, descriptorOf(Called, key)] as const;
  OnOutboxMessage('mails', given === undefined ? {} : { consumer: `${given}.message` })(...method('message'));
  OnRunEnded(given === undefined ? {} : { name: `${given}.ended` })(...method('ended'));
  OutboxPublisher(named)(Called);
  Injectable()(Called);
  return Called;
}

const descriptorOf = (of: Type<unknown>, key: string) => Object.getOwnPropertyDescriptor(of.prototype, key)!;

interface Boot {
  workers?: Record<string, { concurrency: number }>;
  namespace?: string;
}

async function warned(providers: Provider[], options: Boot = {}): Promise<string[]> {
  const lines: string[] = [];
  const warn = jest
    .spyOn(Logger.prototype, 'warn')
    .mockImplementation((line: unknown) => void lines.push(String(line)));
  try {
    const app = await bootApp({
      imports: [DurableModule.forRoot({ backend: memoryBackend(), ...options })],
      providers,
    });
    await app.close();
  } finally {
    warn.mockRestore();
  }
  return lines.filter((line) => line.includes('bundler'));
}

describe('names that default to those of classes', () => {
  it.each(['t', 'b2', '_a', '$', 'ab3', 'Orders$1'])(
    'are warned of if a bundler has renamed the class: "%s"',
    async (name) => {
      const [line, ...more] = await warned([called(name), called('Orders')], { namespace: 'eu' });
      expect(line).toContain(`are named: ${name}, ${name}.message, ${name}.ended. What`);
      expect(more).toEqual([]);
    },
  );

  it('are not warned of otherwise, nor are given ones', async () => {
    expect(
      await warned([called('Log'), called('Orders'), called('Été'), called('t', 'orders'), called('b', 'b')]),
    ).toEqual([]);
  });

  it('say what may be wrong where two are the same', async () => {
    await expect(warned([called('t'), { provide: 'other', useClass: called('t') }])).rejects.toThrow(
      /"t.ended": t.ended exists twice: .*If a bundler has called two classes the same, give each its name/,
    );
    await expect(warned([called('Orders'), { provide: 'other', useClass: called('Orders') }])).rejects.toThrow(
      /Orders.ended exists twice: provide its class in one module and export it from there$/,
    );
  });

  it('of workers are warned of only where the app sets options by them', async () => {
    const Steps = {
      t: class {
        charge(): void {}
      },
    }.t;
    RemoteStep('charge')(Steps.prototype, 'charge', descriptorOf(Steps, 'charge'));
    Worker()(Steps);
    expect(await warned([Steps])).toEqual([]);
    expect(await warned([Steps], { workers: { PaymentSteps: { concurrency: 2 } } })).toEqual([
      expect.stringContaining('a bundler seems to have renamed t: '),
    ]);
  });
});
