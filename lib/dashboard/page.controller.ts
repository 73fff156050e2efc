import {
  Controller,
  Get,
  Inject,
  Param,
  Req,
  Res,
  SetMetadata,
  StreamableFile,
  type Type,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { DashboardRoutes, DashboardSettings } from './dashboard-options.js';
import { AccessGuard, type AdapterRequest, LoopbackGuard, PERMISSION } from './dashboard.guards.js';
import { DASHBOARD_SETTINGS } from './dashboard.tokens.js';
import { PageFiles } from './page-files.js';
import { fileReply, PAGE_HEADERS, PAGE_TYPE, PAGES, pageText } from './page-reply.js';

/** Express has the one, Fastify the other. */
interface AdapterReply {
  header?(name: string, value: string): unknown;
  setHeader?(name: string, value: string): unknown;
}

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
      @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    ) {}

    @Get('assets/:name')
    @SetMetadata(PERMISSION, 'read')
    file(@Param('name') name: string, @Req() { headers }: AdapterRequest, @Res() reply: AdapterReply): void {
      const file = this.files.file(name);
      if (!file) return this.send(reply, { message: 'There is no such file', statusCode: 404 }, 404);
      const { status, body, headers: told } = fileReply(name, file, headers);
      send(reply, told);
      this.send(reply, body && new StreamableFile(body, { type: file.type }), status);
    }

    @Get(['', ...PAGES])
    @SetMetadata(PERMISSION, 'read')
    page(@Req() request: AdapterRequest, @Res() reply: AdapterReply): void {
      send(reply, PAGE_HEADERS);
      const text = pageText(this.files, request, this.settings);
      this.send(reply, new StreamableFile(Buffer.from(text), { type: PAGE_TYPE }));
    }

    /** Not by returning it: interceptors of the app may wrap what handlers return. */
    private send(reply: AdapterReply, body: unknown, status = 200): void {
      this.host.httpAdapter.reply(reply, body, status);
    }
  }
  return DurableDashboardPage;
}
