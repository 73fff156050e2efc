import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { StatementTooLargeError } from '../../../lib/core/errors.js';
import type { StepAnswer } from '../../../lib/core/protocol.js';
import { ManualClock } from '../../../lib/core/time.js';
import { gate } from '../../support/gate.js';
import { describeHouses, type House, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const told = new WorkflowSignal<string>('told');
const POISON = 'a poison';

const listens = (ctx: WorkflowContext) => ctx.waitForSignal('wait', told);
const listensBriefly = (ctx: WorkflowContext) => ctx.waitForSignal('wait', told, { timeout: '1s' });

/** A process whose database takes no answer with the poison, until told otherwise. */
async function boot(house: House) {
  let refuses = true;
  const sent = gate();
  const heard: Error[] = [];
  const broken: string[] = [];
  const late = async (ctx: WorkflowContext) => {
    await ctx.step('until it was sent', () => sent.opened);
    return ctx.waitForSignal('wait', told);
  };
  const process: Process = await house.boot({
    workflows: { listens, listensBriefly, late },
    shutdownMs: 20_000,
    nodeLeaseMs: 60_000,
    hooks: {
      before: (call, [answers]) => {
        if (call !== 'answers.answer' || !refuses) return;
        const isPoisoned = ({ output }: StepAnswer) => output?.includes(POISON);
        if ((answers as StepAnswer[]).some(isPoisoned)) throw new StatementTooLargeError(2_000_000, 1_000_000);
      },
    },
  });
  process.telemetry.on('loop.error', ({ error }) => heard.push(error as Error));
  process.telemetry.on('run.broken', ({ runId }) => broken.push(runId));
  const hears = (text: string) => until(`it is told of ${text}`, () => heard.some((e) => e.message.includes(text)));
  return { ...process, broken, heard, hears, sent: sent.open, relent: () => (refuses = false) };
}

describeHouses('signals that the database refuses to deliver', (house) => {
  it('leave a wait that opens after they were sent as it is, and are tried again', async () => {
    const { client, broken, hears, sent, relent } = await boot(house());
    const handle = await client.start('late');
    await client.signal(told, POISON, { workflowId: handle.id });
    sent();
    await hears(`Signal "told" to run "${handle.id}"`);
    const other = await client.start('listens');
    await client.signal(told, 'x', { workflowId: other.id });
    expect(await other.result({ timeout: '120s' })).toBe('x');
    expect(broken).toEqual([]);
    expect((await client.getStatus(handle.id)).finishedAt).toBeNull();
    relent();
    expect(await handle.result({ timeout: '120s' })).toBe(POISON);
  });

  it('keep no process from stopping, and are looked for by the next that plays the run', async () => {
    const first = await boot(house());
    const handle = await first.client.start('late');
    await first.client.signal(told, POISON, { workflowId: handle.id });
    first.sent();
    await first.hears(`Signal "told" to run "${handle.id}"`);
    await first.stop();
    expect(first.broken).toEqual([]);
    const next = await boot(house());
    next.relent();
    const taken = await next.client.start('late', null, { id: handle.id });
    expect(await taken.result({ timeout: '120s' })).toBe(POISON);
  });

  it('starve no others, however many they are', async () => {
    const { client, heard, broken } = await boot(house());
    // So many that some sort behind a full page of the refused ones.
    const others = await Promise.all(Array.from({ length: 20 }, () => client.start('listens')));
    const ids = Array.from({ length: 230 }, (_, n) => `r${n}`);
    await Promise.all(ids.map((id) => client.start('listens', null, { id })));
    await Promise.all(ids.map((id) => client.signal(told, POISON, { workflowId: id })));
    await until('all are told of', () => new Set(heard.map(({ message }) => message)).size >= ids.length);
    // Their waits' own looks are over, so that only the look for what is new can find the signals.
    await Promise.all(others.map(({ id }) => client.signal(told, 'x', { workflowId: id })));
    const results = await Promise.all(others.map((other) => other.result({ timeout: '120s' })));
    expect(results).toEqual(others.map(() => 'x'));
    expect(broken).toEqual([]);
  });
});

const clock = new ManualClock();

describeHouses(
  'signals that the database refuses to deliver, by a clock that is turned',
  (house) => {
    it('leave a wait whose deadline passes as it is, and are tried again', async () => {
      const { client, broken, hears, relent } = await boot(house());
      const handle = await client.start('listensBriefly');
      await until('it waits', async () => {
        const { history } = await client.getStatus(handle.id, { history: true });
        return history!.some(({ kind, status }) => kind === 'signal' && status === 'pending');
      });
      await client.signal(told, POISON, { workflowId: handle.id });
      clock.advance(1_000);
      await hears(`step "${handle.id}:0", past its deadline`);
      expect(broken).toEqual([]);
      expect((await client.getStatus(handle.id)).finishedAt).toBeNull();
      relent();
      expect(await handle.result({ timeout: '120s' })).toBe(POISON);
    });
  },
  { clock },
);
