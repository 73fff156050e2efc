import { BadRequestException, UnprocessableEntityException } from '@nestjs/common';

export interface NewComment {
  mutationId: string;
  author: string;
  text: string;
}

/** A comment that the page may have shown already, and has to take back. */
export class RefusedComment extends UnprocessableEntityException {}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FORBIDDEN = /\bspam\b/i;

/** @throws BadRequestException for what no page sends. */
export function checkedComment(body: Partial<Record<keyof NewComment, unknown>> | undefined): NewComment {
  const { mutationId, author, text } = body ?? {};
  if (typeof mutationId === 'string' && UUID.test(mutationId) && typeof author === 'string' && typeof text === 'string')
    return { mutationId, author: author.trim(), text: text.trim() };
  throw new BadRequestException('a comment is { mutationId: a UUID in lower case, author, text }');
}

/** @throws RefusedComment */
export function applyHouseRules({ author, text }: NewComment): void {
  if (author === '' || text === '') throw new RefusedComment('it says nothing, or not who says it');
  if (author.length > 40 || text.length > 500) throw new RefusedComment('it is too long');
  if (FORBIDDEN.test(text)) throw new RefusedComment('there is a word in it that nobody wants to read here');
}
