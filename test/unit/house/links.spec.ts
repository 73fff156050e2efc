import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../../support/root.mjs';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const inFolder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const DOCS = inFolder('docs');
const PACKED = ['README.md', 'CHANGELOG.md', ...DOCS.filter((page) => !page.startsWith('docs/internals/'))];
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...DOCS, ...inFolder('sample')];

/** Pages that name the project's own files. */
const INTERNALS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...inFolder('docs/internals')];

const MOST_LINES_OF_README = 250;

const proseOf = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '');

/** The anchors that a renderer gives the headings of a page: a heading that comes again gets a number. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

/** Where the relative links of a page lead. */
export const linksOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, to = '']) => to);

/** The source files that a page names in code spans; not declarations, and not names with an x for any word. */
export const sourcesIn = (text: string): string[] =>
  [...proseOf(text).matchAll(/`([\w./-]+(?<!\.d)\.(?:ts|mjs|py))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/\bx\b/.test(name));

/** What is wrong with a link of `page`, if anything is. */
function complaintOf(page: string, link: string): string[] {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (target.startsWith('..') || !existsSync(join(ROOT, target))) return [`${page}: ${link} leads to no file`];
  if (anchor === undefined) return [];
  const isPage = statSync(join(ROOT, target)).isFile() && anchorsOf(read(target)).includes(anchor);
  return isPage ? [] : [`${page}: ${link} leads to no heading`];
}

describe('links between pages', () => {
  it('are read as a renderer reads them', () => {
    const text =
      '# `a` b, c?\n```sh\n# no heading\n[no](link)\n```\n## Two\n## Two\n[x](a.md#b) [y](https://z) [z](#two)';
    expect(anchorsOf(text)).toEqual(['a-b-c', 'two', 'two-1']);
    expect(linksOf(text)).toEqual(['a.md#b', '#two']);
    expect(complaintOf('README.md', 'docs/nothing.md')).toHaveLength(1);
    expect(complaintOf('README.md', 'docs/README.md#nothing')).toHaveLength(1);
  });

  it('stand beside names of source files that are there', () => {
    const files = ['lib', 'test', 'sample', 'bench', 'bundle', '.ci'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
    );
    const isThere = (name: string) => files.some((file) => file.endsWith(`/${name}`)) || existsSync(join(ROOT, name));
    const gone = INTERNALS.flatMap((page) =>
      sourcesIn(read(page)).flatMap((name) => (isThere(name) ? [] : [`${page}: ${name}`])),
    );
    expect(sourcesIn(read('ARCHITECTURE.md')).length).toBeGreaterThan(100);
    expect(gone).toEqual([]);
  });

  it('lead to files and headings that are there', () => {
    const links = PAGES.flatMap((page) => linksOf(read(page)).map((link) => [page, link] as const));
    expect(links.length).toBeGreaterThan(100);
    expect(links.flatMap(([page, link]) => complaintOf(page, link))).toEqual([]);
  });

  it('lead from pages of the package to pages of the package', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs', '!docs/internals']));
    const targets = PACKED.flatMap((page) =>
      linksOf(read(page)).map((link) => ({ page, to: join(dirname(page), link.split('#')[0] || basename(page)) })),
    );
    const isFile = (to: string) => /^docs\/(?!internals\/).+\.(json|yml|svg)$/.test(to) && existsSync(join(ROOT, to));
    expect(targets.filter(({ to }) => !PACKED.includes(to) && to !== 'LICENSE' && !isFile(to))).toEqual([]);
  });

  it('lead from the index of docs to every page', () => {
    const listed = linksOf(read('docs/README.md')).map((link) => `docs/${link}`);
    expect(
      PACKED.filter((page) => page !== 'docs/README.md' && page.startsWith('docs') && !listed.includes(page)),
    ).toEqual([]);
  });
});

describe('The README', () => {
  it('stays short: what is longer belongs to docs', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(MOST_LINES_OF_README);
  });
});
