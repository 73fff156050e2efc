import { jsonCodec } from '../../../lib/core/codec.js';
import { systemClock } from '../../../lib/core/time.js';
import type { EffectStorage } from '../../../lib/effects/entries.js';
import { inMemoryEffectStorage, MemoryEffects } from '../../../lib/effects/entries.memory.js';
import { sqlEffectStorage } from '../../../lib/effects/entries.sql.js';
import { effectTables } from '../../../lib/effects/tables.sql.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { EffectCompletions } from '../../../lib/engine/signals.js';
import { effectsOfSteps, tellingRuns } from '../../../lib/nest/outgoing.js';
import { effectsOn } from '../../support/effect-runners.js';
import type { OpenStorage } from '../../support/engine-storage.js';
import { describeHouses, type Process } from '../../support/processes.js';

const RULES = { codec: jsonCodec, payloadBytes: 1_000_000 };

const workflows = {
  leave: async (ctx: WorkflowContext, user: string) => {
    await ctx.step('before', () => user);
    const calls = ['mail', 'billing'].map((handler) => ({ handler, ref: user }));
    const first = await ctx.effects({ operation: 'erase', subject: user, calls });
    const again = await ctx.effects('again', { operation: 'erase', subject: user, calls: calls.slice(0, 1) });
    return [...first, ...again];
  },
};

describeHouses('ctx.effects with the calls of this library', (house) => {
  let effectsOf: (storage: OpenStorage) => EffectStorage;
  beforeEach(async () => {
    const memory = inMemoryEffectStorage(new MemoryEffects(systemClock));
    effectsOf = ({ executor, notifier }) =>
      executor ? sqlEffectStorage(executor, effectTables('durable'), notifier!) : memory;
    await house().backend?.query('DELETE FROM durable_effects');
  });

  const boot = async (): Promise<Process> =>
    house().boot({ workflows, stepEffects: (storage) => effectsOfSteps(effectsOf(storage).store, RULES) });
  const runnerOf = ({ storage }: Process, calls: string[]) => {
    const effects = effectsOf(storage);
    const settlements = tellingRuns(effects, new EffectCompletions(storage));
    const handler = (name: string) => ({ [name]: (ref: unknown) => void calls.push(`${name} ${String(ref)}`) });
    return effectsOn({ ...effects, settlements }, { handlers: { ...handler('mail'), ...handler('billing') } });
  };

  it('every run goes on when its calls were made, each once, wherever they are made', async () => {
    const processes = [await boot(), await boot()];
    const calls: string[] = [];
    const runners = processes.map((process) => runnerOf(process, calls).runner);
    for (const runner of runners) runner.start();
    const users = Array.from({ length: 40 }, (_, n) => `user-${n}`);
    const runs = await Promise.all(users.map((user, n) => processes[n % 2]!.client.start('leave', user, { id: user })));
    const outputs = await Promise.all(runs.map((run) => run.result({ timeout: '120s' })));
    for (const runner of runners) await runner.stop();
    expect(calls.sort()).toEqual(users.flatMap((user) => [`billing ${user}`, `mail ${user}`, `mail ${user}`]).sort());
    expect(new Set(outputs.flat() as string[]).size).toBe(120);
    const { storage } = processes[0]!;
    expect(await effectsOf(storage).insight.statusCounts()).toMatchObject({ succeeded: 120, pending: 0 });
  });
});
