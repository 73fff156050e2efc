import { type Duration, Workflow, type WorkflowContext, type WorkflowRunner, WorkflowSignal } from 'nest-durable';

export interface Expense {
  id: string;
  amount: number;
}

export interface Request {
  expense: Expense;
  /** How long to wait for a decision, and once more after a reminder. `'3d'` works as well. */
  patience: Duration;
}

/** What the approver says, by whatever page or webhook that comes in. */
export const decided = new WorkflowSignal<{ by: string; approved: boolean }>('decided');

@Workflow('expense-approval')
export class ApprovalWorkflow implements WorkflowRunner<Request, string> {
  async run(ctx: WorkflowContext, { expense, patience }: Request): Promise<string> {
    await ctx.step('ask', () => console.log(`please decide about expense ${expense.id}`));
    ctx.setStatus('waiting for a decision');
    // Through restarts and deploys; a signal that came before this line counts.
    const decision = await ctx.waitForSignal('decision', decided, { key: expense.id, timeout: patience });
    if (decision) return `${decision.approved ? 'approved' : 'refused'} by ${decision.by}`;

    // Nobody decided in time: remind, and take whatever comes first now.
    await ctx.step('remind', () => console.log(`expense ${expense.id} still waits`));
    const first = await ctx.waitForAny('last-chance', {
      decided: ctx.signalWait(decided, { key: expense.id }),
      tooLate: ctx.timer(patience),
    });
    if (first.key === 'tooLate') return 'refused, since nobody decided';
    return `${first.value.approved ? 'approved' : 'refused'} late by ${first.value.by}`;
  }
}
