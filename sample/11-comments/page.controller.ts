import { Controller, Get, Header } from '@nestjs/common';
import { html } from './page/html.js';
import { style } from './page/style.js';

@Controller()
export class PageController {
  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'")
  page(): string {
    return html;
  }

  @Get('style.css')
  @Header('content-type', 'text/css; charset=utf-8')
  style(): string {
    return style;
  }
}
