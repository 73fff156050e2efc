import { EntityManager } from '@mikro-orm/mysql';
import { Injectable } from '@nestjs/common';
import { WorkflowClient, type WorkflowHandle } from 'nest-durable';
import { Signup } from './signup.entity.js';
import { SignupWorkflow } from './signup.workflow.js';

@Injectable()
export class SignupsService {
  constructor(
    private readonly em: EntityManager,
    private readonly workflows: WorkflowClient,
  ) {}

  /** With MikroORM the surrounding transaction is joined without being handed over. */
  signUp(email: string): Promise<WorkflowHandle<string>> {
    return this.em.fork().transactional(async (em) => {
      await em.persist(new Signup(email)).flush();
      return this.workflows.start(SignupWorkflow, email, { id: `signup-${email}` });
    });
  }

  async statusOf(email: string): Promise<string | undefined> {
    return (await this.em.fork().findOne(Signup, { email }))?.status;
  }
}
