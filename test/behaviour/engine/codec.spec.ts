import type { StepRecord } from '../../../lib/engine/step.js';
import type { WorkflowContext } from '../../../lib/index.js';
import { claimOne, report } from '../../support/by-hand.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { SubjectCodec } from '../../support/subject-codec.js';
import { until } from '../../support/until.js';

const ADA = { attributes: { customer: 'ada' } };
const plain = (fields: object = {}) => ({ status: 'failed', output: null, error: JSON.stringify(fields) }) as const;
const failing = plain({ message: 'Lovelace', code: 'E', retryable: false });

type Code = (ctx: WorkflowContext) => Promise<unknown>;

const stepsOf = ({ storage }: Process, id: string): Promise<StepRecord[]> => storage.catalog.steps(id);

/** The key that an error is sealed with. */
const keyOf = (error: string | null): string => (JSON.parse(error!) as { sealed: string }).sealed.split('.')[0]!;

const parked = ({ engine, client }: Process, id: string) =>
  until('it is parked', async () => {
    await engine.residents.tick();
    return (await client.getStatus(id)).status === 'suspended' && !engine.residents.get(id);
  });

describeHouses('a codec with a key per subject, and workers without it', (house) => {
  let codec: SubjectCodec;

  beforeEach(() => {
    codec = new SubjectCodec();
  });

  const failure = (error: { code: string; message: string }) => [error.code, error.message];
  const workflows = {
    order: (ctx: { remote(name: string, input: unknown): Promise<unknown> }) => ctx.remote('far', null).catch(failure),
  };

  it.each([
    ['in memory', 30_000],
    ['parked', 1],
  ])('an error has the key of its run, which is %s', async (where, residencyMs) => {
    const process = await house().boot({ codec, residencyMs, workflows });
    const { id } = await process.client.start('order', 'x', ADA);
    const task = await claimOne(process);
    if (where === 'parked') await parked(process, id);
    await report(process, task, failing);
    expect(await process.client.result(id)).toEqual(['E', 'Lovelace']);
    const [step] = await stepsOf(process, id);
    expect(keyOf(step!.error)).toBe('ada');
    codec.forget('ada');
    expect(JSON.stringify(await process.client.getStatus(id, { history: true }))).not.toContain('Lovelace');
  });

  it('an error that becomes the last outcome of a run that is cancelled has its key', async () => {
    const process = await house().boot({
      codec,
      workflows: {
        order: async (ctx) => {
          await ctx.step('booked', () => 1, { compensate: () => undefined });
          await ctx.remote('far');
        },
      },
    });
    const { id } = await process.client.start('order', 'x', ADA);
    const task = await claimOne(process);
    process.kill();
    const other = await house().boot({ codec, engine: false });
    await report(other, task, failing);
    await other.client.cancel(id);
    const step = (await stepsOf(other, id)).find(({ name }) => name === 'far');
    expect(step).toMatchObject({ status: 'failed' });
    expect(keyOf(step!.error)).toBe('ada');
  });

  it.each([
    ['in memory', 30_000],
    ['parked', 1],
  ])(
    'an output that is no text of it fails its step alone, with a code, in a run that is %s',
    async (where, residencyMs) => {
      const process = await house().boot({ codec, residencyMs, workflows });
      const { id } = await process.client.start('order', 'x', ADA);
      const task = await claimOne(process);
      if (where === 'parked') await parked(process, id);
      await report(process, task, { output: '"1.2.3.4"' });
      expect(await process.client.result(id)).toEqual([
        'UNREADABLE_PAYLOAD',
        expect.stringContaining('codec of the app'),
      ]);
    },
  );

  it('an output of a local step that it cannot read blocks its run: another version may have written it', async () => {
    const undone: unknown[] = [];
    const { decode } = codec;
    codec.decode = (text) => {
      const value = decode.call(codec, text);
      if (value === 'charged') throw new SyntaxError('a text of a newer version');
      return value;
    };
    const order: Code = (ctx) => ctx.step('pay', () => 'charged', { compensate: (paid) => void undone.push(paid) });
    const process = await house().boot({ codec, workflows: { order } });
    const { id } = await process.client.start('order', 'x', ADA);
    const moving = ['pending', 'running', 'compensating'];
    await until('it is at rest', async () => !moving.includes((await process.client.getStatus(id)).status));
    const { status, blockedBy } = await process.client.getStatus(id);
    expect([status, blockedBy?.code, undone]).toEqual(['suspended', 'UNREADABLE_PAYLOAD', []]);
    expect(await stepsOf(process, id)).toMatchObject([{ status: 'completed' }]);
  });

  it.each(['here', 'far'])('an output that is SQL NULL is compensated as null: %s', async (where) => {
    const undone: unknown[] = [];
    const compensate = where === 'far' ? 'unfar' : (output: unknown) => void undone.push(output);
    const order: Code = async (ctx) => {
      await ctx.remote('far', null, { compensate });
      throw new Error('too late');
    };
    const process = await house().boot({ codec, workflows: { order } });
    const { id } = await process.client.start('order', 'x', ADA);
    await report(process, await claimOne(process), { output: null });
    if (where === 'far') {
      const task = await claimOne(process, 'unfar');
      undone.push(codec.decode(task.input!));
      await report(process, task, { output: null });
    }
    await expect(process.client.result(id)).rejects.toMatchObject({ code: 'WORKFLOW_FAILED' });
    expect([(await process.client.getStatus(id)).status, undone]).toEqual(['failed', [null]]);
  });

  it('workers of this process are told of its tasks, and need not poll for them', async () => {
    const process = await house().boot({ codec, workflows });
    const told: string[] = [];
    process.storage.source.onTasks((groups = []) => told.push(...groups));
    await process.client.start('order', 'x', ADA);
    await until('a worker is told', () => told.length > 0);
    expect(told).toEqual(['far']);
  });

  it('what is answered from outside has the key of its run', async () => {
    const process = await house().boot({ codec, workflows });
    const started = [await process.client.start('order', 'x', ADA), await process.client.start('order', 'x', ADA)];
    for (const _ of started) await claimOne(process);
    await process.client.completeStep(`${started[0]!.id}:0`, 'out');
    await process.client.failStep(`${started[1]!.id}:0`, { message: 'no', code: 'E', retryable: false });
    expect([await started[0]!.result(), await started[1]!.result()]).toEqual(['out', ['E', 'no']]);
    const [completed] = await stepsOf(process, started[0]!.id);
    const [failed] = await stepsOf(process, started[1]!.id);
    expect([completed!.output!.split('.')[0], keyOf(failed!.error)]).toEqual(['ada', 'ada']);
  });

  it('is told the attributes of the start, also after the code has changed them', async () => {
    const process = await house().boot({
      codec,
      workflows: {
        changes: async (ctx) => {
          ctx.setAttributes({ customer: 'bob' });
          ctx.setStatus('changed');
          return ctx.step('after', () => 'secret');
        },
      },
    });
    const { id } = await process.client.start('changes', 'x', ADA);
    expect(await process.client.result(id)).toBe('secret');
    const [run] = await process.storage.catalog.find([id]);
    const texts = [run!.input, run!.output, ...(await stepsOf(process, id)).map(({ output }) => output)];
    expect(texts.map((text) => text!.split('.')[0])).toEqual(texts.map(() => 'ada'));
    expect(codec.contexts.filter(({ attributes }) => attributes).map(({ attributes }) => attributes)).toEqual([
      ADA.attributes,
    ]);
    const { runs } = await process.client.list({ attributes: { customer: 'bob' } });
    expect(runs).toMatchObject([{ id, input: 'x', customStatus: 'changed' }]);
    codec.forget('ada');
    expect(await process.client.getStatus(id)).toMatchObject({
      input: { unreadable: true },
      output: { unreadable: true },
    });
  });
});
