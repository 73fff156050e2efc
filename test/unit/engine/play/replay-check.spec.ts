import { checkReplay, type ReplayCheck } from '../../../../lib/engine/play/replay.js';
import { jsonCodec } from '../../../../lib/core/codec.js';
import { systemClock } from '../../../../lib/core/time.js';
import type { ErrorRules } from '../../../../lib/core/wire-error.js';
import { type Body, engineParts, type EngineParts } from '../../../support/engine-parts.js';
import { memoryStorage, type OpenStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

const PARTS = {
  codec: jsonCodec,
  clock: systemClock,
  namespace: '',
  retry: undefined,
  patienceMs: 100,
  remoteSteps: { ofClass: () => new Map<string, never>(), ofName: () => undefined },
  lookup: () => ({ name: 'w', version: 1 }),
  limits: { payloadBytes: 1 << 20, steps: 10_000 },
};

describe('A replay check', () => {
  let storage: OpenStorage;
  let parts: EngineParts;
  let acted: string[];
  const act = (what: string) => () => void acted.push(what);
  beforeEach(async () => {
    acted = [];
    storage = memoryStorage();
    parts = engineParts(storage);
  });
  afterEach(() => parts.stop());

  /** Plays `body` until it has recorded so many positions. */
  const recorded = async (body: Body, positions: number) => {
    parts.define('w', body);
    await parts.start();
    await parts.client.start('w', 7, { id: 'run' });
    await until('the history', async () => (await storage.catalog.steps('run')).length >= positions);
    await until('the park', async () => (await parts.client.getStatus('run')).status === 'suspended');
    acted = [];
  };
  const against = async (run: Body, change: object = {}, errors: ErrorRules = {}): Promise<ReplayCheck> => {
    const before = JSON.stringify([await storage.catalog.find(['run']), await storage.catalog.steps('run')]);
    const { runs } = await storage.unfinished.page({ namespace: '', afterId: '', scan: 10 });
    const history = await storage.catalog.steps('run');
    const definition = { name: 'w', version: 1, runner: { run } };
    const outcome = await checkReplay({ ...runs[0]!, ...change }, history, definition, { ...PARTS, errors });
    expect(JSON.stringify([await storage.catalog.find(['run']), await storage.catalog.steps('run')])).toBe(before);
    return outcome;
  };

  const original: Body = async (ctx) => {
    await ctx.step('one', act('one'), { compensate: act('undo one') });
    ctx.now();
    await ctx.sleep('long', '1d');
    await ctx.step('two', act('two'));
  };

  it('fits the code that recorded it, and begins no step, be it recorded or not', async () => {
    await recorded(original, 3);
    expect(await against(original)).toEqual({ verdict: 'fits', then: 'waits' });
    const longer: Body = async (ctx) => {
      await Promise.all([ctx.step('one', act('one')).then(() => ctx.now()), new Promise(setImmediate)]);
      await Promise.race([ctx.sleep('long', '1d'), ctx.step('more', act('more')), ctx.remote('afar', 1)]);
    };
    expect(await against(longer)).toEqual({ verdict: 'fits', then: 'waits' });
    expect(acted).toEqual([]);
  });

  it('says where code asks for something else', async () => {
    await recorded(original, 3);
    const added: Body = async (ctx) => {
      await ctx.step('one', act('one'));
      await ctx.step('added', act('added'));
    };
    expect(await against(added)).toMatchObject({
      verdict: 'blocks',
      reason: 'non_determinism',
      position: 1,
      recorded: 'marker "now"',
      asked: 'step "added"',
    });
    expect(acted).toEqual([]);
  });

  it('says what code leaves out: by ending early, by throwing, or by waiting for something else', async () => {
    await recorded(original, 3);
    const leftover = { verdict: 'blocks', reason: 'non_determinism', position: 1, asked: 'nothing' };
    expect(await against(async (ctx) => ctx.step('one', act('one')))).toMatchObject(leftover);
    const throws: Body = async (ctx) => {
      await ctx.step('one', act('one'));
      throw new Error('business');
    };
    expect(await against(throws)).toMatchObject(leftover);
    const hangs: Body = async (ctx) => {
      await ctx.step('one', act('one'));
      await new Promise(() => undefined);
    };
    expect(await against(hangs)).toMatchObject(leftover);
  });

  it('takes as long as a long history takes: code that goes on waits for nothing else', async () => {
    const STEPS = 4_000;
    const body: Body = async (ctx) => {
      for (let n = 0; n < STEPS; n++) await ctx.step('one', () => n);
      await ctx.sleep('long', '1d');
    };
    await recorded(body, STEPS + 1);
    const { runs } = await storage.unfinished.page({ namespace: '', afterId: '', scan: 10 });
    const history = await storage.catalog.steps('run');
    const outside: number[] = [];
    // Far longer than ten times the patience.
    const options = { ...PARTS, patienceMs: 5, onOutside: (seq: number) => void outside.push(seq) };
    const definition = { name: 'w', version: 1, runner: { run: body } };
    expect(await checkReplay(runs[0]!, history, definition, options)).toEqual({ verdict: 'fits', then: 'waits' });
    expect(outside).toEqual([]);
  });

  it('waits a little for code that waits for something else', async () => {
    await recorded(original, 3);
    const slow: Body = async (ctx) => {
      await ctx.step('one', act('one'));
      await new Promise((resolve) => setTimeout(resolve, 30));
      ctx.now();
      await new Promise((resolve) => setTimeout(resolve, 30));
      await ctx.sleep('long', '1d');
    };
    expect(await against(slow)).toEqual({ verdict: 'fits', then: 'waits' });
  });

  it('says what the code threw because it is wrong, and of what kind its end would be', async () => {
    await recorded(original, 3);
    const wrong: Body = async (ctx) => {
      await ctx.step('one', act('one'));
      (undefined as unknown as { x: () => void }).x();
    };
    const blocks = { verdict: 'blocks', reason: 'programming_error', position: null };
    expect(await against(wrong)).toMatchObject({ ...blocks, detail: expect.stringContaining('TypeError') as string });
    const redact = ({ name }: { name: string }) => ({ name, message: 'hidden' });
    expect(await against(wrong, {}, { redact })).toMatchObject({ detail: 'TypeError: hidden' });
    expect(await against(original, { input: 'not JSON' })).toMatchObject(blocks);
    const ends: Body = async (ctx) => {
      await ctx.step('one', act('one'));
      ctx.now();
      await Promise.race([ctx.sleep('long', '1d'), Promise.resolve()]);
      return 'early';
    };
    expect(await against(ends)).toEqual({ verdict: 'fits', then: 'completed' });
  });

  it('says that code comes to its end, whatever it writes and begins before', async () => {
    await recorded(original, 3);
    const ends: Body = async (ctx) => {
      await ctx.step('one', act('one'));
      ctx.now();
      void ctx.sleep('long', '1d');
      await ctx.startChild('w', 8);
      return 'early';
    };
    expect(await against(ends)).toEqual({ verdict: 'fits', then: 'completed' });
  });

  it('plays runs on their way to their end, and undoes nothing', async () => {
    await recorded(original, 3);
    const closing = { closing: 'cancelled', unwinds: true } as const;
    expect(await against(original, closing)).toEqual({ verdict: 'fits', then: 'waits' });
    const otherwise: Body = async (ctx) => void (await ctx.step('other', act('other')));
    expect(await against(otherwise, closing)).toMatchObject({ verdict: 'blocks', position: 0 });
    expect(acted).toEqual([]);
  });
});
