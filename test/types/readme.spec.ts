import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

const SAMPLE = /^\/\/ (sample\/\S+)\n/;
const isSample = (code: string): boolean => SAMPLE.test(code);

/** What the compiler says of programs that stand in no file, each a module beside this test. */
function complaintsOf(programs: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, ROOT);
  const files = new Map(programs.map((code, at) => [join(ROOT, `test/types/readme-${at + 1}.ts`), code]));
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
function membersOf(name: string, path = 'lib/module/durable-options.interface.ts'): string[] {
  const file = join(ROOT, path);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((one) => one.name.text === name);
  return (found?.members ?? []).map((member) => (member.name as ts.Identifier).text);
}

describe('The README', () => {
  it('shows programs that compile', () => {
    const own = blocks.filter((code) => !isSample(code));
    expect(own.length).toBeGreaterThan(3);
    expect(complaintsOf(own)).toEqual([]);
    expect(complaintsOf([`import { Nothing } from 'nest-durable';\nexport const wrong: number = Nothing;`])).toEqual([
      expect.stringContaining('Nothing') as string,
    ]);
  });

  it('shows samples as they are', () => {
    const shown = blocks.filter(isSample);
    expect(shown.length).toBeGreaterThan(1);
    for (const code of shown) {
      const [first = '', file = ''] = SAMPLE.exec(code) ?? [];
      expect(code.slice(first.length)).toBe(readFileSync(join(ROOT, file), 'utf8'));
    }
  });

  it('lists every sample, and links to nothing that is not there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, to = '']) => to);
    // What the package is built from, but not what every copy of its tests has.
    const present = links.filter((to) => !/^[A-Z]+\.md$/.test(to));
    expect(present.filter((to) => !existsSync(join(dirname(join(ROOT, 'README.md')), to)))).toEqual([]);
    const samples = readdirSync(join(ROOT, 'sample'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(samples.map(({ name }) => `sample/${name}`).filter((name) => !links.includes(name))).toEqual([]);
  });

  it('names the columns of the contract as the schema has them', () => {
    const schema = readFileSync(join(ROOT, 'test/schema.postgres.sql'), 'utf8');
    for (const table of ['durable_transport_tasks', 'durable_transport_results']) {
      const [, listed = ''] = new RegExp(`^\`${table}\`.*?\n\n(.*?)\n\n`, 'ms').exec(readme) ?? [];
      const documented = [...listed.matchAll(/^\| `(\w+)`/gm)].map(([, column]) => column);
      const [, body = ''] = new RegExp(`TABLE (?:IF NOT EXISTS )?"?${table}"? \\((.*?)\n\\)`, 's').exec(schema) ?? [];
      const columns = [...body.matchAll(/^\s*"?(\w+)"? (?:varchar|character|integer|bigint|text)/gm)].map(
        ([, name]) => name,
      );
      expect(columns.length).toBeGreaterThan(5);
      expect(documented).toEqual(columns);
    }
  });

  it('names every option', () => {
    const [, table = ''] = /^## Options\n(.*?)^## /ms.exec(readme) ?? [];
    const cells = [...table.matchAll(/^\| (`[^|]+`)/gm)].map(([, cell = '']) => cell);
    const listed = cells.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
    const inside = (role: string, names: readonly string[]) => names.map((name) => `${role}.${name}`);
    const options = [
      ...membersOf('ConnectionOptions'),
      ...membersOf('DurableModuleOptions').filter((name) => name !== 'limits'),
      ...inside('engine', membersOf('EngineModuleOptions')),
      ...inside('worker', membersOf('WorkerModuleOptions')),
      ...inside('limits', ['payload', 'steps']),
      ...inside('outbox', membersOf('OutboxModuleOptions', 'lib/module/outbox-options.ts')),
      ...inside('effects', membersOf('EffectsModuleOptions', 'lib/module/effects-options.ts')),
    ];
    expect(listed.sort()).toEqual(options.sort());
  });
});
