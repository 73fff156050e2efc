import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

const NO_WAIT = { delay: 1, factor: 1, jitter: 'none' } as const;
const GO = new WorkflowSignal<string>('go');

/** Tells later whether the machine has put back its clock since, as it does to follow others. */
function watchClock(): () => boolean {
  const ahead = () => Date.now() - performance.now();
  const before = ahead();
  return () => before - ahead() > 2;
}

describeHouses('the moments of a run', (house) => {
  /** How far the clock of the process is ahead of that of the storage. */
  it.each([-3_000, -14, 0, 14])('never go back, played by a clock that is %d ms ahead', async (ahead) => {
    const wasPutBack = watchClock();
    const process = await house().boot({
      clock: { now: () => Date.now() + ahead },
      handlers: {
        far: async (_, { attempt, log }) => {
          log.info('far');
          if (attempt === 1) throw new Error('again');
          const begun = performance.now();
          await until('a moment is over', () => performance.now() > begun + 5);
          log.info('still far');
        },
      },
      workflows: {
        child: async (ctx) => {
          await ctx.step('inner', () => 1);
          return ctx.waitForSignal('inner go', GO);
        },
        order: async (ctx) => {
          let tries = 0;
          await ctx.step(
            'near',
            ({ log }) => {
              log.info('near');
              if (++tries === 1) throw new Error('again');
            },
            { retry: { attempts: 2, backoff: NO_WAIT }, compensate: () => undefined },
          );
          ctx.log.info('between');
          await ctx.remote('far', null, { retry: { attempts: 2, backoff: NO_WAIT } });
          await ctx.sleep('pause', 1);
          await ctx.executeChild('child', null, { id: 'the child' });
          ctx.fail('undo all');
        },
      },
    });
    const { id } = await process.client.start('order', null, { id: 'order-1' });
    await until('the child waits', async () =>
      (await process.client.getStatus('the child', { history: true }).catch(() => undefined))?.history?.some(
        ({ kind }) => kind === 'signal',
      ),
    );
    await process.client.signal(GO, 'x', { workflowId: 'the child' });
    await expect(process.client.result(id)).rejects.toThrow('undo all');

    const { entries } = await process.client.story({ id });
    const ofRun = (runId: string) => entries.filter((entry) => entry.runId === runId);
    for (const run of [ofRun(id), ofRun('the child')]) {
      const kinds = run.map(({ kind }) => kind);
      expect(kinds.slice(0, 2)).toEqual(['run.created', 'run.started']);
      expect(kinds.at(-1)).toBe('run.ended');
    }
    for (const entry of entries) {
      if (!('startedAt' in entry) || !entry.startedAt) continue;
      expect(entry.startedAt.getTime()).toBeLessThanOrEqual(entry.at.getTime());
      const asked = ofRun(id).find((other) => other.kind === 'step.asked' && other.seq === entry.seq);
      if (asked) expect(entry.startedAt.getTime()).toBeGreaterThanOrEqual(asked.at.getTime());
    }
    const places = (of: [kind: string, name?: string | undefined, runId?: string][]) =>
      of.map(([kind, name, runId = id]) =>
        entries.findIndex((entry) => {
          const isNamed = name === undefined || ('name' in entry && entry.name === name);
          return entry.kind === kind && entry.runId === runId && isNamed;
        }),
      );
    const inOrder = (...of: Parameters<typeof places>[0]) => {
      const found = places(of);
      expect(found).not.toContain(-1);
      expect(found).toEqual([...found].sort((a, b) => a - b));
    };
    for (const name of ['near', 'far']) inOrder(['step.asked', name], ['step.attempt', name], ['step.ended', name]);
    inOrder(['step.ended', 'near'], ['step.asked', 'far']);
    inOrder(['step.ended', 'far'], ['timer.set'], ['timer.ended'], ['child.asked'], ['child.ended']);
    // What two runs have recorded follows each other as long as the clock of the storage goes on.
    if (ahead <= 0 && !wasPutBack()) {
      // Of several runs in one millisecond, all of one come first.
      const at = ([kind, of]: [string, string]) => Number(ofRun(of).find((entry) => entry.kind === kind)?.at);
      expect(at(['child.asked', id])).toBeLessThanOrEqual(at(['run.created', 'the child']));
      expect(at(['run.ended', 'the child'])).toBeLessThanOrEqual(at(['child.ended', id]));
    }
    inOrder(['signal.sent', undefined, 'the child'], ['signal.taken', undefined, 'the child']);

    const { startedAt, finishedAt, logs = [], history = [] } = await process.client.getStatus(id, { history: true });
    const of = (seq: number) => history.find((step) => step.seq === seq)?.logs ?? [];
    const lines = [...of(0), ...logs, ...of(1)];
    // In memory, no lines of workers are kept.
    const said = ['near', 'near', 'between', ...(house().backend ? ['far', 'far', 'still far'] : [])];
    expect(lines.map(({ message }) => message)).toEqual(said);
    const moments = lines.map(({ loggedAt }) => loggedAt);
    // A worker tells the time of its lines by the first one that the storage has told.
    if (wasPutBack()) moments.pop();
    const far = history.find(({ seq }) => seq === 1)!;
    // Whole milliseconds.
    if (ahead <= 0 && !wasPutBack()) expect(Number(far.finishedAt) - Number(far.startedAt)).toBeGreaterThanOrEqual(4);
    const times = [startedAt!, ...moments, far.finishedAt!, finishedAt!].map((at) => at.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it.each([-3_000, -14, 14])('never go back in one that waited for another, by a clock %d ms ahead', async (ahead) => {
    const process = await house().boot({
      clock: { now: () => Date.now() + ahead },
      workflows: { first: async () => 1, second: async (ctx) => ctx.step('a', () => 2) },
    });
    await process.client.start('first', null, { id: 'first' });
    await process.client.startAndWait('second', null, { id: 'second', after: ['first'] });
    const { entries } = await process.client.story({ id: 'second' });
    expect(entries.map(({ kind }) => kind)).toEqual([
      'run.created',
      'run.started',
      'step.asked',
      'step.ended',
      'run.ended',
    ]);
  });
});
