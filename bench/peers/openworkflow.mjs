import { OpenWorkflow } from 'openworkflow';
import { BackendPostgres } from 'openworkflow/postgres';
import { sequence, spell } from '../lives.js';
import { cpuMs, serve } from '../serve.js';
import { Ends } from './ends.mjs';
import { urlOf } from './url.mjs';

const ends = new Ends();
let openWorkflow;
let backend;
let chain;
let timed;
let times = [];

function defineWorkflows() {
  const addition = openWorkflow.defineWorkflow({ name: 'add' }, async ({ input }) => input.n + 1);
  const step = {
    local: (tools, n, name) => tools.run({ name }, async () => n + 1),
    remote: (tools, n, name) => tools.runWorkflow(addition.workflow.spec, { n }, { name }),
  };
  chain = openWorkflow.defineWorkflow({ name: 'chain' }, async ({ input: { kind, length, key }, step: tools }) => {
    let n = 0;
    for (let i = 0; i < length; i++) n = await step[kind](tools, n, `add ${i}`);
    ends.tell(key);
    return n;
  });
  timed = openWorkflow.defineWorkflow({ name: 'timed' }, async ({ input, step: tools }) => {
    const { steps, ms, key } = input;
    times = await sequence((i) => step.local(tools, i, `add ${i}`), steps, ms);
    ends.tell(key);
  });
}

const run = (kind, length) => ends.of((key) => chain.run({ kind, length, key }));

/** It asks for each free place, so that there are as many as are needed. */
async function withWorker(atOnce, work) {
  const worker = openWorkflow.newWorker({ concurrency: Math.max(10, atOnce) });
  await worker.start();
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

serve({
  open: async ({ address }) => {
    backend = await BackendPostgres.connect(`${urlOf(address)}?max=20`);
    openWorkflow = new OpenWorkflow({ backend });
    defineWorkflows();
  },
  cpu: cpuMs,
  load: ({ kind, ...asked }) => withWorker(asked.atOnce, () => spell(() => run(kind, 10), asked)),
  sequence: ({ kind, steps, ms }) =>
    withWorker(1, async () => {
      // Its workflow begins anew behind each queued step, so that it cannot time itself.
      if (kind === 'remote') return sequence(() => run('remote', 1), steps, ms);
      await ends.of((key) => timed.run({ steps, ms, key }));
      return times;
    }),
  stop: () => backend.stop(),
});
