import { Controller, Scope } from '@nestjs/common';
import {
  ConfigurationError,
  DurableModule,
  Effect,
  Effects,
  memoryBackend,
  OnOutboxMessage,
  OnRunEnded,
  Outbox,
  RemoteStep,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../../lib/index.js';
import { bootApp } from '../../support/nest-app.js';
import { until } from '../../support/until.js';

const heard: string[] = [];

@Controller('mails')
class Mails {
  @RemoteStep('mails.send')
  send(text: string): string {
    return `sent: ${text}`;
  }

  @Effect('mails.call')
  call(ref: string): void {
    heard.push(`call ${ref}`);
  }

  @OnOutboxMessage('mails')
  message(): void {
    heard.push('message');
  }

  @OnRunEnded()
  ended({ workflowId }: { workflowId: string }): void {
    heard.push(`ended ${workflowId}`);
  }
}

@Controller('flows')
@Workflow('mails.flow')
class Flow {
  run(ctx: WorkflowContext, text: string): Promise<string> {
    return ctx.remote(Mails).send(text);
  }
}

@Controller({ path: 'requested', scope: Scope.REQUEST })
class Requested {
  @RemoteStep('mails.requested')
  send(): void {}
}

describe('what a controller declares', () => {
  const imports = () => [DurableModule.forRoot({ backend: memoryBackend() })];

  it('is served as that of a provider', async () => {
    const app = await bootApp({ imports: imports(), controllers: [Mails, Flow] });
    expect(await app.get(WorkflowClient).startAndWait(Flow, 'hello', { id: 'r' })).toBe('sent: hello');
    await app.get(Outbox).publish({ channel: 'mails', name: 'n' });
    await app.get(Effects).enqueue({ operation: 'o', subject: 's', calls: [{ handler: 'mails.call', ref: 'ada' }] });
    await until('all of it is heard', () => heard.length === 3);
    expect(heard.sort()).toEqual(['call ada', 'ended r', 'message']);
    await app.close();
  });

  it('is refused where each request has a controller of its own', async () => {
    const booting = bootApp({ imports: imports(), controllers: [Requested] });
    await expect(booting).rejects.toThrow(ConfigurationError);
    await expect(booting).rejects.toThrow('Requested is request-scoped');
  });
});
