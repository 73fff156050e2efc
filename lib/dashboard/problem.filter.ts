import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { isOurs, problemOf, statusOf } from './problem.js';

/** Returns errors as `{ error: { name, code, message } }`. What is not the request's fault is logged, and not told. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('DurableDashboard');

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.reply(host.switchToHttp().getResponse(), error);
  }

  reply(response: unknown, error: unknown): void {
    const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
    if (isOurs(status)) this.logger.error(error);
    const { httpAdapter } = this.host;
    if (!httpAdapter.isHeadersSent(response)) httpAdapter.reply(response, { error: problemOf(error, status) }, status);
  }
}
