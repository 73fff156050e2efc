import type { Codec } from '../../../lib/core/codec.js';
import { sealedCodec, WorkflowSignal } from '../../../lib/index.js';
import { DurableLog } from '../../../lib/nest/log.js';
import { type Body, engineParts, type EngineParts } from '../../support/engine-parts.js';
import { memoryStorage } from '../../support/engine-storage.js';
import { until } from '../../support/until.js';

const GO = new WorkflowSignal<number>('go');
const HERE = /at .*blocked-log\.spec\.[jt]s:\d+:\d+\)?$/;
const sealed: Codec = sealedCodec({ keys: [{ id: 'k1', key: Buffer.alloc(32, 7) }] });

describe('The log of a blocked run', () => {
  let parts: EngineParts;
  afterEach(() => parts.stop());

  const begin = async (run: Body, options: Parameters<typeof engineParts>[1] = {}, storage = memoryStorage()) => {
    parts = engineParts(storage, options);
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const target = { log: write, warn: write, error: write, debug: () => undefined };
    new DurableLog(target, { now: () => 0 }).subscribe(parts.telemetry);
    parts.define('w', run);
    await parts.start();
    return { lines, storage };
  };
  const blockedLine = async (lines: readonly string[]) => {
    await until('the line', () => lines.some((line) => line.includes('is blocked')));
    const { text } = await parts.client.explain('r');
    return { line: lines.find((line) => line.includes('is blocked'))!, text };
  };
  const blocked = async (...how: Parameters<typeof begin>) => {
    const { lines } = await begin(...how);
    await parts.client.start('w', undefined, { id: 'r' });
    return blockedLine(lines);
  };
  const wrong: Body = () => Promise.resolve((undefined as unknown as string).length);

  it.each<[string, Body, RegExp]>([
    ['an error in the code', wrong, /\(programming_error\): TypeError/],
    [
      'an error with another cause',
      async () => {
        const cause = new Error('inside');
        throw Object.assign(new TypeError('wrapped', { cause }), { stack: 'TypeError: wrapped' });
      },
      /wrapped, caused by Error: inside/,
    ],
    ['a call that ctx refuses', (ctx) => ctx.sleep('x', 'soon' as never), /\(programming_error\)/],
  ])('has the first place in the code of the app: %s', async (_, run, why) => {
    const { line, text } = await blocked(run);
    expect(line).toMatch(why);
    expect(line).toMatch(HERE);
    expect(text).toMatch(/blocked-log\.spec/);
  });

  it('has the place where code does not fit its history', async () => {
    const { storage } = await begin((ctx) => ctx.waitForSignal('one', GO), { residencyMs: 20 });
    await parts.client.start('w', undefined, { id: 'r' });
    await until('the park', async () => (await parts.client.getStatus('r')).status === 'suspended');
    await parts.stop();
    const { lines } = await begin((ctx) => ctx.sleep('two', '1h'), {}, storage);
    await parts.client.signal(GO, 1, { workflowId: 'r' });
    const { line, text } = await blockedLine(lines);
    expect(line).toMatch(/\(non_determinism\)/);
    expect(line).toMatch(HERE);
    expect(text).toMatch(/the code asks for sleep "two", at .*blocked-log\.spec/);
  });

  it('has it also where the record is sealed', async () => {
    const { line } = await blocked(wrong, { codec: sealed });
    expect(line).toMatch(HERE);
  });
});
