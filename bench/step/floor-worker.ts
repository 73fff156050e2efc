import type pg from 'pg';
import { connect, onNotification } from '../floor/connection.js';
import { cpuMs, serve } from '../serve.js';
import type { Address } from '../server.js';
import { claim, report } from './floor.js';

interface Task {
  step_id: string;
  run_id: string;
  seq: number;
  input: string;
}

const ME = `floor-${process.pid}`;
const open: pg.Client[] = [];

serve({
  open: async ({ address }: { address: Address }) => {
    const claiming = await connect(address, '-c jit=off -c synchronous_commit=off');
    const reporting = await connect(address, '-c jit=off');
    const answer = ({ step_id, run_id, seq, input }: Task) =>
      reporting.query({ name: 'report', text: report, values: [step_id, run_id, seq, String(Number(input) + 1), ME] });
    const listening = await onNotification(address, 'floor_asked', async () => {
      const { rows } = await claiming.query<Task>({ name: 'claim', text: claim, values: [ME] });
      for (const task of rows) void answer(task);
    });
    open.push(claiming, reporting, listening);
  },
  cpu: cpuMs,
  stop: () => Promise.all(open.map((client) => client.end())).then(() => undefined),
});
