// @ts-check
// Builds the page of the dashboard into lib/dashboard/page.generated.ts: its HTML, and its files as compressed texts, since
// bundlers and package managers lose files beside the code.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

const built = await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    write: false,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { entryFileNames: 'assets/[name]-[hash].js', assetFileNames: 'assets/[name]-[hash][extname]' },
    },
  },
});
if (!('output' in built)) throw new Error('The page was not built at once');

/** @type {(file: (typeof built.output)[number]) => Buffer} */
const contentOf = (file) => Buffer.from(file.type === 'chunk' ? file.code : file.source);

const html = built.output.find(({ fileName }) => fileName === 'index.html');
if (!html) throw new Error('The page has no index.html');
const files = built.output
  .filter((file) => file !== html)
  .map(
    (file) =>
      `    ${JSON.stringify(basename(file.fileName))}: '${brotliCompressSync(contentOf(file)).toString('base64')}',`,
  );

const text = `/** Written by \`npm run build:page\`. */
export const PAGE: { html: string; files: Readonly<Record<string, string>> } = {
  html: ${JSON.stringify(contentOf(html).toString())},
  files: {
${files.sort().join('\n')}
  },
};
`;
const target = new URL('../lib/dashboard/page.generated.ts', import.meta.url);
// Renamed, since checks run side by side and each builds the page.
if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  const own = new URL(`../lib/dashboard/page.generated.ts.${process.pid}`, import.meta.url);
  writeFileSync(own, text);
  renameSync(own, target);
}
