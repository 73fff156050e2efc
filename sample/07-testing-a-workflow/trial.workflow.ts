import { RemoteStep, Worker, Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';

@Worker()
export class MailSteps {
  @RemoteStep('mail.send', { retry: { attempts: 3, backoff: { delay: '10m', jitter: 'none' } } })
  send(text: string): string {
    throw new Error(`There is no mail server here for "${text}"`);
  }
}

@Workflow('trial')
export class TrialWorkflow implements WorkflowRunner<string, { endedAt: Date }> {
  async run(ctx: WorkflowContext, customer: string): Promise<{ endedAt: Date }> {
    await ctx.remote(MailSteps).send(`welcome, ${customer}`);
    await ctx.sleep('the trial', '14d');
    const words = await ctx.step('find words', () => `your trial is over, ${customer}`);
    await ctx.remote(MailSteps).send(words);
    return { endedAt: ctx.now() };
  }
}
