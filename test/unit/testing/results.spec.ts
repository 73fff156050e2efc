import { Injectable } from '@nestjs/common';
import {
  Effect,
  type EffectContext,
  NonRetryableEffectError,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../../lib/index.js';
import { createTestingDurable, RunWaitsError, type TestingDurable } from '../../../lib/testing/index.js';
import { type OwnPrograms, ownPrograms } from '../../support/compiled.js';
import { startProgram } from '../../support/programs.js';
import { thrownBy } from '../../support/thrown-by.js';

const approval = new WorkflowSignal<string>('approval');

@Injectable()
class Services {
  @Effect('crm')
  crm(ref: string, { attempt }: EffectContext): void {
    if (ref === 'refused') throw new NonRetryableEffectError('no');
    if (ref === 'away' && attempt === 1) throw new Error('not yet');
  }
}

@Worker()
class Flaky {
  @RemoteStep('flaky', { retry: { attempts: 3, backoff: '1h' } })
  flaky(): string {
    throw new Error('down');
  }
}

@Workflow('asks')
class Asks {
  async run(ctx: WorkflowContext): Promise<unknown> {
    return ctx.waitForSignal('answer', approval, { timeout: '2d' });
  }
}

@Workflow('waits')
class Waits {
  async run(ctx: WorkflowContext, how: string): Promise<unknown> {
    const effects = () => ctx.effects({ operation: 'tell', subject: how, calls: [{ handler: 'crm', ref: how }] });
    const waits: Record<string, () => unknown> = {
      sleep: () => ctx.sleep('trial', '14d'),
      signal: () => ctx.waitForSignal('answer', approval),
      child: () => ctx.executeChild(Asks, undefined),
      retry: () => ctx.remote(Flaky).flaky(),
      nobody: () => ctx.remote('printed elsewhere', 1, { group: 'print' }),
      outside: () => new Promise(() => undefined),
      wrong: () => (undefined as unknown as string).length,
    };
    await (waits[how] ?? effects)();
    return how;
  }
}

/** Code of the app that waits itself. */
@Injectable()
class Shop {
  constructor(private readonly workflows: WorkflowClient) {}

  order(): Promise<unknown> {
    return this.workflows.startAndWait(Waits, 'signal');
  }
}

describe('a result that a test awaits', () => {
  let durable: TestingDurable;
  beforeEach(async () => {
    durable = await createTestingDurable({ workflows: [Waits, Asks], providers: [Services, Flaky, Shop] });
  });
  afterEach(() => durable.close());

  const resultOf = async (how: string) =>
    durable.client.result((await durable.client.start(Waits, how, { id: how })).id);

  it('says what its run waits for, and what the test has to do', async () => {
    const waits: [how: string, text: string][] = [
      ['sleep', 'sleep "trial" (position 0) until 2026-01-15T00:00:00.000Z: turn the clock'],
      ['signal', 'signal "approval" in step "answer" (position 0), without a deadline: send it'],
      [
        'child',
        'child run "child.0" of "asks" (position 0). Run "child.0" has not ended, and nothing more happens by itself. It ' +
          'waits for signal "approval" in step "answer" (position 0) until 2026-01-03T00:00:00.000Z: turn the clock or send it',
      ],
      [
        'retry',
        'remote step "flaky" (position 0): attempt 2 at 2026-01-01T01:00:00.000Z, after Error: down: turn the clock',
      ],
    ];
    const errors = await Promise.all(waits.map(([how]) => thrownBy(resultOf(how))));
    expect(errors.every((error) => error instanceof RunWaitsError)).toBe(true);
    expect(errors.map((error) => (error as Error).message)).toEqual(
      waits.map(
        ([how, text]) => `Run "${how}" has not ended, and nothing more happens by itself. It waits for ${text}`,
      ),
    );
  });

  it('also tells of what has no time and no signal', async () => {
    const waits: [how: string, text: RegExp][] = [
      [
        'nobody',
        /It waits for the remote step "printed elsewhere" of group "print", which nothing in this test serves/,
      ],
      ['outside', /It waits for something that is no step: a timer, fetch or a query$/],
      ['wrong', /^Run "wrong" of "waits" \(version 1\) is blocked: an error in its code: TypeError/],
      ['refused', /"crm" was abandoned after 1 attempts and has to be requeued$/],
      ['away', /"crm" is failed, next attempt at .*: turn the clock$/],
    ];
    const errors = await Promise.all(waits.map(([how]) => thrownBy(resultOf(how))));
    waits.forEach(([, text], i) => expect((errors[i] as Error).message).toMatch(text));
  });

  it('comes when all that it needs can happen: calls of effects are made', async () => {
    await expect(resultOf('fine')).resolves.toBe('fine');
  });

  it('may be awaited before the test turns the clock, or sends what the run waits for', async () => {
    const slept = resultOf('sleep');
    await durable.clock.advance('14d');
    await expect(slept).resolves.toBe('sleep');
    const { id, result } = await durable.client.start(Waits, 'signal');
    const approved = result();
    await durable.client.signal(approval, 'yes', { workflowId: id });
    await expect(approved).resolves.toBe('signal');
  });

  it('is told of wherever it is awaited: by the handle, and in code of the app', async () => {
    const { result } = await durable.client.start(Waits, 'signal');
    const errors = await Promise.all([thrownBy(result()), thrownBy(durable.get(Shop).order())]);
    for (const error of errors) expect(error).toBeInstanceOf(RunWaitsError);
  });

  it('keeps to the time that the caller gives', async () => {
    const { result } = await durable.client.start(Waits, 'signal');
    await expect(result({ timeout: 1 })).rejects.toMatchObject({ code: 'RESULT_TIMEOUT' });
  });
});

/** What a test does that forgets to close the kit. */
const PROGRAM = `
import { Workflow } from 'nest-durable';
import { createTestingDurable } from 'nest-durable/testing';

class Naps {
  async run(ctx) {
    await ctx.step('one', () => 1);
    await ctx.sleep('nap', '1d');
    return 'rested';
  }
}
Workflow('naps')(Naps);
const durable = await createTestingDurable({ workflows: [Naps] });
const nap = durable.spyStep('one');
const { id } = await durable.client.start(Naps);
await nap.called();
await durable.client.result(id).catch(({ message }) => console.log(message));
await durable.clock.advance('1d');
console.log(await durable.client.result(id));
await durable.client.start(Naps);
if (process.env.CLOSES) {
  await durable.close();
  console.log('closed');
}
`;

describe('A testing kit that was not closed', () => {
  let programs: OwnPrograms;
  beforeAll(() => (programs = ownPrograms()));
  afterAll(() => programs.close());

  it.each([
    [{}, []],
    [{ CLOSES: 'yes' }, ['closed']],
  ])('keeps no process alive, and all that is awaited ends before: %p', async (env, last) => {
    const { ended } = startProgram(programs.write('open.mjs', PROGRAM), [], env);
    const { output, code } = await ended;
    expect(output.split('\n').filter(Boolean)).toEqual([expect.stringContaining('sleep "nap"'), 'rested', ...last]);
    expect(code).toBe(0);
  });
});
