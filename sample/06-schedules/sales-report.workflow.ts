import { Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';

/** Belongs to the code: every process that starts writes it down, and one of them fires it. */
@Workflow('sales-report', {
  schedules: [
    // Nine in the morning in Berlin, summer and winter; up to five minutes later, always the same for the same day.
    { id: 'sales-report-daily', cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin', jitter: '5m', input: { days: 1 } },
    { id: 'sales-report-monthly', cron: '0 7 1 * *', timeZone: 'Europe/Berlin', input: { days: 31 }, missed: 'all' },
  ],
})
export class SalesReportWorkflow implements WorkflowRunner<{ days: number }, string> {
  async run(ctx: WorkflowContext, { days }: { days: number }): Promise<string> {
    return ctx.step('count', () => `sales of ${days} days`);
  }
}
