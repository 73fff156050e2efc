import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type OwnPrograms, ownPrograms } from '../support/compiled.js';
import { runProgram } from '../support/programs.js';

/** The line with `boom` is what a person looks for. Above it stands what is gone after the compilation. */
const APP = `import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DurableModule, memoryBackend, RemoteStep, Worker, Workflow, WorkflowClient, type WorkflowContext } from 'nest-durable';

interface Order {
  /** In cents. */
  amount: number;
}

type Charge = (order: Order) => Promise<never>;

const charge: Charge = async ({ amount }) => {
  await Promise.resolve();
  throw new Error('boom ' + amount); // here
};

@Worker()
class Bank {
  @RemoteStep('bank.charge', { retry: false })
  charge(order: Order): Promise<never> {
    return charge(order);
  }
}

@Workflow('order')
class OrderWorkflow {
  async run(ctx: WorkflowContext, order: Order): Promise<void> {
    await ctx.step('local', () => charge(order), { retry: false }).catch(() => undefined);
    await ctx.transaction('booked', () => charge(order), { retry: false }).catch(() => undefined);
    await ctx.remote(Bank).charge(order).catch(() => undefined);
    await charge(order);
  }
}

@Module({ imports: [DurableModule.forRoot({ backend: memoryBackend() })], providers: [Bank, OrderWorkflow] })
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
const client = app.get(WorkflowClient);
const { id } = await client.start(OrderWorkflow, { amount: 1 });
await client.result(id, { timeout: '120s' }).catch(() => undefined);
const { history = [], error } = await client.getStatus(id, { history: true });
const stacks = [...history, { name: 'run', error }].map(({ name, error }) => [name, error?.stack]);
console.log('STACKS ' + JSON.stringify(stacks));
await app.close();
`;

const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  sourceMap: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};

describe('The stack of an app that was compiled with source maps', () => {
  let programs: OwnPrograms;
  let stacks: [name: string, stack: string][];
  const line = APP.split('\n').findIndex((text) => text.includes('// here')) + 1;

  beforeAll(async () => {
    programs = ownPrograms();
    const { folder } = programs;
    for (const name of ['src', 'out']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'src', 'shop.ts'), APP);
    const { outputText, sourceMapText } = ts.transpileModule(APP, { compilerOptions: OPTIONS, fileName: 'shop.ts' });
    writeFileSync(join(folder, 'out', 'shop.js'), outputText);
    writeFileSync(join(folder, 'out', 'shop.js.map'), sourceMapText!.replace('"shop.ts"', '"../src/shop.ts"'));
    expect(readFileSync(join(folder, 'out', 'shop.js'), 'utf8').split('\n')[line - 1]).not.toContain('// here');
    const { output } = await runProgram('--enable-source-maps', [join(folder, 'out', 'shop.js')]);
    const [, text] = /^STACKS (.*)$/m.exec(output) ?? [];
    if (text === undefined) throw new Error(output);
    stacks = JSON.parse(text) as typeof stacks;
  });
  afterAll(() => programs.close());

  it.each(['local', 'booked', 'bank.charge', 'run'])('names the line of the source first (%s)', (name) => {
    const [first] = stacks.find(([step]) => step === name)![1].split('\n');
    expect(first).toMatch(new RegExp(`^at .*[\\\\/]src[\\\\/]shop\\.ts:${line}:\\d+\\)?$`));
  });
});
