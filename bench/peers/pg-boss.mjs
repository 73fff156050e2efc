import { PgBoss } from 'pg-boss';
import { sequence, spell } from '../lives.js';
import { cpuMs, serve } from '../serve.js';
import { Ends } from './ends.mjs';

/** A chain of jobs by hand, as for graphile-worker. */
const ends = new Ends();
const POLL = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };
let boss;

async function step({ data: { key, left, n } }) {
  if (left > 1) await boss.send('chain', { key, left: left - 1, n: n + 1 });
  else ends.tell(key);
}

const chain = (queue, left) => ends.of((key) => boss.send(queue, { key, left, n: 0 }));

serve({
  open: async ({ address }) => {
    const { host, port, user, password, database } = address;
    boss = new PgBoss({ host, port, user, password, database, max: 20, useListenNotify: true });
    boss.on('error', console.error);
    await boss.start();
    for (const queue of ['chain', 'single']) await boss.createQueue(queue, { notify: true });
    const all = (jobs) => Promise.all(jobs.map(step));
    await boss.work('chain', { ...POLL, localConcurrency: 4, batchSize: 50, burstWhenBatchFull: true }, all);
    await boss.work('single', { ...POLL, localConcurrency: 2, batchSize: 1 }, all);
  },
  cpu: cpuMs,
  load: (asked) => spell(() => chain('chain', 10), asked),
  sequence: ({ steps, ms }) => sequence(() => chain('single', 1), steps, ms),
  stop: () => boss.stop({ graceful: false, close: true }),
});
