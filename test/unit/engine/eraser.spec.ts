import { inspect } from 'node:util';
import { InMemoryActLog } from '../../../lib/acts/acts.memory.js';
import { ManualClock } from '../../../lib/core/time.js';
import { ClientErasure } from '../../../lib/engine/client/erasure.js';
import { ABANDONED_MS, NO_OUTGOING, type OutgoingErasure } from '../../../lib/engine/erasure.js';
import { inMemoryEngineStorage } from '../../../lib/engine/storage.memory.js';
import { MemoryTables } from '../../../lib/engine/tables.memory.js';
import { Eraser, ErasureTally } from '../../../lib/engine/upkeep.js';
import { interceptedPort } from '../../../lib/testing/crash-explorer.js';
import { InMemoryTransport } from '../../../lib/worker/transport.memory.js';
import { newRun } from '../../contract/conformance/fixtures.js';

const BY = { actor: 'ada', reason: 'a test' };
const none = async () => undefined;

/** Three generations that have ended, and what an interrupted process has of their storage. */
async function family(dies: (call: number) => boolean = () => false) {
  const clock = new ManualClock();
  const tables = new MemoryTables();
  const transport = new InMemoryTransport(clock);
  const engine = inMemoryEngineStorage(clock, () => [], tables, new InMemoryActLog(clock));
  const parent = (id: string) => ({ parent: { id, seq: 0, close: 'abandon' as const } });
  await engine.catalog.create([newRun('a', { input: '"secret"', attributes: { who: 'secret' } })]);
  await engine.catalog.create([newRun('b', { input: '"secret"', ...parent('a') })]);
  await engine.catalog.create([newRun('c', { input: '"secret"', ...parent('b') })]);
  for (const id of ['a', 'b', 'c']) await engine.control.close(id, 'terminated', none);
  let calls = 0;
  const erasure = interceptedPort(engine.erasure, async (_, call) => {
    if (dies(++calls)) throw new Error('died');
    return call();
  });
  const storage = { ...engine, erasure, dispatcher: transport, answers: transport };
  const ports = (outgoing: OutgoingErasure = NO_OUTGOING) => ({ storage, outgoing, namespace: '' });
  return { clock, tables, ports, calls: () => calls };
}

describe('an erasure', () => {
  it('that is interrupted at any call is finished by an engine, and nothing is left', async () => {
    const whole = await family();
    await new ClientErasure(whole.ports()).erase({ attribute: { who: 'secret' } }, BY);
    expect(whole.calls()).toBeGreaterThan(8);
    // The first call marks: before it, nothing has begun.
    for (let last = 2; last <= whole.calls(); last++) {
      const { clock, tables, ports } = await family((call) => call === last);
      const erasing = new ClientErasure(ports()).erase({ attribute: { who: 'secret' } }, BY);
      await expect(erasing).rejects.toThrow('died');
      clock.advance(ABANDONED_MS + 1);
      await new Eraser(ports()).work({ namespace: '' }, new ErasureTally());
      expect(inspect(tables, { depth: 10 })).not.toContain('secret');
      expect(tables.erasures.size).toBe(0);
    }
  });

  it('keeps the mark of a run while something of it is still to be called or published', async () => {
    const { clock, tables, ports } = await family();
    let kept = [{ kind: 'effect' as const, id: 'e', runId: 'b', why: 'not yet' }];
    const effectsOf = async () => ({ ...(await NO_OUTGOING.effectsOf([], false)), kept });
    const held = ports({ ...NO_OUTGOING, effectsOf });
    const report = await new ClientErasure(held).erase({ id: 'a' }, BY);
    expect(report).toMatchObject({ complete: false, left: 1, kept });
    expect([...tables.erasures.values()].map(({ runId }) => runId)).toEqual(['b']);
    kept = [];
    clock.advance(ABANDONED_MS + 1);
    await new Eraser(held).work({ namespace: '' }, new ErasureTally());
    expect(tables.erasures.size).toBe(0);
  });

  it('keeps the mark of a run that begins anew while it is being erased, and reports it', async () => {
    const { tables, ports } = await family();
    const { storage } = ports();
    const anew = newRun('a', { reuse: 'ended', input: '"secret"' });
    const effectsOf = async () => {
      if (tables.runs.get('a')!.erasedAt !== null) await storage.catalog.create([anew]);
      return NO_OUTGOING.effectsOf([], false);
    };
    const report = await new ClientErasure(ports({ ...NO_OUTGOING, effectsOf })).erase({ id: 'a' }, BY);
    expect(report).toMatchObject({ complete: false, underWay: 1, kept: [{ kind: 'run', id: 'a' }] });
    await storage.control.close('a', 'terminated', none);
    await new Eraser(ports()).work({ namespace: '' }, new ErasureTally());
    expect([tables.runs.get('a')!.input, tables.erasures.size]).toEqual([null, 0]);
  });

  it('removes what operators were shown of a run, and of the parent whose record of it is erased', async () => {
    const { ports } = await family();
    const { storage } = ports();
    const what = { ...BY, action: 'resolve step', kind: 'run', namespace: '', outcome: 'completed' } as const;
    const acts = ['a', 'b', 'other'].map((target) => ({ ...what, target, details: { before: 'secret' } }));
    await storage.acts.within(undefined, (tx) => storage.acts.record(acts, tx));
    await new ClientErasure(ports()).erase({ id: 'b' }, BY);
    const left = (await storage.acts.list({ namespace: '', kind: 'run', limit: 9 })).acts.reverse();
    expect(left.map(({ details }) => details)).toEqual([{}, {}, { before: 'secret' }]);
  });

  it('is recorded once, without what it erases', async () => {
    const { ports } = await family();
    const { storage } = ports();
    const { id } = await new ClientErasure(ports()).erase({ id: 'a', attribute: { who: 'secret' } }, BY);
    const acts = (await storage.acts.list({ namespace: '', limit: 10 })).acts;
    const details = { attributes: ['who'], ids: 1, effects: 0, signals: 0, channels: 0, discards: false };
    expect(acts).toMatchObject([{ ...BY, action: 'erase', kind: 'bulk', target: id, outcome: 'begun', details }]);
  });
});
