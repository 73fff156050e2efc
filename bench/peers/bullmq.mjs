import { Queue, QueueEvents, Worker } from 'bullmq';
import { sequence, spell } from '../lives.js';
import { cpuMs, serve } from '../serve.js';

/** Whoever asks waits for the job's result; nothing of a chain of jobs is durable. */
let queue;
let events;
let worker;

async function step(n) {
  const job = await queue.add('step', { n }, { removeOnComplete: { count: 5_000 } });
  return job.waitUntilFinished(events);
}

async function chain() {
  let n = 0;
  for (let i = 0; i < 10; i++) n = await step(n);
}

serve({
  open: async ({ redis }) => {
    const connection = { ...redis, maxRetriesPerRequest: null };
    queue = new Queue('steps', { connection });
    events = new QueueEvents('steps', { connection });
    worker = new Worker('steps', async ({ data }) => data.n + 1, { connection, concurrency: 100 });
    worker.on('error', console.error);
    // Each job that is waited for listens.
    for (const emitter of [queue, events]) emitter.setMaxListeners(0);
    await events.waitUntilReady();
    await worker.waitUntilReady();
  },
  cpu: cpuMs,
  load: (asked) => spell(chain, asked),
  sequence: ({ steps, ms }) => sequence(step, steps, ms),
  stop: async () => {
    await worker.close();
    await events.close();
    await queue.close();
  },
});
