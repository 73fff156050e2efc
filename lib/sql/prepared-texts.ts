import { createHash } from 'node:crypto';

/** DDL runs only once. */
const REPEATED = /^\s*(select|insert|update|delete|with)\b/i;

/**
 * The statements to prepare, with names derived from their text. Servers and connections keep prepared statements
 * forever, so a program that generates texts must not prepare all of them.
 */
export class PreparedTexts {
  private readonly names = new Map<string, string>();
  private forgone = false;

  constructor(private readonly limit = 500) {}

  /** Stops preparing: a pooler between us and the server mixes up prepared statements of several clients. */
  forgo(): void {
    this.forgone = true;
  }

  /** The name to prepare `text` under; undefined to send it unprepared. */
  nameOf(text: string): string | undefined {
    if (this.forgone) return undefined;
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= this.limit || !REPEATED.test(text)) return known;
    const name = `durable_${createHash('sha1').update(text).digest('hex')}`;
    this.names.set(text, name);
    return name;
  }
}

/** Shared by all connections of this process. */
export const preparedTexts = new PreparedTexts();
