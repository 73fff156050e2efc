import { RemoteStep, Worker, Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';

@Worker()
export class TranslationSteps {
  @RemoteStep('translation.shout')
  shout(text: string): string {
    return text.toUpperCase();
  }
}

@Workflow('greeting')
export class GreetingWorkflow implements WorkflowRunner<string, string> {
  async run(ctx: WorkflowContext, name: string): Promise<string> {
    // Runs here and is recorded: after a crash its output is read, not computed again.
    const greeting = await ctx.step('greet', () => `hello, ${name}`);
    // A row in the database: any process that is down meanwhile may come back after it.
    await ctx.sleep('a moment', '100ms');
    // A row, too: this process or another one takes it, runs the method and answers.
    return ctx.remote(TranslationSteps).shout(greeting);
  }
}
