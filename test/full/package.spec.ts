import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as root from 'nest-durable';
import * as conformance from 'nest-durable/conformance';
import * as eslint from 'nest-durable/eslint';
import * as sql from 'nest-durable/sql';
import * as dashboard from 'nest-durable/dashboard';
import * as otel from 'nest-durable/otel';
import * as terminus from 'nest-durable/terminus';
import * as testing from 'nest-durable/testing';
import { ROOT } from '../support/root.mjs';

const run = promisify(execFile);

const MOST_FILES = 95;
const MOST_BYTES = 3_250_000;

/** What each entry exports from its sources. */
const NAMES = Object.fromEntries(
  Object.entries({
    '': root,
    '/sql': sql,
    '/testing': testing,
    '/conformance': conformance,
    '/eslint': eslint,
    '/dashboard': dashboard,
    '/otel': otel,
    '/terminus': terminus,
  }).map(([entry, names]) => [`nest-durable${entry}`, Object.keys(names).sort()]),
);

interface PackageJson {
  files: string[];
  exports: object;
  bin: object;
  devDependencies: Record<string, string>;
}
const { devDependencies, files, exports, bin } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as PackageJson;

/** Every file that a tree of conditions leads to. */
const leaves = (tree: string | object): string[] =>
  typeof tree === 'string'
    ? [tree.replace(/^\.\//, '')]
    : Object.values(tree).flatMap((branch) => leaves(branch as string | object));

/** Runs a program and says what it printed when it fails. */
async function must(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    return (await run(command, args, { cwd, maxBuffer: 1e8, env: { ...process.env, NODE_OPTIONS: '' } })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** What an app writes; every name here is one that its own code would import. */
const appSource = (first: string) => `
${first}
import { NestFactory } from '@nestjs/core';
import {
  DurableError, DurableModule, NonRetryableStepError, RemoteStep, Worker, Workflow, WorkflowClient, WorkflowNotFoundError, jsonCodec,
  type Clock, type Duration, type StepContext, type WorkflowContext, type WorkflowRunner,
} from 'nest-durable';
import { sql } from 'nest-durable/sql';
import * as testing from 'nest-durable/testing';
import { sqlExecutorConformance } from 'nest-durable/conformance';

@Worker({ concurrency: 2 })
class Steps {
  @RemoteStep('double', { timeout: '5s' })
  double(n: number, step: StepContext): number { return n * 2 * step.attempt; }
}

@Workflow('doubled')
class Doubled implements WorkflowRunner<number, number> {
  constructor(readonly steps: Steps) {}
  async run(ctx: WorkflowContext, n: number): Promise<number> { return ctx.remote(Steps).double(n); }
}

@Module({ imports: [DurableModule.forRoot()], providers: [Doubled, Steps] })
class WithoutOrm {}

export const place = (workflows: WorkflowClient) => workflows.startAndWait(Doubled, 4, { timeout: '120s' });

const wait: Duration = '5m';
const clock: Clock = { now: () => 7 };
const error: DurableError = new NonRetryableStepError('no', 'NO');
const statement = sql\`SELECT \${clock.now()}\`;
console.log(JSON.stringify([wait, error.code, jsonCodec.decode(jsonCodec.encode(1n)) === 1n, statement.values, typeof testing, sqlExecutorConformance.length > 0]));

async function main(): Promise<void> {
  const refusal: unknown = await NestFactory.createApplicationContext(WithoutOrm, { logger: false, abortOnError: false }).catch((error) => error);
  const durable = await testing.createTestingDurable({ workflows: [Doubled], providers: [Steps] });
  const { id } = await durable.client.start(Doubled, 4);
  await durable.drain();
  const { output } = await durable.client.getStatus(id);
  const missing: unknown = await durable.client.getStatus('missing').catch((error: unknown) => error);
  const isTraced = /at async \\w+\\.getStatus .*:\\d+:/.test((missing as Error).stack ?? '');
  console.log(JSON.stringify([
    (refusal as DurableError).code, output, durable.client instanceof WorkflowClient,
    missing instanceof WorkflowNotFoundError, (missing as Error).name, isTraced,
  ]));
  await durable.close();
}
void main();
`;

const PRINTED = [
  '["5m","NO",true,[7],"object",true]',
  '["CONFIGURATION",8,true,true,"WorkflowNotFoundError",true]',
].join('\n');

const APPS = [
  {
    name: 'an ESM app with TypeORM only',
    type: 'module',
    installs: ['typeorm', 'pg'],
    lacks: '@mikro-orm',
    typescript: '7.0.2',
    first: `import { Module } from '@nestjs/common';\nimport { DataSource } from 'typeorm';\n@Module({})\nexport class App { db?: DataSource }`,
    compiler: { module: 'NodeNext', moduleResolution: 'NodeNext', target: 'ES2023' },
  },
  {
    name: 'a CommonJS app with MikroORM only',
    type: 'commonjs',
    installs: ['@mikro-orm/core', '@mikro-orm/mysql', 'mysql2'],
    lacks: 'typeorm',
    typescript: '6.0.3',
    first: `import { Module } from '@nestjs/common';\nimport { MikroORM } from '@mikro-orm/core';\n@Module({})\nexport class App { orm?: MikroORM }`,
    compiler: { module: 'Node16', moduleResolution: 'Node16', target: 'ES2022' },
  },
] as const;

const NEST = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/terminus',
  '@opentelemetry/api',
  'reflect-metadata',
  'rxjs',
  '@types/node',
];

describe('the packed package', () => {
  let folder: string;
  let packed: Packed;
  let tarball: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nest-durable-package-'));
    packed = await packCopy(folder);
    tarball = join(folder, packed.filename);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('holds what it needs and nothing else', async () => {
    const listed = (await must(folder, 'tar', '-tzf', tarball)).trim().split('\n');
    const top = new Set(listed.map((file) => file.split('/')[1]));
    expect([...top].sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json']);
    const promised = [...leaves(exports), ...leaves(bin), 'dist/cjs/package.json'];
    expect(promised.filter((file) => !listed.includes(`package/${file}`))).toEqual([]);
  });

  it('is small', () => {
    const { entryCount, unpackedSize } = packed;
    expect(entryCount).toBeLessThanOrEqual(MOST_FILES);
    expect(unpackedSize).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('names no optional peer in its declarations', () => {
    const declarations = join(folder, 'source/dist');
    const wrong = readdirSync(declarations, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.d.ts'))
      .filter((file) =>
        /\b(?:from|import\(|require\()\s*['"](typeorm|ably|@nestjs\/microservices|@mikro-orm\/[^'"]+|pg|mysql2[^'"]*)['"]/.test(
          readFileSync(join(declarations, file), 'utf8'),
        ),
      );
    expect(wrong).toEqual([]);
  });

  it.each(APPS)(
    'installs, compiles strictly and runs in $name',
    async ({ type, installs, lacks, typescript, first, compiler }) => {
      const app = join(folder, type);
      mkdirSync(app);
      const dependencies = Object.fromEntries([...NEST, ...installs].map((name) => [name, devDependencies[name]]));
      write(app, 'package.json', {
        name: 'app',
        private: true,
        type,
        dependencies: { ...dependencies, typescript, 'nest-durable': `file:${tarball}` },
      });
      write(app, 'tsconfig.json', {
        compilerOptions: {
          ...compiler,
          lib: ['ES2023'],
          types: ['node'],
          strict: true,
          skipLibCheck: false,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          esModuleInterop: true,
        },
        files: ['main.ts'],
      });
      writeFileSync(join(app, 'main.ts'), appSource(first));
      await must(
        app,
        'npm',
        'install',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        '--omit=peer',
        '--loglevel=error',
      );
      expect(readdirSync(join(app, 'node_modules'))).not.toContain(lacks);
      await must(app, process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.');
      expect((await must(app, process.execPath, 'main.js')).trim()).toBe(PRINTED);
      const printed = await must(app, 'npx', '--no-install', 'nest-durable', 'sql', '--dialect', 'mysql');
      expect(printed).toMatch(/CREATE TABLE IF NOT EXISTS `durable_runs`/);
    },
  );

  it('gives its CommonJS build to whoever requires it, and the other to whoever imports it', async () => {
    const script = `import { createRequire } from 'node:module'; const { resolve } = createRequire(import.meta.url);
      console.log([resolve('nest-durable'), import.meta.resolve('nest-durable')].map((path) => /dist.*$/.exec(path)[0]).join());`;
    const printed = await must(join(folder, 'module'), process.execPath, '--input-type=module', '-e', script);
    expect(printed.trim()).toBe('dist/cjs/index.js,dist/index.js');
  });

  it.each([
    ['module', 'import'],
    ['commonjs', 'require'],
  ])('exports the names of its sources to an app of type %s', async (type, by) => {
    const script = `const names = Object.keys(NAMES);
      Promise.all(names.map(async (name) => [name, Object.keys(await ${by}(name)).sort()]))
        .then((found) => console.log(JSON.stringify(Object.fromEntries(found))));`;
    const given = script.replace('NAMES', JSON.stringify(NAMES));
    const printed = await must(join(folder, type), process.execPath, `--input-type=${type}`, '-e', given);
    expect(JSON.parse(printed)).toEqual(NAMES);
    expect(NAMES['nest-durable']).toEqual(expect.not.arrayContaining(NAMES['nest-durable/sql']!));
  });

  it('has no second copy of what is not for Nest, whichever build an app loads', async () => {
    const script = `import { createRequire } from 'node:module'; import { DurableError, OutboxRelay } from 'nest-durable';
      const required = createRequire(import.meta.url)('nest-durable');
      console.log(required.DurableError === DurableError, required.OutboxRelay === OutboxRelay);`;
    const printed = await must(join(folder, 'module'), process.execPath, '--input-type=module', '-e', script);
    expect(printed.trim()).toBe('true true');
  });
});

interface Packed {
  filename: string;
  entryCount: number;
  unpackedSize: number;
}

/** Builds and packs a copy, so that a test never touches the `dist` somebody else is using. */
async function packCopy(folder: string): Promise<Packed> {
  const source = join(folder, 'source');
  mkdirSync(source);
  const configs = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'lib', 'bundle', 'page'];
  for (const name of [...configs, ...files.filter((file) => file !== 'dist')]) {
    if (readdirSync(ROOT).includes(name)) cpSync(join(ROOT, name), join(source, name), { recursive: true });
  }
  await must(folder, 'ln', '-s', join(ROOT, 'node_modules'), join(source, 'node_modules'));
  const printed = await must(
    source,
    'npm',
    'pack',
    '--json',
    '--pack-destination',
    folder,
    '--foreground-scripts=false',
  );
  const [packed] = JSON.parse(printed.slice(printed.indexOf('[\n'))) as Packed[];
  return packed!;
}

const write = (folder: string, name: string, content: unknown) =>
  writeFileSync(join(folder, name), JSON.stringify(content, null, 2));
