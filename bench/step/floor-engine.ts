import type pg from 'pg';
import { connect } from '../floor/connection.js';
import { nextRound, type Spell, spell } from '../lives.js';
import { cpuMs, serve } from '../serve.js';
import type { Address } from '../server.js';
import { ask, table } from './floor.js';

interface Outcome {
  stepId: string;
  seq: number;
  output: string;
}

let writing: pg.Client;
let listening: pg.Client;
let answered: (output: string) => void;

/** The outcome of one step, which the next call records. */
async function step(runId: string, seq: number, last: Outcome | undefined): Promise<Outcome> {
  const stepId = `${runId}:${seq}`;
  const answer = new Promise<string>((resolve) => (answered = resolve));
  const values = [runId, seq, stepId, String(seq), last?.stepId ?? null, last?.seq ?? null, last?.output ?? null];
  await writing.query({ name: 'ask', text: ask, values });
  return { stepId, seq, output: await answer };
}

/** The milliseconds of each of its steps. */
async function run(steps: number): Promise<number[]> {
  const runId = nextRound();
  const times: number[] = [];
  let last: Outcome | undefined;
  for (let seq = 0; seq < steps; seq++) {
    const began = performance.now();
    last = await step(runId, seq, last);
    times.push(performance.now() - began);
  }
  return times;
}

serve({
  open: async ({ address }: { address: Address }) => {
    writing = await connect(address, '-c jit=off');
    listening = await connect(address);
    await writing.query(table);
    listening.on('notification', ({ payload = '' }) => answered(payload.slice(payload.indexOf(' ') + 1)));
    await listening.query('LISTEN floor_answered');
  },
  cpu: cpuMs,
  sequence: ({ steps }: { steps: number }) => run(steps),
  /** One at a time. */
  load: ({ ms }: Spell) => spell(() => run(10), { atOnce: 1, ms }),
  stop: async () => {
    await writing.end();
    await listening.end();
  },
});
