import { Workflow, type WorkflowContext, WorkflowSignal } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

const go = new WorkflowSignal<string>('chaos.go');

interface Input {
  ms: number;
}

@Workflow('chaos.races', { retry: PATIENT })
class Races {
  async run(ctx: WorkflowContext, { ms }: Input): Promise<unknown[]> {
    const first = await ctx.waitForAny('race', { signal: ctx.signalWait(go), timer: ctx.timer(ms) });
    await ctx.step('decided', (step) => body(step, 'decided', { winner: first.key }));
    // A signal that lost is there for the next wait.
    const payload = first.key === 'signal' ? first.value : await ctx.waitForSignal('late', go);
    return [first.key, payload];
  }
}

/** A signal against a timer: one of them wins, and every replay says the same one. */
export const races: Kind = {
  name: 'chaos.races',
  providers: [Races],
  share: 2,
  plan: (random, id) => ({
    input: { ms: random.whole(50, 900) },
    deeds: [
      {
        afterMs: random.whole(0, 900),
        command: { do: 'signal', name: go.name, payload: `go ${id}`, to: { workflowId: id }, id: `${id}/go` },
      },
    ],
  }),
  judge: (story) => {
    const winners = [...new Set(story.bodies.map(({ saw }) => saw['winner']))];
    const [winner] = winners;
    return [
      ...completed(story, [winner, `go ${story.id}`]),
      ...(winners.length > 1 ? [`was decided differently by different replays: ${winners.join(', ')}`] : []),
    ];
  },
};
