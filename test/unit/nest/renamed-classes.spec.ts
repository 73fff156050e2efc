import { Injectable, Logger, type Type } from '@nestjs/common';
import { DurableModule, memoryBackend, OnOutboxMessage, OnRunEnded, OutboxPublisher } from '../../../lib/index.js';
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

describe('names that default to those of classes', () => {
  const warnedOf = async (...providers: Type<unknown>[]): Promise<string[]> => {
    const lines: string[] = [];
    const warn = jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((line: unknown) => void lines.push(String(line)));
    const app = await bootApp({ imports: [DurableModule.forRoot({ backend: memoryBackend() })], providers });
    await app.close();
    warn.mockRestore();
    return lines.filter((line) => line.includes('bundler'));
  };

  it.each(['t', 'b2', '_a', '$', 'ab3'])('are warned of where a bundler has renamed the class: %s', async (name) => {
    const [line, ...more] = await warnedOf(called(name), called('Orders'));
    expect(line).toContain(`the classes of ${name}, ${name}.message, ${name}.ended, whose names`);
    expect(more).toEqual([]);
  });

  it('are the best of names otherwise, and so are given ones', async () => {
    expect(await warnedOf(called('Log'), called('Orders'), called('t', 'orders'))).toEqual([]);
  });
});
