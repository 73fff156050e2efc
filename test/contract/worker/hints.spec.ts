import type { StepAnswer } from '../../../lib/core/protocol.js';
import { MOST_ROWS } from '../../../lib/sql/tables.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { sqlStorage } from '../../support/engine-storage.js';

describeDatabases('hints of answers', (at) => {
  let backend: OpenBackend;
  beforeAll(async () => {
    backend = await at.open();
  });
  afterAll(() => backend.close());

  it('say to the millisecond what the rows say, by the real clock, so that both are known as one answer', async () => {
    const storage = await sqlStorage(backend);
    const heard: StepAnswer[] = [];
    const unsubscribe = storage.dispatcher.onAnswers((answers) => void heard.push(...(answers ?? [])));
    for (let round = 0; round < 20; round++) {
      const tasks = Array.from({ length: 25 }, (_, n) => {
        const seq = round * 25 + n;
        return { stepId: `r:${seq}`, runId: 'r', seq, name: 'x', group: 'x', input: 'null', attempt: 1 };
      });
      await storage.dispatcher.dispatch(tasks);
      const claimed = await storage.source.claim({
        workerId: 'w',
        groups: [{ group: 'x', limit: 25 }],
        names: ['x'],
        limit: 25,
        leaseMs: 30_000,
      });
      await storage.source.report(
        claimed.map(({ claim, runId, seq, attempt }) => ({
          claim,
          runId,
          seq,
          attempt,
          status: 'completed' as const,
          output: '1',
          error: null,
          startedAt: claim.claimedAt,
        })),
      );
    }
    const { answers } = await storage.dispatcher.peek(1_000);
    const bySeq = (list: readonly StepAnswer[]) => [...list].sort((a, b) => a.seq - b.seq);
    expect(answers).toHaveLength(500);
    expect(bySeq(heard)).toEqual(bySeq(answers));
    unsubscribe();
    await storage.close();
  });

  it('are given of tasks of which the first thousands had been dispatched before', async () => {
    const storage = await sqlStorage(backend);
    const heard: string[] = [];
    const unsubscribe = storage.source.onTasks((groups = []) => void heard.push(...groups));
    const task = (seq: number) => ({ stepId: `m:${seq}`, runId: 'm', seq, name: 'x', input: 'null', attempt: 1 });
    const tasks = Array.from({ length: MOST_ROWS + 1 }, (_, seq) => ({ ...task(seq), group: 'many' }));
    await storage.dispatcher.dispatch(tasks.slice(0, MOST_ROWS));
    const before = heard.length;
    await storage.dispatcher.dispatch(tasks);
    expect(heard.slice(before)).toContain('many');
    unsubscribe();
    await storage.close();
  });
});
