import type pg from 'pg';
import { cpuMs, serve } from '../serve.js';
import type { Address } from '../server.js';
import { batches, connect, onNotification } from './connection.js';
import * as statements from './statements.js';

interface Row {
  step_id: string;
  run_id: string;
  seq: number;
  input: string;
}

interface Report extends Row {
  output: string;
}

const ME = `floor-${process.pid}`;
const open: pg.Client[] = [];

const work = async (input: { n: number }): Promise<{ n: number }> => ({ n: input.n + 1 });

serve({
  open: async ({ address }: { address: Address }) => {
    // A claim that a crash of the server forgets is only claimed again.
    const claiming = await connect(address, '-c synchronous_commit=off');
    const reporting = await connect(address);
    const report = batches<Report>(statements.BATCH, async (reports) => {
      const values = [
        reports.map(({ step_id }) => step_id),
        reports.map(({ run_id }) => run_id),
        reports.map(({ seq }) => seq),
        reports.map(({ output }) => output),
        ME,
      ];
      await reporting.query({ name: 'report', text: statements.report, values });
    });
    const live = async (row: Row) => {
      const output = await work(JSON.parse(row.input) as { n: number });
      report({ ...row, output: JSON.stringify(output) });
    };
    const listening = await onNotification(address, 'floor_tasks', async () => {
      for (let full = true; full;) {
        const { rows } = await claiming.query<Row>({ name: 'claim', text: statements.claim, values: [ME] });
        full = rows.length === statements.BATCH;
        for (const row of rows) void live(row);
      }
    });
    open.push(claiming, reporting, listening);
  },
  cpu: cpuMs,
  stop: () => Promise.all(open.map((client) => client.end())).then(() => undefined),
});
