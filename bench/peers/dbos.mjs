import { DBOS } from '@dbos-inc/dbos-sdk';
import { sequence, spell } from '../lives.js';
import { cpuMs, serve } from '../serve.js';
import { urlOf } from './url.mjs';

/** Who waits for a result asks for it again and again: often where few do, and seldom where many do. */
const pollMs = (atOnce) => Math.max(5, atOnce / 10);
let waiting = 1;

const add = async (n) => n + 1;
const addition = DBOS.registerWorkflow(add, { name: 'add' });

const local = (n, name) => DBOS.runStep(() => add(n), { name });

/** A step that another process may do is a child in a queue. */
async function remote(n) {
  const child = await DBOS.startWorkflow(addition, { queueName: 'steps' })(n);
  return child.getResult({ pollingIntervalMs: pollMs(waiting) });
}

const step = { local, remote: (n) => remote(n) };

const ten = DBOS.registerWorkflow(
  async (kind) => {
    let n = 0;
    for (let i = 0; i < 10; i++) n = await step[kind](n, `add ${i}`);
    return n;
  },
  { name: 'ten' },
);

let times = [];
const timed = DBOS.registerWorkflow(
  async ({ kind, steps, ms }) => {
    times = await sequence((i) => step[kind](i, `add ${i}`), steps, ms);
  },
  { name: 'timed' },
);

serve({
  open: async ({ address }) => {
    DBOS.setConfig({
      name: 'bench',
      systemDatabaseUrl: urlOf(address),
      systemDatabasePoolSize: 20,
      logLevel: 'error',
    });
    await DBOS.launch();
    await DBOS.registerQueue('steps', { minPollingIntervalMs: 5 });
  },
  cpu: cpuMs,
  load: ({ kind, ...asked }) => {
    waiting = asked.atOnce;
    return spell(() => ten(kind), asked);
  },
  sequence: async (asked) => {
    waiting = 1;
    await timed(asked);
    return times;
  },
  stop: () => DBOS.shutdown(),
});
