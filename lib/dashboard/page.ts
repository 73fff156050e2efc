import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { type DashboardSettings, type DashboardUser, permissionsOf } from './options.js';
import { PAGE } from './page.generated.js';
import type { ReceivedRequest } from './requests.js';

interface PageFile {
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

/** Named one by one, since Express and Fastify write wildcards differently. Ids that are no part of a path are in the query. */
export const PAGES = [
  ...['overview', 'runs', 'runs/:id', 'steps', 'queues', 'processes', 'signals', 'schedules', 'outbox', 'effects'],
  ...['acts', 'deploy', 'doctor'],
];

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

export const PAGE_HEADERS = {
  'content-security-policy': CSP,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

const FOR_EVER = 'private, max-age=31536000, immutable';

export const PAGE_TYPE = 'text/html; charset=utf-8';

interface FileReply {
  status: 200 | 304;
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
}

/** A file of the page, or that the browser has it. */
export function fileReply(name: string, { body, zipped }: PageFile, headers: ReceivedRequest['headers']): FileReply {
  const zips = String(headers['accept-encoding']).includes('gzip');
  // The name has a hash of the content.
  const etag = `"${name}${zips ? '.gz' : ''}"`;
  const told = { 'cache-control': FOR_EVER, 'x-content-type-options': 'nosniff', vary: 'accept-encoding', etag };
  if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: told };
  return zips
    ? { status: 200, headers: { ...told, 'content-encoding': 'gzip' }, body: zipped }
    : { status: 200, headers: told, body };
}

interface PageRequest {
  url: string;
  originalUrl?: string;
  durableUser?: DashboardUser;
}

/** The page as this user gets it. */
export function pageText(
  files: PageFiles,
  request: PageRequest,
  { payloads, publicPath }: Pick<DashboardSettings, 'payloads' | 'publicPath'>,
): string {
  const may = permissionsOf(request.durableUser!).filter((one) => one !== 'payloads' || payloads !== 'never');
  const base = publicPath === undefined ? baseOf(request) : `${publicPath}/`;
  return files.page({ base, may: may.join(' '), payloads });
}

/** A proxy that zips may have made the tag a weak one. */
const isKnown = (header: string | string[] | undefined, etag: string): boolean =>
  [header ?? []]
    .flat()
    .flatMap((tags) => tags.split(','))
    .some((tag) => tag.trim().replace(/^W\//, '') === etag);

const TAIL = new RegExp(`/(${PAGES.map((page) => page.replace(':id', '[^/]+')).join('|')})/?$`, 'i');

/** Where the page is, by the request's own address: global prefixes and versions need no option. */
function baseOf({ originalUrl, url }: PageRequest): string {
  const [path = '/'] = (originalUrl ?? url).split('?');
  return `${path.replace(TAIL, '').replace(/\/$/, '')}/`;
}
