import { Workflow, type WorkflowContext } from 'nest-durable';
import { body, rowBody, type Saw } from '../app/body.js';
import { completed, type Kind, outputsOf, PATIENT, type Story } from './kind.js';

interface Input {
  rows: number;
}

@Workflow('chaos.transactions', { retry: PATIENT })
class Transactions {
  async run(ctx: WorkflowContext, { rows }: Input): Promise<string[]> {
    const saw: Saw = {};
    for (let n = 0; n < rows; n++) {
      const label = `t${n}`;
      const work = (tx: unknown) => rowBody(tx, ctx.workflowId, label, { ...saw });
      // A connection that is lost says nothing about the work: a single attempt must do.
      saw[label] = await ctx.transaction(label, work, n % 2 === 0 ? {} : { retry: false });
    }
    saw['local'] = await ctx.step('local', (step) => body(step, 'local', { ...saw }));
    return Object.values(saw);
  }
}

/** Rows that were committed exactly once, each by the execution that is recorded. */
export function rowsAsRecorded({ rows, steps }: Story): string[] {
  const recorded = new Set(
    steps
      .filter(({ seq, kind, status }) => seq >= 0 && kind === 'transaction' && status === 'completed')
      .map(({ output }) => output),
  );
  const strange = rows.filter(({ label, exec }) => !label.startsWith('undo ') && !recorded.has(exec));
  const found = new Set(rows.map(({ exec }) => exec));
  return [
    ...strange.map(({ label, exec }) => `has a row of ${label} by execution ${exec}, which is not what is recorded`),
    ...[...recorded].filter((exec) => !found.has(String(exec))).map((exec) => `lacks the row of execution ${exec}`),
    ...twice(rows.map(({ label }) => label)).map((label) => `has several rows of ${label}`),
  ];
}

const twice = (labels: readonly string[]) => [...new Set(labels.filter((label, i) => labels.indexOf(label) !== i))];

/** `ctx.transaction`, also without retries: its rows are there exactly once. */
export const transactions: Kind = {
  name: 'chaos.transactions',
  providers: [Transactions],
  share: 2,
  plan: (random) => ({ input: { rows: random.whole(1, 4) } }),
  judge: (story) => [...completed(story, outputsOf(story)), ...rowsAsRecorded(story)],
};
