import { InvalidTransactionError } from '../core/errors.js';

/** A transaction, or what of it is behind a savepoint. */
export interface TransactionPart {
  readonly outer?: TransactionPart;
  readonly savepoint?: string;
  isOver?: boolean;
}

const isOver = ({ isOver: over, outer }: TransactionPart): boolean => over === true || (outer ? isOver(outer) : false);

const CONTROL =
  /^\s*(?<word>begin|start\s+transaction|commit|rollback|savepoint|release)\b(?<to>\s+to\b)?(\s+savepoint\b)?\s*(?<name>[^\s;]*)/i;

/** Where the next statement comes after one of this text. */
export function partAfter(text: string, now: TransactionPart | null | undefined): TransactionPart | null | undefined {
  const { word, to, name = '' } = CONTROL.exec(text)?.groups ?? {};
  if (word === undefined) return now;
  if (/^(begin|start)/i.test(word)) return {};
  if (/^(commit|rollback)/i.test(word) && !to) {
    for (let part = now; part; part = part.outer) part.isOver = true;
    // What follows in the same text may begin another one.
    return /;\s*\S/.test(text) ? undefined : null;
  }
  if (!now) return now;
  if (/^savepoint/i.test(word)) return { outer: now, savepoint: name };
  let part: TransactionPart | undefined = now;
  while (part && part.savepoint !== name) part = part.outer;
  if (!part?.outer || !to) return part?.outer ?? now;
  part.isOver = true;
  return { outer: part.outer, savepoint: name };
}

/** A connection, as its driver knows it. */
interface OnConnection {
  /** Where what is sent next comes: null for no transaction; undefined until one was begun or ended. */
  transaction?: TransactionPart | null | undefined;
}

/**
 * Binds statements to one transaction, or to one of its savepoints. Code that does not await a statement may roll back
 * before it is sent: it would be committed by itself, or with the next transaction of the connection.
 */
export class Within {
  private part: TransactionPart | undefined;

  /** Called before each of them is sent. Returns why it must not be. */
  refusal({ transaction }: OnConnection): InvalidTransactionError | undefined {
    if (transaction === undefined) return undefined;
    this.part ??= transaction ?? { isOver: true };
    if (!isOver(this.part)) return undefined;
    return new InvalidTransactionError('The transaction has ended: await its statements inside its callback');
  }

  /** That of the argument of a driver's `query`. */
  static refusal(driver: OnConnection, query: unknown): InvalidTransactionError | undefined {
    return (query as { within?: Within } | null)?.within?.refusal(driver);
  }
}
