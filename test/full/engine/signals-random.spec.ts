import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const told = new WorkflowSignal<string>('told');
const SENDERS = 3;
const RUNS = 6;
/** Of each sender, to each run and to the key of all. */
const EACH = 4;
const KEY = 'all';

/** Small and good enough; the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const expected = (to: string): string[] =>
  Array.from({ length: SENDERS }, (_, sender) => Array.from({ length: EACH }, (_, n) => `${to}/${sender}/${n}`)).flat();

/** What came of one sender in one channel. */
const ofOne = (got: readonly string[], to: string, sender: number) =>
  got.filter((payload) => payload.startsWith(`${to}/${sender}/`));

describeHouses('signals of many senders to many runs, while processes die', (house) => {
  const total = 2 * SENDERS * EACH;
  const workflows = {
    inTurn: async (ctx: WorkflowContext) => {
      const got: string[] = [];
      for (let n = 0; n < total; n++) got.push(await ctx.waitForSignal(`n${n}`, told, { key: KEY }));
      return got;
    },
    picky: async (ctx: WorkflowContext) => {
      const got: string[] = [];
      const isOwn = (payload: string) => !payload.startsWith(`${KEY}/`);
      for (let n = 0; n < total / 2; n++) got.push(await ctx.waitForSignal(`o${n}`, told, { match: isOwn }));
      for (let n = 0; n < total / 2; n++) got.push(await ctx.waitForSignal(`k${n}`, told, { key: KEY }));
      return got;
    },
    atOnce: async (ctx: WorkflowContext) => {
      const got: string[] = [];
      const branch = async (name: string, count: number) => {
        for (let n = 0; n < count; n++) got.push(await ctx.waitForSignal(`${name}${n}`, told, { key: KEY }));
      };
      await Promise.all([branch('a', total / 3), branch('b', total / 3), branch('c', total / 3)]);
      return got;
    },
  };
  const names = Object.keys(workflows) as (keyof typeof workflows)[];

  it.each([1, 2])('each run gets each of its signals once, in the order of its sender (seed %i)', async (seed) => {
    const random = randomFrom(seed);
    const { client } = await house().boot({ engine: false, role: 'client' });
    const boot = () => house().boot({ workflows, residencyMs: random() < 0.5 ? 30 : 30_000 });
    const processes: Process[] = [await boot(), await boot()];
    const runs = await Promise.all(
      Array.from({ length: RUNS }, async (_, n) => ({
        name: names[n % names.length]!,
        run: await client.start(names[n % names.length]!),
      })),
    );
    let sent = 0;
    const send = async (sender: number) => {
      for (let n = 0; n < EACH; n++) {
        for (const { run } of [...runs, { run: { id: KEY } }].sort(() => random() - 0.5)) {
          const payload = `${run.id}/${sender}/${n}`;
          const to = run.id === KEY ? { key: KEY } : { workflowId: run.id };
          await client.signal(told, payload, { ...to, id: payload });
          // The same again, as by a sender that did not hear the answer.
          if (random() < 0.2) await client.signal(told, payload, { ...to, id: payload });
          sent++;
          if (random() < 0.3) await pause(random() * 10);
        }
      }
    };
    const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
    const all = SENDERS * EACH * (RUNS + 1);
    for (const share of [0.2, 0.6]) {
      await until('some were sent', () => sent > share * all);
      const [dying] = processes.splice(0, 1);
      dying!.kill();
      await house().bury(dying!);
      processes.push(await boot());
    }
    await sending;
    for (const { name, run } of runs) {
      const got = (await run.result()) as string[];
      expect([...got].sort()).toEqual([...expected(run.id), ...expected(KEY)].sort());
      if (name === 'atOnce') continue;
      for (let sender = 0; sender < SENDERS; sender++)
        for (const to of [run.id, KEY])
          expect(ofOne(got, to, sender)).toEqual(
            expected(to).filter((payload) => payload.startsWith(`${to}/${sender}/`)),
          );
    }
  });
});
