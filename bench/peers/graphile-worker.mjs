import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { sequence, spell } from '../lives.js';
import { cpuMs, serve } from '../serve.js';
import { Ends } from './ends.mjs';

/** No results and no history: a job that adds the next one is the least that a user would build by hand. */
const ends = new Ends();
let pool;
let utils;
let runner;

async function step({ key, left, n }, { addJob }) {
  if (left > 1) await addJob('step', { key, left: left - 1, n: n + 1 });
  else ends.tell(key);
}

const chain = (left) => ends.of((key) => utils.addJob('step', { key, left, n: 0 }));

serve({
  open: async ({ address }) => {
    const { host, port, user, password, database } = address;
    const logger = new Logger(() => () => {});
    pool = new pg.Pool({ host, port, user, password, database, max: 24 });
    pool.on('error', console.error);
    pool.on('connect', (client) => client.on('error', console.error));
    utils = await makeWorkerUtils({ pgPool: pool, logger });
    await utils.migrate();
    const worker = {
      concurrentJobs: 24,
      pollInterval: 2_000,
      logger,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    };
    runner = await run({
      preset: { worker },
      pgPool: pool,
      taskList: { step },
      parsedCronItems: [],
      noHandleSignals: true,
    });
  },
  cpu: cpuMs,
  load: (asked) => spell(() => chain(10), asked),
  sequence: ({ steps, ms }) => sequence(() => chain(1), steps, ms),
  stop: async () => {
    await runner.stop();
    await utils.release();
    await pool.end();
  },
});
