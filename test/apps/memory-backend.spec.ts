import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext, Type } from '@nestjs/common';
import {
  DurableModule,
  DurablePubSub,
  DurableStore,
  type FileSystem,
  memoryBackend,
  type MemoryBackend,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { ownPrograms } from '../support/compiled.js';
import { bootApp } from '../support/nest-app.js';
import { gate } from '../support/gate.js';
import { startProgram } from '../support/programs.js';
import { sized } from '../support/tiers.js';
import { until } from '../support/until.js';

const ran: string[] = [];
let answering: Promise<void> | undefined;

@Worker()
class Steps {
  @RemoteStep('memory.double')
  async double(n: number): Promise<number> {
    ran.push('double');
    await answering;
    return 2 * n;
  }
}

@Workflow('memory.doubled')
class Doubled {
  async run(ctx: WorkflowContext, n: number): Promise<number> {
    const more = await ctx.step('more', () => {
      ran.push('more');
      return n + 1;
    });
    await ctx.transaction('booked', (tx) => void ran.push(typeof tx));
    await ctx.sleep('a moment', 20);
    return ctx.remote(Steps).double(more);
  }
}

describe('An app without a database', () => {
  const apps: INestApplicationContext[] = [];
  let folder: string;
  beforeEach(() => {
    ran.length = 0;
    answering = undefined;
    folder = mkdtempSync(join(tmpdir(), 'nest-durable-memory-'));
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  const boot = async (backend: MemoryBackend, providers: Type[] = [Doubled, Steps]) => {
    const app = await bootApp({ imports: [DurableModule.forRoot({ backend })], providers });
    apps.push(app);
    return app.get(WorkflowClient);
  };

  it('plays workflows and runs remote steps', async () => {
    const client = await boot(memoryBackend());
    expect(await client.startAndWait(Doubled, 3, { timeout: '120s' })).toBe(8);
    expect(ran).toEqual(['more', 'object', 'double']);
  });

  it('shares its backend with others, like a database: one plays, another works', async () => {
    const backend = memoryBackend();
    const client = await boot(backend, [Doubled]);
    const { id } = await client.start(Doubled, 3);
    await until('the request', () => ran.length === 2);
    await boot(backend, [Steps]);
    expect(await client.result(id, { timeout: '120s' })).toBe(8);
  });

  it('goes on with its file where it was', async () => {
    const file = join(folder, 'state', 'durable.json');
    const { opened, open } = gate();
    answering = opened;
    const dying = await boot(memoryBackend({ file }));
    const { id } = await dying.start(Doubled, 3);
    await until('the request', () => ran.includes('double'));
    // What a process that was killed here would have left.
    writeFileSync(join(folder, 'left.json'), readFileSync(file));
    answering = undefined;
    const next = await boot(memoryBackend({ file: join(folder, 'left.json') }));
    expect(await next.result(id, { timeout: '120s' })).toBe(8);
    expect(ran).toEqual(['more', 'object', 'double', 'double']);
    const { history } = await next.getStatus(id, { history: true });
    expect(history?.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
    const { finishedAt } = await next.getStatus(id);
    expect(finishedAt).toBeInstanceOf(Date);
    open();
  });

  it.each([
    ['is cut off', '{"format":"nest-durable memory","version":1,"tab'],
    ['is empty', ''],
    ['is another program’s', '{"version":"1.0","things":[]}'],
    ['is of a later version', '{"format":"nest-durable memory","version":2,"tables":{}}'],
    [
      'has a table that is none',
      '{"format":"nest-durable memory","version":1,"tables":{"runs":[]},"tasks":{"$durable":"Map","value":[]},"answers":{"$durable":"Map","value":[]}}',
    ],
    ['holds null', 'null'],
  ])('reports a file that %s, moves it aside and begins empty', async (_, text) => {
    const file = join(folder, 'durable.json');
    writeFileSync(`${file}.corrupt-1`, 'an older one');
    writeFileSync(file, text);
    const errors: Error[] = [];
    const client = await boot(memoryBackend({ file, onError: (error) => errors.push(error) }));
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining(`${file}.corrupt-2`)]);
    expect(readFileSync(`${file}.corrupt-2`, 'utf8')).toBe(text);
    expect(await client.startAndWait(Doubled, 1, { timeout: '120s' })).toBe(4);
    expect(readFileSync(file, 'utf8')).toContain('"format":"nest-durable memory"');
  });

  it('goes on in memory when the file cannot be written', async () => {
    const file = join(folder, 'durable.json');
    const errors: string[] = [];
    // A folder stands where the file would be written beside.
    mkdirSync(`${file}.tmp`);
    const client = await boot(memoryBackend({ file, onError: ({ message }) => errors.push(message) }));
    expect(await client.startAndWait(Doubled, 1, { timeout: '120s' })).toBe(4);
    expect(errors[0]).toMatch(/cannot be written: EISDIR/);
  });

  it('keeps its file wherever it is told to', async () => {
    const files = new Map<string, string>([['var/durable.json', 'torn']]);
    const folders: string[] = [];
    const fs: FileSystem = {
      exists: (path) => files.has(path),
      readFile: (path) => files.get(path)!,
      mkdir: (path) => void folders.push(path),
      writeFile: (path, text) => void files.set(path, text),
      rename: (from, to) => {
        files.set(to, files.get(from)!);
        files.delete(from);
      },
    };
    const file = 'var/durable.json';
    const errors: string[] = [];
    const onError = ({ message }: Error) => void errors.push(message);
    const client = await boot(memoryBackend({ file, fs, onError }));
    expect(errors).toEqual([expect.stringMatching(/renamed to var\/durable\.json\.corrupt-1/)]);
    const { id } = await client.start(Doubled, 1);
    expect(await client.result(id, { timeout: '120s' })).toBe(4);
    expect([...files.keys()].sort()).toEqual(['var/durable.json', 'var/durable.json.corrupt-1']);
    expect(new Set(folders)).toEqual(new Set(['var']));
    await Promise.all(apps.splice(0).map((app) => app.close()));
    const next = await boot(memoryBackend({ file, fs, onError }));
    expect(await next.result(id, { timeout: '120s' })).toBe(4);
    expect(errors).toHaveLength(1);
    expect(() => memoryBackend({ file, fs: { exists: fs.exists } as never })).toThrow(
      /fs.*readFile, mkdir, writeFile, rename/,
    );
  });

  it('shares texts and messages with others, and keeps the texts in its file', async () => {
    const file = join(folder, 'durable.json');
    const backend = memoryBackend({ file });
    await boot(backend);
    await boot(backend);
    const [here, there] = apps as [INestApplicationContext, INestApplicationContext];
    const heard: unknown[] = [];
    there.get(DurablePubSub).subscribe('news', (message) => heard.push(message));
    await here.get(DurablePubSub).publish('news', 'one');
    expect(heard).toEqual(['one']);
    await here.get(DurableStore).set('a', 'one');
    expect(await there.get(DurableStore).get('a')).toBe('one');
    await boot(memoryBackend({ file }));
    expect(await apps[2]!.get(DurableStore).get('a')).toBe('one');
  });

  it('refuses what a backend stands in for', () => {
    const backend = memoryBackend();
    for (const other of [{ orm: 'typeorm' }, { connection: 'x' }, { clock: { now: () => 0 } }, { executor: {} }])
      expect(() => DurableModule.forRoot({ backend, ...other } as never)).toThrow(Object.keys(other)[0]);
    expect(() => DurableModule.forRoot({ backend: {} as never })).toThrow(/memoryBackend\(\)/);
    expect(() => memoryBackend({ file: '' })).toThrow(/file/);
  });
});

const WRITER = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DurableModule, memoryBackend, WorkflowClient } from 'nest-durable';
class App {}
Module({ imports: [DurableModule.forRoot({ backend: memoryBackend({ file: process.argv[2] }), engine: false, worker: false })] })(App);
const app = await NestFactory.createApplicationContext(App, { logger: false });
const client = app.get(WorkflowClient);
const text = 'x'.repeat(5000);
for (let n = 0; ; n++) {
  await client.start('anything', { n, text }, { id: 'run-' + n });
  console.log('acknowledged ' + n);
}
`;

describe('A process that writes its state in a loop and is killed', () => {
  it('leaves all that it had acknowledged, and never a torn file', async () => {
    const programs = ownPrograms();
    const folder = mkdtempSync(join(tmpdir(), 'nest-durable-killed-'));
    try {
      const script = programs.write('writer.mjs', WRITER);
      for (const [round, writes] of [17, 3, 40, 61, 90].slice(0, sized(5, 1)).entries()) {
        const file = join(folder, `state-${round}.json`);
        const writer = startProgram(script, [file]);
        const last = () => Number(/acknowledged (\d+)\n[^]*?$/.exec(writer.output().slice(-60))?.[1] ?? -1);
        await until(`write ${writes}`, () => last() >= writes).catch(() => Promise.reject(new Error(writer.output())));
        writer.process.kill('SIGKILL');
        await writer.ended;
        const acknowledged = (writer.output().match(/acknowledged \d+\n/g) ?? []).length;
        const errors: Error[] = [];
        const { engine } = memoryBackend({ file, onError: (error) => errors.push(error) });
        const ids = Array.from({ length: acknowledged }, (_, n) => `run-${n}`);
        expect(errors).toEqual([]);
        expect((await engine.catalog.find(ids)).map(({ id }) => id)).toEqual(ids);
      }
      expect(readdirSync(folder).filter((name) => name.includes('corrupt'))).toEqual([]);
    } finally {
      programs.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
