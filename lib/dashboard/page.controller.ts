import {
  Controller,
  Get,
  Inject,
  NotFoundException,
  Param,
  Req,
  Res,
  SetMetadata,
  StreamableFile,
  type Type,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { DashboardRoutes, DashboardSettings } from './dashboard-options.js';
import { AccessGuard, type AdapterRequest, LoopbackGuard, PERMISSION } from './dashboard.guards.js';
import { DASHBOARD_SETTINGS } from './dashboard.tokens.js';
import { PageFiles } from './page-files.js';
import { permissionsOf } from './permissions.js';

/** Express has the one, Fastify the other. */
interface AdapterReply {
  status(code: number): unknown;
  header?(name: string, value: string): unknown;
  setHeader?(name: string, value: string): unknown;
}

/** Named one by one, since Express and Fastify write wildcards differently. */
const PAGES = [
  ...['overview', 'runs', 'runs/:id', 'queues', 'processes', 'signals', 'schedules', 'outbox', 'effects', 'acts'],
  ...['deploy', 'doctor'],
];

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  'content-security-policy': CSP,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

const FOR_EVER = 'private, max-age=31536000, immutable';

const send = (reply: AdapterReply, headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers))
    if (reply.header) reply.header(name, value);
    else reply.setHeader?.(name, value);
};

/** The page and its files, behind the same guards as the API. */
export function pageController({ path, guards }: DashboardRoutes): Type<unknown> {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(...guards, LoopbackGuard, AccessGuard)
  class DurableDashboardPage {
    constructor(
      @Inject(PageFiles) private readonly files: PageFiles,
      @Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings,
    ) {}

    @Get('assets/:name')
    @SetMetadata(PERMISSION, 'read')
    file(
      @Param('name') name: string,
      @Req() { headers }: AdapterRequest,
      @Res({ passthrough: true }) reply: AdapterReply,
    ): StreamableFile | undefined {
      const file = this.files.file(name);
      if (!file) throw new NotFoundException();
      const zips = String(headers['accept-encoding']).includes('gzip');
      // The name has a hash of the content.
      const etag = `"${name}${zips ? '.gz' : ''}"`;
      send(reply, { 'cache-control': FOR_EVER, 'x-content-type-options': 'nosniff', vary: 'accept-encoding', etag });
      if (isKnown(headers['if-none-match'], etag)) return void reply.status(304);
      if (zips) send(reply, { 'content-encoding': 'gzip' });
      return new StreamableFile(zips ? file.zipped : file.body, { type: file.type });
    }

    @Get(['', ...PAGES])
    @SetMetadata(PERMISSION, 'read')
    page(@Req() request: AdapterRequest, @Res({ passthrough: true }) reply: AdapterReply): StreamableFile {
      send(reply, HEADERS);
      const { payloads, publicPath } = this.settings;
      const may = permissionsOf(request.durableUser!).filter((one) => one !== 'payloads' || payloads !== 'never');
      const text = this.files.page({
        base: publicPath === undefined ? baseOf(request) : `${publicPath}/`,
        may: may.join(' '),
        payloads,
      });
      return new StreamableFile(Buffer.from(text), { type: 'text/html; charset=utf-8' });
    }
  }
  return DurableDashboardPage;
}

/** A proxy that zips may have made the tag a weak one. */
const isKnown = (header: string | string[] | undefined, etag: string): boolean =>
  [header ?? []]
    .flat()
    .flatMap((tags) => tags.split(','))
    .some((tag) => tag.trim().replace(/^W\//, '') === etag);

const TAIL = new RegExp(`/(${PAGES.map((page) => page.replace(':id', '[^/]+')).join('|')})/?$`, 'i');

/** Where the page is, by the request's own address: global prefixes and versions need no option. */
function baseOf({ originalUrl, url }: AdapterRequest): string {
  const [path = '/'] = (originalUrl ?? url).split('?');
  return `${path.replace(TAIL, '').replace(/\/$/, '')}/`;
}
