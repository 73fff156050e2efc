import type { Transaction } from '../../../lib/core/transaction.js';
import type { StepAnswer } from '../../../lib/core/protocol.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { sized } from '../../support/tiers.js';
import { until } from '../../support/until.js';

const CHILDREN = 8;
/** In parts that a loaded machine gets through. */
const parentsOn = (orm: string | undefined): number => (orm === 'typeorm' ? sized(1_000, 300) : 200);

describeHouses('fan-in', (house) => {
  it('eight children that end together, each told twice, never strand a parent or move it twice (E1, E9)', async () => {
    const count = parentsOn(house().backend?.orm);
    let deliver: (answers: readonly StepAnswer[]) => void = () => undefined;
    const processes: Process[] = [];
    const again = new WeakSet<object>();
    const moved = new Map<string, number>();
    for (let n = 0; n < 2; n++) {
      const boot = await house().boot({
        workflows: {
          parent: async (ctx: WorkflowContext) => {
            const outputs = await ctx.all<number>(
              'child',
              Array.from({ length: CHILDREN }, (_, i) => i),
            );
            return ctx.step('moved', () => {
              moved.set(ctx.workflowId, (moved.get(ctx.workflowId) ?? 0) + 1);
              return outputs.reduce((sum, i) => sum + i, 0);
            });
          },
          child: async (_: WorkflowContext, i: number) => i,
        },
        hooks: {
          after: async (call, args) => {
            if (call !== 'answers.answer') return;
            const [answers, tx] = args as [readonly StepAnswer[], Transaction];
            if (again.has(answers)) return;
            // Again in the same transaction, and to whoever hears, with or without the row.
            const twice = [...answers].reverse().map((answer) => ({ ...answer }));
            again.add(twice);
            await processes[0]?.storage.answers.answer(twice, tx);
            setImmediate(() => deliver(answers));
          },
        },
      });
      processes.push(boot);
    }
    deliver = (answers) => {
      for (const { engine, alive } of processes)
        if (alive) void engine.collector.arrived(answers).catch(() => undefined);
    };
    const [first] = processes as [Process];
    const errors: unknown[] = [];
    for (const { telemetry } of processes) telemetry.on('loop.error', ({ error }) => errors.push(error));
    const ids = Array.from({ length: count }, (_, n) => `p${n}`);
    const handles = await Promise.all(ids.map((id) => first.client.start('parent', null, { id })));
    const sums = await Promise.all(handles.map((handle) => handle.result()));
    expect(new Set(sums)).toEqual(new Set([28]));
    expect([...moved.values()].filter((times) => times !== 1)).toEqual([]);
    expect(moved.size).toBe(count);
    expect(errors).toEqual([]);
    await until('no answer is left', async () => (await first.storage.dispatcher.peek(10)).answers.length === 0);
  });
});
