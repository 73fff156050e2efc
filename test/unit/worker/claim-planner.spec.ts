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

  it('keeps in mind that tasks may wait, until a claim has looked for them', () => {
    const handlers = new HandlerRegistry();
    const concurrencyClass = { name: 'steps', concurrency: 1 };
    handlers.register('a', () => null, { concurrencyClass });
    handlers.register('b', () => null);
    const slots = new Slots(50);
    const planner = new ClaimPlanner(handlers, slots, { now: () => 0 });
    const mayWait = () => ['a', 'b'].map((group) => planner.mayWait(group));
    expect(mayWait()).toEqual([true, true]);
    planner.learn(planner.plan(50)!, []);
    expect(mayWait()).toEqual([false, false]);

    slots.take(concurrencyClass);
    planner.wake(['a']);
    planner.learn(planner.plan(50)!, []);
    // Nothing of it may start.
    expect([mayWait(), planner.hasPromising]).toEqual([[true, false], false]);
    slots.giveBack(concurrencyClass);
    expect(planner.plan(50)!.groups.map(({ group }) => group)).toContain('a');
    // That claim has failed.
    expect(mayWait()).toEqual([true, false]);
    planner.learn(planner.plan(50)!, []);
    expect(mayWait()).toEqual([false, false]);
  });
});
