import { createHash } from 'node:crypto';

/** DDL is run once. */
const REPEATED = /^\s*(select|insert|update|delete|with)\b/i;

/**
 * The statements worth preparing, under names derived from their text. Servers and connections keep what was prepared
 * for good, so a program that makes up ever new texts must not prepare them all.
 */
export class PreparedTexts {
  private readonly names = new Map<string, string>();
  private forgone = false;

  constructor(private readonly limit = 500) {}

  /** Nothing is prepared any more: between us and the server is a pool that mixes up what several have prepared. */
  forgo(): void {
    this.forgone = true;
  }

  /** The name to prepare `text` under; undefined when it should be sent unprepared. */
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
