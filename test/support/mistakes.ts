import type { INestApplicationContext, LoggerService, ModuleMetadata } from '@nestjs/common';
import { DurableModule, type DurableModuleOptions, memoryBackend } from '../../lib/index.js';
import { bootApp } from './nest-app.js';
import { thrownBy } from './thrown-by.js';

/** One mistake of somebody who is new, and what is to be read of it. */
export interface Mistake {
  /** What was done. */
  mistake: string;
  /** Does it, and returns what one sees: the message of an error, or a line of the log. */
  seen: () => Promise<unknown>;
  /** The place, the cause and the remedy. */
  says: readonly RegExp[];
}

/** What an app logs, a line each. */
export class Lines implements LoggerService {
  readonly lines: string[] = [];
  readonly log = this.add;
  readonly warn = this.add;
  readonly error = this.add;
  readonly fatal = this.add;
  readonly debug = (): void => undefined;
  readonly verbose = (): void => undefined;

  private add(this: Lines, ...parts: unknown[]): void {
    this.lines.push(parts.map(String).join(' '));
  }

  find(text: RegExp): string | undefined {
    return this.lines.find((line) => text.test(line));
  }
}

/** An app in memory, of these providers and options. */
export const memoryApp = (
  providers: ModuleMetadata['providers'] = [],
  options: DurableModuleOptions = {},
): Promise<INestApplicationContext> =>
  bootApp({ imports: [DurableModule.forRoot({ backend: memoryBackend(), ...options })], providers });

/** The message of what it throws or rejects with. */
export async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
}

/** The status of an HTTP answer, and the message, of what it rejects with. */
export async function answerTo(work: () => Promise<unknown>): Promise<string> {
  const error = (await thrownBy(work())) as Error & { status?: number };
  return `${error.status}: ${error.message}`;
}

/** The message with which the app does not start. */
export const refusedStart = (providers: ModuleMetadata['providers'], options: object = {}): Promise<string> =>
  messageOf(async () => (await memoryApp(providers, options)).close());
