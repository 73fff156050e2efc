import { ClaimPlanner, HandlerRegistry, Slots } from '../../../lib/worker/handlers.js';

describe('what a claim asks for', () => {
  it('comes to a group next whose class was given to another group', () => {
    const handlers = new HandlerRegistry();
    const concurrencyClass = { name: 'steps', concurrency: 1 };
    for (const name of ['a', 'b']) handlers.register(name, () => null, { concurrencyClass });
    const planner = new ClaimPlanner(handlers, new Slots(50), { now: () => 0 });

    const asked: string[] = [];
    do {
      const plan = planner.plan(50)!;
      asked.push(...plan.groups.map(({ group }) => group));
      planner.learn(plan, []);
    } while (planner.hasPromising);
    expect(asked.sort()).toEqual(['a', 'b']);
  });
});
