import 'reflect-metadata';
import { DbTransport, typeOrmExecutor } from '@dudousxd/nestjs-durable-transport-db';
import { DataSource } from 'typeorm';
import { nextRound, sequence, spell } from '../lives.js';
import { cpuMs, serve } from '../serve.js';

/** The transport alone: nothing records the steps. */
const POLLS = { pollMs: 5, batchSize: 100 };
const waiting = new Map();
let dataSource;
let transport;

async function step(n) {
  const runId = nextRound();
  const answer = new Promise((resolve) => waiting.set(runId, resolve));
  await transport.dispatch({
    runId,
    seq: 0,
    stepId: `${runId}:0`,
    name: 'add',
    group: 'add',
    input: { n },
    attempt: 1,
  });
  return answer;
}

async function chain() {
  let n = 0;
  for (let i = 0; i < 10; i++) n = await step(n);
}

serve({
  open: async ({ address, role }) => {
    const { host, port, user: username, password, database } = address;
    const to = { type: 'postgres', host, port, username, password, database };
    dataSource = await new DataSource({ ...to, extra: { max: 20 } }).initialize();
    transport = new DbTransport({ executor: typeOrmExecutor(dataSource), group: 'add', ...POLLS });
    if (role === 'worker') transport.handle('add', async ({ n }) => n + 1);
    else
      transport.onResult(({ runId, output }) => {
        waiting.get(runId)?.(output);
        waiting.delete(runId);
      });
  },
  cpu: cpuMs,
  load: (asked) => spell(chain, asked),
  sequence: ({ steps, ms }) => sequence(step, steps, ms),
  stop: async () => {
    await transport.close();
    await dataSource.destroy();
  },
});
