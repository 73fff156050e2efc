import type { LocalStepContext } from '../../../lib/engine/context.js';
import { describeHouses } from '../../support/processes.js';

const NO_WAIT = { delay: 1, factor: 1, jitter: 'none' } as const;

/** The longest that a run may have is 180 characters. */
const IDS = [
  'plain-1',
  'zamówienie-Łódź-1',
  'zamówienie-Łódz-1',
  'заказ-1',
  '注文-1',
  '😀',
  'x'.repeat(180),
  'ż'.repeat(180),
];

describeHouses('idempotency keys', (house) => {
  it('fit into a header on every path, whatever the id of the run is', async () => {
    const sent = new Map<string, string[]>();
    /** As `fetch` does, which throws for what it does not take. */
    const send = ({ idempotencyKey, stepId }: Pick<LocalStepContext, 'idempotencyKey' | 'stepId'>) => {
      const header = new Headers({ 'idempotency-key': idempotencyKey }).get('idempotency-key')!;
      sent.set(stepId, [...(sent.get(stepId) ?? []), header]);
    };
    const process = await house().boot({
      handlers: {
        far: (_, step) => {
          send(step);
          if (step.attempt === 1) throw new Error('again');
        },
        unfar: (_, step) => send(step),
      },
      workflows: {
        order: async (ctx) => {
          await ctx.step('near', (step) => send(step), { compensate: (_, step) => send(step) });
          await ctx.remote('far', null, { retry: { attempts: 2, backoff: NO_WAIT }, compensate: 'unfar' });
          ctx.fail('undo all');
        },
      },
    });
    await Promise.all(
      IDS.map((id) => expect(process.client.startAndWait('order', null, { id })).rejects.toThrow('undo all')),
    );
    const steps = IDS.flatMap((id) => [0, 1, -1, -2].map((seq) => `${id}:${seq}`));
    expect([...sent.keys()].sort()).toEqual(steps.sort());
    const keys = [...sent].map(([stepId, all]) => {
      // The same for each attempt.
      expect(new Set(all).size).toBe(1);
      expect(all[0]).toMatch(/^[!-~]{1,255}$/);
      if (/^[!-~]+$/.test(stepId)) expect(all[0]).toBe(stepId);
      return all[0];
    });
    expect(new Set(keys).size).toBe(steps.length);
    expect(sent.get('plain-1:1')).toHaveLength(2);
  });
});
