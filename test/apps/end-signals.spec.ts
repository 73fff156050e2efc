import { ownPrograms, type OwnPrograms } from '../support/compiled.js';
import { type Program, startProgram } from '../support/programs.js';
import { until } from '../support/until.js';

/** An app in memory with a step that ignores its signal, and hooks that say when they are called. */
const PROGRAM = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DurableModule, memoryBackend, RemoteStep, Worker, Workflow, WorkflowClient } from 'nest-durable';

const { HOOKS, STUCK, LATE } = process.env;
const say = (text) => process.stdout.write(text + '\\n');
// Nothing else keeps the process.
const clock = setInterval(() => undefined, 1_000);
class Flow {
  async run(ctx) {
    await ctx.remote('use');
    await ctx.remote('use');
  }
}
Workflow('flow')(Flow);
class Steps {
  async use(_, { signal }) {
    say('step begins');
    signal.addEventListener('abort', () => say('step is asked to end: ' + signal.reason.code));
    await new Promise(() => undefined);
  }
  async onModuleDestroy() {
    say('destroyed');
    if (STUCK) await new Promise(() => undefined);
  }
  onApplicationShutdown() {
    say('shut down');
    clearInterval(clock);
  }
}
RemoteStep('use')(Steps.prototype, 'use', Object.getOwnPropertyDescriptor(Steps.prototype, 'use'));
Worker()(Steps);
class App {}
Module({ imports: [DurableModule.forRoot({ backend: memoryBackend() })], providers: [Flow, Steps] })(App);
// One that acts on signals, as programs of their own do, and lets the app go on for a while.
if (LATE) process.on('SIGTERM', () => say('heard'));
const app = await NestFactory.createApplicationContext(App, { logger: ['error', 'warn'] });
if (HOOKS) app.enableShutdownHooks();
await app.get(WorkflowClient).start('flow');
`;

describe('a process that is asked to end by a signal', () => {
  let programs: OwnPrograms;
  let file: string;
  const started: Program[] = [];
  beforeAll(() => {
    programs = ownPrograms();
    file = programs.write('ending.mjs', PROGRAM);
  });
  afterAll(() => {
    for (const program of started) program.process.kill('SIGKILL');
    programs.close();
  });

  const start = async (env: NodeJS.ProcessEnv): Promise<Program> => {
    const program = startProgram(file, [], env);
    started.push(program);
    await said(program, 'step begins');
    return program;
  };
  const said = (program: Program, text: string) =>
    until(text, () => program.output().includes(`${text}\n`), { otherwise: () => program.output() });
  /** Once it listens: an app may enable its hooks shortly after its start. */
  const heard = (program: Program) => said(program, 'step is asked to end: PROCESS_ENDING');

  it('asks its steps to end, gives those up that do not, and ends by that signal', async () => {
    const program = await start({ HOOKS: 'yes' });
    program.process.kill('SIGTERM');
    const { signal, output } = await program.ended;
    expect(signal).toBe('SIGTERM');
    expect(output.split('\n').filter(Boolean)).toEqual([
      'step begins',
      expect.stringMatching(/destroyed|asked to end/) as string,
      expect.stringMatching(/destroyed|asked to end/) as string,
      'shut down',
    ]);
  });

  it('ends at once by a second signal, whatever holds it up', async () => {
    const program = await start({ HOOKS: 'yes', STUCK: 'yes', LATE: 'yes' });
    program.process.kill('SIGINT');
    await heard(program);
    // Again and again: one that comes right behind the first may be the same, passed on by npm.
    const again = setInterval(() => program.process.kill('SIGINT'), 100);
    const { code, output } = await program.ended.finally(() => clearInterval(again));
    expect(code).toBe(130);
    expect(output).not.toContain('shut down');
  });

  it('waits for it in production', async () => {
    const program = await start({ HOOKS: 'yes', STUCK: 'yes', LATE: 'yes', NODE_ENV: 'production' });
    program.process.kill('SIGTERM');
    await heard(program);
    await said(program, 'destroyed');
    const before = program.output();
    for (let n = 0; n < 5; n++) {
      program.process.kill('SIGTERM');
      await until('it is heard', () => program.output().split('heard\n').length > n + 2);
    }
    expect(program.output().replaceAll('heard\n', '')).toBe(before.replaceAll('heard\n', ''));
    expect(program.process.exitCode).toBeNull();
  });

  it('begins nothing from the signal on, also where somebody else acts on it', async () => {
    const program = await start({ LATE: 'yes' });
    program.process.kill('SIGTERM');
    await heard(program);
    expect(program.output().match(/step begins/g)).toHaveLength(1);
    program.process.kill('SIGKILL');
    await program.ended;
  });

  it('ends at once where nobody acts on it', async () => {
    const program = await start({});
    program.process.kill('SIGTERM');
    const { signal, output } = await program.ended;
    expect([signal, output]).toEqual(['SIGTERM', 'step begins\n']);
  });
});
