import type { EntityManager } from 'typeorm';
import { Comment, Post } from './entities.js';

/** What a page shows of a post. Events carry what changed in it, as a JSON Patch. */
export interface PostState {
  title: string;
  count: number;
  comments: Pick<Comment, 'id' | 'author' | 'text'>[];
}

export async function readState(em: EntityManager, id: string): Promise<PostState> {
  const { title } = await em.findOneByOrFail(Post, { id });
  const comments = await em.find(Comment, {
    select: { id: true, author: true, text: true },
    where: { post: id },
    order: { position: 'ASC' },
  });
  return { title, count: comments.length, comments };
}
