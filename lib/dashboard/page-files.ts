import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { PAGE } from './page.generated.js';

export interface PageFile {
  body: Buffer;
  zipped: Buffer;
  type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** The built page, unpacked when it is first asked for. */
export class PageFiles {
  private readonly files = new Map<string, PageFile>();

  /** Undefined: there is no such file. */
  file(name: string): PageFile | undefined {
    const packed = Object.hasOwn(PAGE.files, name) ? PAGE.files[name] : undefined;
    const known = this.files.get(name);
    if (known || packed === undefined) return known;
    const body = brotliDecompressSync(Buffer.from(packed, 'base64'));
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    const file = { body, zipped: gzipSync(body, { level: 9 }), type };
    this.files.set(name, file);
    return file;
  }

  /** The page, with where it is and what it may show as attributes of `<html>`: it has no inline script. */
  page({ base, ...settings }: { base: string } & Record<string, string>): string {
    const attributes = Object.entries(settings).map(([name, value]) => ` data-${name}="${escaped(value)}"`);
    return PAGE.html
      .replace('<base href="/"', () => `<base href="${escaped(base)}"`)
      .replace('<html', () => `<html${attributes.join('')}`);
  }
}
