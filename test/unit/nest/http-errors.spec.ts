import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Body, Controller, Get, type INestApplication, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  DurableModule,
  memoryBackend,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowNotFoundError,
  WorkflowSignal,
} from '../../../lib/index.js';

const go = new WorkflowSignal('go');

@Workflow('http.waiting')
class Waiting {
  async run(ctx: WorkflowContext, _input: string): Promise<void> {
    await ctx.waitForSignal('go', go);
  }
}

/** Its error has a code of this package, but is the outcome of another piece of work. */
@Workflow('http.failing')
class Failing {
  async run(): Promise<void> {
    throw new WorkflowNotFoundError('somebody else');
  }
}

type Start = Record<string, unknown> & { input?: string };

@Controller('runs')
class RunsController {
  constructor(readonly workflows: WorkflowClient) {}

  @Get(':id')
  status(@Param('id') id: string) {
    return this.workflows.getStatus(id);
  }

  @Get(':id/output')
  output(@Param('id') id: string) {
    return this.workflows.result(id, { timeout: id.startsWith('slow') ? 1 : '30s' });
  }

  @Post(':id')
  async start(@Param('id') id: string, @Body() { input = 'a', ...options }: Start) {
    await this.workflows.start(Waiting, input, { ...options, id });
  }

  @Post(':id/:act')
  async act(@Param() { id, act }: { id: string; act: 'cancel' | 'delete' | 'retry' | 'restart' }) {
    await this.workflows[act](id);
  }
}

@Module({
  imports: [DurableModule.forRoot({ backend: memoryBackend(), limits: { payload: 10 } })],
  controllers: [RunsController],
  providers: [Waiting, Failing],
})
class HttpApp {}

describe('errors, as the exception filter of NestJS answers them', () => {
  let app: INestApplication<Server>;
  beforeAll(async () => {
    app = await NestFactory.create<INestApplication<Server>>(HttpApp, { logger: false, abortOnError: false });
    await app.listen(0, '127.0.0.1');
    await app.get(WorkflowClient).start(Waiting, 'a', { id: 'open' });
    await app.get(WorkflowClient).start(Waiting, 'a', { id: 'slow' });
    await app.get(WorkflowClient).start(Waiting, 'a', { id: 'cancelled' });
    await app.get(WorkflowClient).cancel('cancelled');
    await app.get(WorkflowClient).start(Failing, undefined, { id: 'failing' });
  });
  afterAll(() => app.close());

  const ask = async (method: string, path: string, body?: object) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/runs/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };

  it.each([
    ['GET', 'none', undefined, 404, 'No run has the id "none"'],
    ['POST', 'none/cancel', undefined, 404, 'No run has the id "none"'],
    ['POST', 'open', { input: 'b' }, 409, 'Run "open" exists with another input'],
    ['POST', 'open/delete', undefined, 409, 'Run "open" is '],
    ['POST', 'open/retry', undefined, 409, 'Run "open" is '],
    ['GET', 'cancelled/output', undefined, 409, 'Run "cancelled" was cancelled'],
    ['POST', 'new', { priority: 1.5 }, 400, 'priority is 1.5: pass a whole number'],
    ['POST', 'new', { delay: 'soon' }, 400, 'delay is "soon": pass milliseconds'],
    ['POST', 'new', { input: 'far too long' }, 413, 'over the limit of 10'],
  ])('%s /runs/%s with %o: %i', async (method, path, body, status, message) => {
    expect(await ask(method, path, body)).toEqual({
      status,
      body: { statusCode: status, message: expect.stringContaining(message) as unknown },
    });
  });

  it('say nothing of what failed behind the scenes', async () => {
    const answer = { statusCode: 500, message: 'Internal server error' };
    expect(await ask('GET', 'failing/output')).toEqual({ status: 500, body: answer });
    expect(await ask('GET', 'slow/output')).toEqual({ status: 500, body: answer });
  });
});
