import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT, type Story } from './kind.js';

export const SCHEDULE = 'chaos-every';
const EVERY_MS = 2_000;

@Workflow('chaos.scheduled', {
  retry: PATIENT,
  schedules: [{ id: SCHEDULE, every: EVERY_MS, missed: 'all', overlap: 'allow' }],
})
class Scheduled {
  run(ctx: WorkflowContext): Promise<string> {
    return ctx.step('work', (step) => body(step, 'work', {}));
  }
}

/** `<schedule>@<time>`. */
const timeOf = ({ id }: Story): number => Date.parse(id.slice(SCHEDULE.length + 1));

function gaps(stories: readonly Story[]): string[] {
  const times = stories.map(timeOf).sort((a, b) => a - b);
  return times.flatMap((time, i) => {
    const apart = i === 0 ? EVERY_MS : time - times[i - 1]!;
    return apart === EVERY_MS ? [] : [`fired ${apart} ms apart before ${new Date(time).toISOString()}`];
  });
}

/** A schedule that catches up: every time fires once, however long nobody could fire it. It starts its runs by itself. */
export const scheduled: Kind = {
  name: 'chaos.scheduled',
  providers: [Scheduled],
  share: 0,
  plan: () => ({ input: null }),
  judge: (story) => completed(story),
  judgeAll: gaps,
};
