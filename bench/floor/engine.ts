import type pg from 'pg';
import { type Load, nextRound, sequence, type Spell, spell, throughput } from '../lives.js';
import { cpuMs, serve } from '../serve.js';
import type { Address } from '../server.js';
import { batches, connect, onNotification } from './connection.js';
import * as statements from './statements.js';

interface Task {
  stepId: string;
  runId: string;
  seq: number;
}

const open: pg.Client[] = [];
const waiting = new Map<string, () => void>();
let add: (task: Task) => void;

function live(round: string, seq: number): Promise<void> {
  return new Promise((resolve) => {
    const task = { stepId: `${round}:${seq}`, runId: round, seq };
    waiting.set(task.stepId, resolve);
    add(task);
  });
}

serve({
  open: async ({ address }: { address: Address }) => {
    const dispatching = await connect(address);
    const collecting = await connect(address);
    add = batches(statements.BATCH, async (tasks) => {
      const values = [
        tasks.map(({ stepId }) => stepId),
        tasks.map(({ runId }) => runId),
        tasks.map(({ seq }) => seq),
        tasks.map(({ seq }) => JSON.stringify({ n: seq })),
      ];
      await dispatching.query({ name: 'dispatch', text: statements.dispatch, values });
    });
    const listening = await onNotification(address, 'floor_results', async () => {
      for (let full = true; full;) {
        const { rows } = await collecting.query<{ step_id: string }>({ name: 'collect', text: statements.collect });
        full = rows.length === statements.BATCH;
        for (const { step_id: stepId } of rows) {
          waiting.get(stepId)?.();
          waiting.delete(stepId);
        }
      }
    });
    open.push(dispatching, collecting, listening);
  },
  cpu: cpuMs,
  throughput: (load: Load) => {
    const round = nextRound();
    return throughput((i) => live(round, i), load);
  },
  sequence: ({ steps }: { steps: number }) => {
    const round = nextRound();
    return sequence((i) => live(round, i), steps);
  },
  load: (during: Spell) =>
    spell(async () => {
      const round = nextRound();
      for (let seq = 0; seq < 10; seq++) await live(round, seq);
    }, during),
  stop: () => Promise.all(open.map((client) => client.end())).then(() => undefined),
});
