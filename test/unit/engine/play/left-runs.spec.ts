import type { Telemetry } from '../../../../lib/core/telemetry.js';
import { DurableLog } from '../../../../lib/nest/log.js';
import { type EngineParts, engineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

class CardError extends Error {
  override name = 'CardError';
}

const declined = (): never => {
  throw new CardError('declined');
};

describe('the log of a failed run', () => {
  let at: EngineParts;
  let lines: string[];
  beforeEach(async () => {
    lines = [];
    at = engineParts(memoryStorage(), { pollMs: 20, retry: { attempts: 1 } });
    const keep = (line: string) => void lines.push(line);
    const log = new DurableLog({ log: keep, warn: keep, error: keep }, { now: () => 0 });
    log.subscribe(at.telemetry satisfies Telemetry);
    await at.start();
  });
  afterEach(() => at.stop());

  const logged = async (run: Parameters<EngineParts['define']>[1], status: string) => {
    at.define('order', run);
    await at.client.start('order', null, { id: 'r' });
    return until('the line', () => lines.find((line) => line.startsWith(`Run "r" of "order" is ${status}`)));
  };

  it("has the error's name and message, and the step that threw it", async () => {
    expect(await logged((ctx) => ctx.step('charge', declined), 'failed')).toBe(
      'Run "r" of "order" is failed at step "charge" (position 0): CardError: declined',
    );
  });

  it('has the step behind an error that the code made of it', async () => {
    const run = logged(async (ctx) => {
      await ctx.step('reserve', () => 1);
      await ctx.step('charge', declined).catch((cause: unknown) => {
        throw new Error('no order', { cause });
      });
    }, 'failed');
    expect(await run).toBe(
      'Run "r" of "order" is failed at step "charge" (position 1): Error: no order, caused by CardError: declined',
    );
  });

  it('has no step where the code itself has thrown', async () => {
    const run = logged(async (ctx) => {
      await ctx.step('reserve', () => 1);
      declined();
    }, 'failed');
    expect(await run).toBe('Run "r" of "order" is failed: CardError: declined');
  });

  it('has it before and after its steps are compensated', async () => {
    const run = logged(async (ctx) => {
      await ctx.step('reserve', () => 1, { compensate: () => undefined });
      await ctx.step('charge', declined);
    }, 'failed');
    expect(await run).toBe('Run "r" of "order" is failed at step "charge" (position 1): CardError: declined');
    expect(lines).toContain('Run "r" of "order" is compensating at step "charge" (position 1): CardError: declined');
  });

  it('has the step that could not be compensated', async () => {
    const run = logged(async (ctx) => {
      await ctx.step('reserve', () => 1, { compensate: declined });
      throw new Error('sold out');
    }, 'compensation_failed');
    expect(await run).toBe(
      'Run "r" of "order" is compensation_failed at the compensation of step "reserve" (position 0): CardError: declined, caused by Error: sold out',
    );
  });
});
