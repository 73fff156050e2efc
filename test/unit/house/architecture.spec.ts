import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import * as index from '../../../lib/index.js';
import { DIALECTS } from '../../../lib/sql/dialects.js';
import { ROOT } from '../../support/root.mjs';

const isFunction = expect.any(Function) as unknown;
const LIB = join(ROOT, 'lib/');

/** What a run is made of, what workers do, what is published, what is called and what is shared: none imports another. */
const SLICES = ['engine/', 'worker/', 'outbox/', 'effects/', 'store/'];
const BELOW = ['core/', 'sql/', 'acts/', ...SLICES, 'doctor/', 'operate/', 'memory-backend.ts'];
const ALL = [...BELOW, 'nest/', 'durable.module.ts'];

/** What `nest-durable dashboard` serves: routes, checks and the page, which load nothing of Nest. */
const DASHBOARD_WITHOUT_NEST = ['options', 'page', 'requests', 'route', 'routes'].map((file) => `dashboard/${file}.ts`);

/** What each folder of lib, and each file that stands directly in it, may import besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  'core/': [],
  'sql/': ['core/'],
  'acts/': ['core/'],
  'engine/': ['core/', 'acts/'],
  // A transport carries the engine's tasks: it knows that port alone.
  'worker/': ['core/', 'acts/', 'engine/tasks.ts'],
  'outbox/': ['core/', 'acts/'],
  'effects/': ['core/', 'acts/'],
  'store/': ['core/'],
  'doctor/': ['core/', 'sql/', 'engine/', 'worker/', 'outbox/'],
  'operate/': ['core/', 'sql/', 'acts/', ...SLICES, 'doctor/'],
  'memory-backend.ts': ['core/', 'acts/', ...SLICES],
  'nest/': BELOW,
  'durable.module.ts': [...BELOW, 'nest/'],
  'index.ts': ALL,
  // The command; nothing imports it.
  'cli/': [...BELOW, 'nest/', ...DASHBOARD_WITHOUT_NEST],
  // Entry points of their own; nothing imports them. The suites know ports alone, the kit starts whole apps.
  'conformance/': ['core/', 'sql/', ...SLICES],
  'testing/': ALL,
  'dashboard/': ALL,
  // Adapters to packages that an app may have.
  'terminus/': ['nest/'],
  'otel/': ['core/', 'nest/'],
  // For ESLint, which loads nothing else of the package.
  'eslint/': [],
};

/** The one file of a slice that puts parts of several together: a worker beside an engine, without Nest. */
const MORE: Record<string, string[]> = {
  'worker/db-transport.ts': ['sql/', 'engine/nodes.ts', 'engine/nodes.sql.ts', 'outbox/tables.sql.ts'],
};

/** The floors inside of folders, from the top down; `.` is what stands directly in the folder. */
const FLOORS: Record<string, string[][]> = {
  engine: [['client'], ['play'], ['.']],
  sql: [['migrations'], ['.']],
};

/** A noun has a file with its port, its types and its logic, one with its SQL and one with its twin in memory. */
const SQL = /\.sql\.ts$/;
const MEMORY = /\.memory\.ts$/;
/** Who chooses an adapter: what puts storages together, the kit for tests, and lists of names. */
const CHOOSES =
  /^(memory-backend|worker\/db-transport|index|testing\/.+|(nest|cli|doctor|operate|conformance)\/.+)\.ts$/;
const NAMED =
  /^[a-z0-9]+(-[a-z0-9]+)*(\.(sql|memory|(postgres|mysql)\.sql|module|providers|indicator|generated))?\.ts$/;
const KNOWS_NEST =
  /^(durable\.module|(nest|dashboard|otel|terminus)\/.+|cli\/check-command|testing\/testing-durable)\.ts$/;
const NO_NAME = /(^|[-.])(managers?|helpers?|utils?|utilities|common|base|impl|data|info|misc)(?=[-.])/;
const MAX_LINES = 700;
/** What a stranger has to find the way in; these numbers are what there is, and are to fall. */
const MOST_FILES = 258;
const MOST_LINES = 88_592;
/** A file with fewer lines than this holds part of an idea, and belongs to the file with the rest of it. */
const SMALL = 100;
const MOST_SMALL = 22;

/** `import`, `import type`, `export … from`, over several lines, bare imports and dynamic ones; a comment is none. */
const IMPORTS = [
  /(?:^|[\n;])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/g,
  /(?:^|[\n;])\s*(?:import|export)\s*(?:type\s*)?[{*][^'"`;]*?from\s*['"]([^'"]+)['"]/g,
  /\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g,
  /\brequire\s*\(\s*['"`]([^'"`]+)['"`]/g,
];

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

export function importsOf(text: string): string[] {
  const code = withoutComments(text);
  return [...new Set(IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map(([, path]) => String(path))))];
}

const files = readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const sources = new Map(files.map((file) => [file, readFileSync(join(LIB, file), 'utf8')]));
const source = (file: string) => sources.get(file) ?? '';

const isOurs = (path: string) => path.startsWith('.');
const resolved = (from: string, path: string) => normalize(join(dirname(from), path)).replace(/\.js$/, '.ts');
const ours = new Map(
  files.map((file) => [
    file,
    importsOf(source(file))
      .filter(isOurs)
      .map((path) => resolved(file, path)),
  ]),
);
const edges = [...ours].flatMap(([from, tos]) => tos.map((to) => ({ from, to })));
const shown = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`;

const floorOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/') + 1) : file);

function isAllowed({ from, to }: { from: string; to: string }): boolean {
  const floor = floorOf(from);
  if (floor === to || (floor.endsWith('/') && to.startsWith(floor))) return true;
  if (to.startsWith('sql/') && [...SLICES, 'acts/'].includes(floor) && SQL.test(from)) return true;
  const allowed = [...(MAY_IMPORT[floor] ?? []), ...(MORE[from] ?? [])];
  return allowed.some((floorOrFile) => (floorOrFile.endsWith('/') ? to.startsWith(floorOrFile) : to === floorOrFile));
}

/** The folder inside of a folder of lib. */
const roomOf = (file: string) => (file.split('/').length > 2 ? String(file.split('/')[1]) : '.');

/** Undefined where one of the two is in another folder of lib, or both in the same room. */
function stairs({ from, to }: { from: string; to: string }): 'down' | 'up' | undefined {
  const floor = floorOf(from);
  if (!floor.endsWith('/') || !to.startsWith(floor) || roomOf(from) === roomOf(to)) return undefined;
  const storeys = FLOORS[floor.slice(0, -1)] ?? [];
  const [above, below] = [from, to].map((file) => storeys.findIndex((rooms) => rooms.includes(roomOf(file))));
  return above !== -1 && above! < below! ? 'down' : 'up';
}

function circleFrom(file: string, path: string[], done: Set<string>): string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return undefined;
  done.add(file);
  for (const next of ours.get(file) ?? []) {
    const circle = circleFrom(next, [...path, file], done);
    if (circle) return circle;
  }
  return undefined;
}

/** Static imports only: a type is erased, and a dynamic import is guarded. */
const loadsAtOnce = (text: string, packages: RegExp) =>
  [
    ...withoutComments(text).matchAll(/(?:^|[\n;])\s*(import|export)\s+(?!type\b)([^;]*?)from\s*['"]([^'"]+)['"]/g),
  ].some(
    ([, , names = '', path = '']) => packages.test(path) && !/^\{(\s*type\s[^,}]+,?)*\s*\}\s*$/.test(names.trim()),
  );

describe('the reading of imports', () => {
  it.each([
    [`import { a } from './a.js';`, './a.js'],
    [`import type { A } from './a.js';`, './a.js'],
    [`import { type A } from "./a.js";`, './a.js'],
    [`import {\n  a,\n  b,\n} from './a.js';`, './a.js'],
    [`import a, { type B } from './a.js';`, './a.js'],
    [`import * as a from './a.js';`, './a.js'],
    [`import './a.js';`, './a.js'],
    [`export { a } from './a.js';`, './a.js'],
    [`export type { A } from './a.js';`, './a.js'],
    [`export * from './a.js';`, './a.js'],
    [`export * as a from './a.js';`, './a.js'],
    [`export {\n  a,\n} from './a.js';`, './a.js'],
    [`const a = await import('./a.js');`, './a.js'],
    [`const a = await import(\n  './a.js'\n);`, './a.js'],
    [`type A = import('./a.js').A;`, './a.js'],
    [`const x = 1;import { a } from './a.js';`, './a.js'],
  ])('%s', (text, path) => expect(importsOf(text)).toEqual([path]));

  it('is not taken in by comments, nor by code between two strings', () => {
    expect(
      importsOf(
        `// import { a } from './a.js';\n/** import('./b.js') */\nexport const c = 'from';\nconst d = './d.js';`,
      ),
    ).toEqual([]);
  });
});

describe('the house', () => {
  it('has only floors that are known, and three files at its root', () => {
    expect([...new Set(files.map(floorOf).filter((floor) => !(floor in MAY_IMPORT)))]).toEqual([]);
    expect(files.filter((file) => !file.includes('/')).sort()).toEqual([
      'durable.module.ts',
      'index.ts',
      'memory-backend.ts',
    ]);
  });

  it('imports only down', () => {
    expect(edges.filter((edge) => !isAllowed(edge)).map(shown)).toEqual([]);
  });

  it('imports only down inside of each folder too', () => {
    const up = edges.filter((edge) => stairs(edge) === 'up').map(shown);
    expect(up).toEqual([]);
    expect(edges.filter((edge) => stairs(edge) === 'down').length).toBeGreaterThan(150);
  });

  it('has no circle of imports, not even of types', () => {
    const done = new Set<string>();
    expect(files.flatMap((file) => circleFrom(file, [], done)?.join(' -> ') ?? [])).toEqual([]);
  });

  it('has a file behind every import, named with its suffix', () => {
    const missing = edges.filter(({ to }) => !sources.has(to) && !existsSync(join(LIB, to)));
    expect(missing.map(shown)).toEqual([]);
  });

  it('has no barrel but its eight doors', () => {
    const barrels = files.filter((file) => basename(file) === 'index.ts');
    expect(barrels.sort()).toEqual([
      'conformance/index.ts',
      'dashboard/index.ts',
      'eslint/index.ts',
      'index.ts',
      'otel/index.ts',
      'sql/index.ts',
      'terminus/index.ts',
      'testing/index.ts',
    ]);
    expect(edges.filter(({ to }) => basename(to) === 'index.ts').map(shown)).toEqual([]);
  });

  it('keeps rules apart from storages, and SQL apart from memory', () => {
    const adapts = (file: string) => SQL.test(file) || MEMORY.test(file);
    const chosen = edges.filter(({ from, to }) => adapts(to) && !adapts(from) && !CHOOSES.test(from));
    expect(chosen.map(shown)).toEqual([]);
    const mixed = edges.filter(
      ({ from, to }) => (SQL.test(from) && MEMORY.test(to)) || (MEMORY.test(from) && SQL.test(to)),
    );
    expect(mixed.map(shown)).toEqual([]);
  });

  it(`has no file of more than ${MAX_LINES} lines`, () => {
    const tooLong = (file: string) => source(file).trimEnd().split('\n').length > MAX_LINES;
    expect(files.filter(tooLong)).toEqual([]);
  });

  it(`has at most ${MOST_FILES} files, of ${MOST_LINES} lines together`, () => {
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
    const lines = files.reduce((sum, file) => sum + source(file).trimEnd().split('\n').length, 0);
    expect(lines).toBeLessThanOrEqual(MOST_LINES);
  });

  it(`has at most ${MOST_SMALL} files of less than ${SMALL} lines, besides its doors`, () => {
    const isSmall = (file: string) => source(file).trimEnd().split('\n').length < SMALL;
    const small = files.filter(
      (file) => basename(file) !== 'index.ts' && !file.includes('.generated.') && isSmall(file),
    );
    expect(small.length <= MOST_SMALL ? [] : small).toEqual([]);
  });

  it('has names that say something', () => {
    expect(
      files.filter((file) => NO_NAME.test(basename(file)) || /(^|\/)(utils|helpers|common|shared|misc)\//.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => !NAMED.test(basename(file)))).toEqual([]);
  });

  it('knows NestJS only upstairs', () => {
    const knows = files.filter((file) => importsOf(source(file)).some((path) => path.startsWith('@nestjs/')));
    expect(knows.filter((file) => !KNOWS_NEST.test(file))).toEqual([]);
  });

  it('has commands that load nothing of NestJS', () => {
    const loaded = new Set(['cli/main.ts']);
    for (const file of loaded) for (const to of ours.get(file) ?? []) if (sources.has(to)) loaded.add(to);
    expect([...loaded].filter((file) => loadsAtOnce(source(file), /^@nestjs\//))).toEqual([]);
  });

  it('never loads an ORM, a driver or an optional package by itself', () => {
    const optional = /^(typeorm|@mikro-orm\/.+|pg|mysql2|mariadb|@opentelemetry\/.+)(\/.+)?$/;
    // The entry point that an app imports which has the package.
    const others = files.filter((file) => !file.startsWith('otel/'));
    expect(others.filter((file) => loadsAtOnce(source(file), optional))).toEqual([]);
  });

  it('lets nothing but time itself look at the clock', () => {
    const clock = /\bDate\.now\b|\bnew Date\(\s*\)|\b(setInterval|setTimeout)\b|\bperformance\.now\b|node:timers/;
    // The rules of `eslint` name what others are not to call.
    const others = files.filter((file) => !/^(core\/(time|loops)\.ts|eslint\/.+)$/.test(file));
    const lookers = others.filter((file) => clock.test(withoutComments(source(file))));
    expect(lookers).toEqual([]);
  });

  it('asks a dialect what it has, and by family or product what it does, and compares none of them', () => {
    const product = `'(${Object.keys(DIALECTS).join('|')})'`;
    const products = `\\b(name|dialect|product)\\s*[!=]==?\\s*${product}|${product}\\s*[!=]==?`;
    const compared = new RegExp(`\\bfamily\\b\\s*[!=]==?|${products}|\\b(is|on)Postgres\\b`);
    expect(files.filter((file) => compared.test(withoutComments(source(file))))).toEqual([]);
  });

  it('writes properties where they stand: no spread is there for the layout', () => {
    expect(files.filter((file) => withoutComments(source(file)).includes('...{'))).toEqual([]);
  });

  it('has no default export, no list that does not name what it exports, and no way around the types', () => {
    const wrong = /\bexport\s+default\b|\bexport\s+\*|@ts-ignore|@ts-nocheck|:\s*any\b|\bas\s+any\b/;
    expect(files.filter((file) => wrong.test(withoutComments(source(file))))).toEqual([]);
  });

  it('has at its top level, and in its public names, what it has been asked for by name', () => {
    const asked = ['package.json', 'nest-cli.json', 'tsconfig.json', 'lib', 'sample', 'test', 'README.md'];
    expect(asked.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
    expect(index).toMatchObject({ DbTransport: isFunction, RemoteStep: isFunction, Worker: isFunction });
    expect(index.DurableModule).toHaveProperty('forRoot', isFunction);
  });

  it('has a page that shows what it is told as text, never as markup', () => {
    const page = join(ROOT, 'page/src/');
    const files = readdirSync(page).filter((file) => /\.tsx?$/.test(file));
    const markup = /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write/;
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => markup.test(readFileSync(join(page, file), 'utf8')))).toEqual([]);
  });
});
