import { Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';

export interface Region {
  name: string;
  sales: readonly number[];
}

/** One run for each region: listed, retried and cancelled by itself. */
@Workflow('regional-report')
export class RegionalReport implements WorkflowRunner<Region, number> {
  async run(ctx: WorkflowContext, { name, sales }: Region): Promise<number> {
    if (sales.length === 0) ctx.fail(`${name} has sent no sales`, 'NO_SALES');
    return ctx.step('sum', () => sales.reduce((sum, sale) => sum + sale, 0));
  }
}

@Workflow('report')
export class ReportWorkflow implements WorkflowRunner<Region[], string[]> {
  async run(ctx: WorkflowContext, regions: Region[]): Promise<string[]> {
    // All of them begin with one commit, and the last to end wakes this run, once.
    const totals = await ctx.all(RegionalReport, regions, { mode: 'settled' });
    return totals.map((total, i) => {
      const { name } = regions[i]!;
      return total.status === 'fulfilled' ? `${name}: ${total.value}` : `${name}: ${(total.reason as Error).message}`;
    });
  }
}

/** Begins when the reports it is about are there. */
@Workflow('archive')
export class ArchiveWorkflow implements WorkflowRunner<string, string> {
  async run(ctx: WorkflowContext, report: string): Promise<string> {
    const [{ output: lines }] = await ctx.dependencies(ReportWorkflow);
    return ctx.step('file', () => `${report} is in the archive, with ${lines.length} lines`);
  }
}
