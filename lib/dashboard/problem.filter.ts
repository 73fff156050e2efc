import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DurableError } from '../errors/durable-error.js';
import { ConfigurationError } from '../errors/setup-errors.js';

interface Problem {
  name: string;
  message: string;
  code?: string;
}

/** Returns errors as `{ error: { name, code, message } }`. What is not the request's fault is logged, and not told. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('DurableDashboard');

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const status = statusOf(error);
    if (status >= 500 && status !== 503) this.logger.error(error);
    const response: unknown = host.switchToHttp().getResponse();
    this.host.httpAdapter.reply(response, { error: problemOf(error, status) }, status);
  }
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  // Such as: the app has no outbox. Its operators may know that.
  if (error instanceof ConfigurationError) return 409;
  return error instanceof DurableError ? (error.status ?? 500) : 500;
}

function problemOf(error: unknown, status: number): Problem {
  if (status >= 500 && status !== 503)
    return { name: 'Error', message: "Something went wrong: the app's log says what" };
  const { name, message, code } = error as Problem;
  return { name, message, ...(code !== undefined && { code }) };
}
