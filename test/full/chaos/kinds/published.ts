import { Outbox, Workflow, type WorkflowContext } from 'nest-durable';
import { orm } from '../app/orm.js';
import { completed, type Kind, PATIENT } from './kind.js';

interface Input {
  channel: string;
}

@Workflow('chaos.published', { retry: PATIENT })
class PublishedEvents {
  constructor(private readonly outbox: Outbox) {}

  async run(ctx: WorkflowContext, { channel }: Input): Promise<void> {
    await ctx.publish('begin', { channel, name: 'begun', data: { mark: `${ctx.workflowId}/begin` } });
    await ctx.transaction('counted', async (tx: unknown) => {
      // Whoever has the row commits before the next one has it, so n says the order of the commits.
      await orm().write(tx, 'UPDATE chaos_counters SET n = n + 1 WHERE channel = ?', [channel]);
      const [row] = await orm().write(tx, 'SELECT n FROM chaos_counters WHERE channel = ?', [channel]);
      const data = { mark: `${ctx.workflowId}/counted`, n: Number(row?.['n']) };
      await this.outbox.publish({ channel, name: 'counted', data }, { transaction: tx });
    });
    await ctx.publish('end', { channel, name: 'ended', data: { mark: `${ctx.workflowId}/end` } });
  }
}

export const CHANNELS = ['chaos:a', 'chaos:b', 'chaos:c'];

/** The marks of the events of a run, in their order. */
export const marksOf = (id: string): string[] => ['begin', 'counted', 'end'].map((place) => `${id}/${place}`);

/** Events of steps and of transactions. What must hold of them is looked at over all runs together. */
export const published: Kind = {
  name: 'chaos.published',
  providers: [PublishedEvents],
  share: 2,
  plan: (random) => ({ input: { channel: random.pick(CHANNELS) } }),
  judge: (story) => completed(story),
};
