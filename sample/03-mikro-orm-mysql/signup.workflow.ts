import {
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  type WorkflowContext,
  type WorkflowRunner,
} from 'nest-durable';
import { Signup } from './signup.entity.js';

@Worker()
export class MailSteps {
  @RemoteStep('mail.welcome')
  async welcome(email: string, step: StepContext): Promise<string> {
    return `welcome ${email} (${step.idempotencyKey})`;
  }
}

@Workflow('signup')
export class SignupWorkflow implements WorkflowRunner<string, string> {
  async run(ctx: WorkflowContext, email: string): Promise<string> {
    const mail = await ctx.remote(MailSteps).welcome(email);
    // The entity and the record of the step are written in one commit.
    await ctx.transaction('welcomed', async (em) => {
      const signup = await em.findOneOrFail(Signup, { email });
      signup.status = 'welcomed';
    });
    return mail;
  }
}
