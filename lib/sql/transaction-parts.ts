import { InvalidTransactionError } from '../core/errors.js';

/** A transaction, or what of it is behind a savepoint. */
export interface TransactionPart {
  readonly outer?: TransactionPart | undefined;
  readonly savepoint?: string;
  isOver?: boolean;
}

/** Where what is sent next comes: null for no transaction; undefined until one was begun or ended. */
export type Position = TransactionPart | null | undefined;

const COMMENTS = /^(?:\s|--[^\n]*\n|#[^\n]*\n|\/\*[^]*?\*\/)*/;
/** What is no statement: literals and comments. */
const ASIDE = /'(?:[^'\\]|\\[^]|'')*'|--[^\n]*|\/\*[^]*?\*\//g;

const CONTROL = new RegExp(
  [
    COMMENTS,
    /(?<word>begin|start\s+transaction|commit|end|rollback|abort|prepare\s+transaction|savepoint|release)\b/,
    /(?:\s+(?:work|transaction)\b)?(?<to>\s+to\b)?(?:\s+savepoint\b)?\s*(?<name>[^\s;]*)/,
  ]
    .map(({ source }) => source)
    .join(''),
  'i',
);

/** The position after a statement of this text. `keeps`: a BEGIN inside of a transaction is only warned of, as on PostgreSQL. */
export function positionAfter(text: string, now: Position, keeps = false): Position {
  const { word, to, name = '' } = CONTROL.exec(text)?.groups ?? {};
  if (word === undefined || /^prepared$/i.test(name)) return now;
  if (/^(begin|start)/i.test(word)) return keeps && now && !isOver(now) ? now : begun(now);
  if (/^savepoint/i.test(word)) return behind(name, now);
  if (/^release/i.test(word)) return now && (found(name, now)?.outer ?? now);
  return to ? backTo(name, now) : endOf(text, now);
}

/** Another one, after all of the one that was open. */
function begun(now: Position): TransactionPart {
  for (let part = now; part; part = part.outer) part.isOver = true;
  return {};
}

function isOver(now: TransactionPart): boolean {
  let part: TransactionPart | undefined = now;
  while (part && !part.isOver) part = part.outer;
  return part !== undefined;
}

const DEFINITIONS =
  'alter|analyze|cache|flush|grant|optimize|rename|repair|reset|revoke|truncate|(?:un)?lock\\s+tables?';
const LASTING = '(?:create|drop)(?!\\s+(?:or\\s+replace\\s+)?(?:temporary|prepare))';
/** Before these, MySQL and MariaDB commit the transaction that is open, without a word. */
const COMMITS_FIRST = new RegExp(`${COMMENTS.source}(?:begin|start\\s+transaction|${DEFINITIONS}|${LASTING})\\b`, 'i');

/**
 * Whether the text commits the transaction that is open: by itself, or, with `first`, because the server commits before
 * it. `hidden`: behind another statement of the same text, or in a way that is told by nobody.
 */
export function commitIn(text: string, first: boolean): 'plain' | 'hidden' | undefined {
  const { word, name = '' } = CONTROL.exec(text)?.groups ?? {};
  if (/^(?:commit|end)$/i.test(word ?? '') && !/^prepared$/i.test(name)) return 'plain';
  if (first && COMMITS_FIRST.test(text)) return 'plain';
  if (/^prepare/i.test(word ?? '')) return 'hidden';
  // Most texts are long, and say nothing of it.
  if (!/commit|prepare/i.test(text)) return undefined;
  return /;\s*(?:commit|prepare\s+transaction)\b/i.test(text.replace(ASIDE, ' ')) ? 'hidden' : undefined;
}

/** One of the same name takes the place of the last one: an ORM that rolls back to it often does not release it. */
const behind = (savepoint: string, now: Position): Position =>
  now && { outer: now.savepoint === savepoint ? now.outer : now, savepoint };

function found(savepoint: string, now: TransactionPart): TransactionPart | undefined {
  let part: TransactionPart | undefined = now;
  while (part && part.savepoint !== savepoint) part = part.outer;
  return part;
}

/** The savepoint stays, and is begun anew. */
function backTo(savepoint: string, now: Position): Position {
  const part = now && found(savepoint, now);
  if (!part) return now;
  part.isOver = true;
  return { outer: part.outer, savepoint };
}

function endOf(text: string, now: Position): Position {
  const next = begun(now);
  if (/\band\s+chain\b/i.test(text)) return next;
  // What follows in the same text may begin another one.
  return /;\s*\S/.test(text) ? undefined : null;
}

/** A connection, as its driver knows it. */
interface OnConnection {
  position?: Position;
}

const IS_OVER = 'The transaction has ended, or the server has rolled it back: await its statements inside its callback';

export const isOverError = (): InvalidTransactionError => new InvalidTransactionError(IS_OVER);

/**
 * Binds statements to one transaction, or to one of its savepoints. Code that does not await a statement may roll back
 * before it is sent: it would be committed by itself, or with the next transaction of the connection.
 */
export class Within {
  /**
   * `part`: to which they are bound, where that is known; default: where the first of them is sent. `isOpen`: whether it
   * is for the ORM, which may know better.
   */
  constructor(
    private part?: Position,
    private readonly isOpen = () => true,
  ) {}

  /** Whether none may be sent any more. */
  get isOver(): boolean {
    return this.part === null || (this.part !== undefined && isOver(this.part)) || !this.isOpen();
  }

  /** Called before each of them is sent. Returns why it must not be. */
  refusal({ position }: OnConnection): InvalidTransactionError | undefined {
    if (this.part === undefined) this.part = position;
    return this.isOver ? isOverError() : undefined;
  }

  /** That of the argument of a driver's `query`. */
  static refusal(driver: OnConnection, query: unknown): InvalidTransactionError | undefined {
    return (query as { within?: Within } | null)?.within?.refusal(driver);
  }
}
