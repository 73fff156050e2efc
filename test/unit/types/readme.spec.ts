import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../support/root.mjs';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const SAMPLE = /^(?:\/\/|#) (sample\/\S+)\n/;

interface Example {
  page: string;
  code: string;
  /** The file it shows, if it shows one. */
  sample?: string;
}

const examplesOf = (page: string): Example[] =>
  [...read(page).matchAll(/^```(?:ts|python)\n(.*?)^```$/gms)].map(([, code = '']) => {
    const [, sample] = SAMPLE.exec(code) ?? [];
    return { page, code, ...(sample && { sample }) };
  });

const examples = PAGES.flatMap(examplesOf);

/** What the compiler says of programs that stand in no file, each a module beside this test. */
function complaintsOf(programs: readonly Example[]): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, ROOT);
  const files = new Map(
    programs.map(({ page, code }, at) => [join(ROOT, 'test/types', `${at + 1}-${page.replace('/', '-')}.ts`), code]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const code = files.get(path);
    return code === undefined
      ? getSourceFile(path, language, ...rest)
      : ts.createSourceFile(path, code, language, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ messageText }) => `${path.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
  );
}

/** The properties of an interface of the module's options. */
function membersOf(name: string, path = 'lib/nest/options.ts'): string[] {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((one) => one.name.text === name);
  return (found?.members ?? []).map((member) => (member.name as ts.Identifier).text);
}

describe('The README and the pages of docs', () => {
  it('show programs that compile', () => {
    // An example that stands on several pages is compiled once.
    const own = [
      ...new Map(examples.filter(({ sample }) => !sample).map((example) => [example.code, example])).values(),
    ];
    expect(own.length).toBeGreaterThan(10);
    const wrong = {
      page: 'docs/wrong.md',
      code: `import { Nothing } from 'nest-durable';\nexport const wrong: number = Nothing;`,
    };
    expect(complaintsOf([...own, wrong])).toEqual([expect.stringMatching(/docs-wrong\.md\.ts: .*Nothing/) as string]);
  });

  it('show samples as they are', () => {
    const shown = examples.filter(({ sample }) => sample);
    expect(shown.length).toBeGreaterThan(3);
    for (const { page, code, sample = '' } of shown)
      expect({ page, code }).toEqual({
        page,
        code: `${sample.endsWith('.py') ? '#' : '//'} ${sample}\n${read(sample)}`,
      });
  });

  it('list every sample', () => {
    const samples = readdirSync(join(ROOT, 'sample'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const readme = read('README.md');
    const page = read('docs/samples.md');
    expect(samples.filter(({ name }) => !readme.includes(`](docs/samples.md#${name})`))).toEqual([]);
    expect(samples.filter(({ name }) => !page.includes(`\n## ${name}\n`))).toEqual([]);
  });

  it('name tests that are there', () => {
    const specs = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
    const named = [
      ...read('docs/guarantees.md').matchAll(/`((?:unit|contract|behaviour|apps|full|\*)\/[\w/*-]+)`/g),
    ].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(15);
    const isThere = (name: string) => {
      const wanted = new RegExp(`^${name.replaceAll('*', '[^/]*')}\\.spec\\.ts$`);
      return specs.some((spec) => wanted.test(spec));
    };
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  it('name the columns of the contract as the schema has them', () => {
    const schema = read('test/contract/sql/schema.postgres.sql');
    for (const table of ['durable_transport_tasks', 'durable_transport_results']) {
      const [, listed = ''] =
        new RegExp(`^\`${table}\`.*?\n\n(.*?)\n\n`, 'ms').exec(read('docs/table-contract.md')) ?? [];
      const documented = [...listed.matchAll(/^\| `(\w+)`/gm)].map(([, column]) => column);
      const [, body = ''] = new RegExp(`TABLE (?:IF NOT EXISTS )?"?${table}"? \\((.*?)\n\\)`, 's').exec(schema) ?? [];
      const columns = [...body.matchAll(/^\s*"?(\w+)"? (?:varchar|character|integer|bigint|text)/gm)].map(
        ([, name]) => name,
      );
      expect(columns.length).toBeGreaterThan(5);
      expect(documented).toEqual(columns);
    }
  });

  it('name every option', () => {
    const cells = [...read('docs/options.md').matchAll(/^\| (`[^|]+`)/gm)].map(([, cell = '']) => cell);
    const listed = cells.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
    const inside = (role: string, names: readonly string[]) => names.map((name) => `${role}.${name}`);
    const options = [
      ...membersOf('ConnectionOptions'),
      ...membersOf('DurableModuleOptions').filter((name) => name !== 'limits'),
      ...inside('engine', membersOf('EngineModuleOptions')),
      ...inside('worker', membersOf('WorkerModuleOptions')),
      ...inside('limits', ['payload', 'steps']),
      ...inside('outbox', membersOf('OutboxModuleOptions', 'lib/nest/slice-options.ts')),
      ...inside('effects', membersOf('EffectsModuleOptions', 'lib/nest/slice-options.ts')),
      ...inside('retention', membersOf('RetentionOptions', 'lib/nest/slice-options.ts')),
    ];
    expect(listed.sort()).toEqual(options.sort());
  });
});
