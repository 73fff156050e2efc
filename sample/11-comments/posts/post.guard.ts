import { type CanActivate, type ExecutionContext, Injectable, NotFoundException } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Post } from './entities.js';

/**
 * Who may read a post may follow its channel, and nobody else. It decides when a stream is opened, as for any route; an
 * EventSource cannot send headers, so what it asks for is in the address or in a cookie.
 */
@Injectable()
export class PostGuard implements CanActivate {
  constructor(private readonly db: DataSource) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<{ params: { id: string }; query: { key?: unknown } }>();
    const post = await this.db.getRepository(Post).findOneBy({ id: request.params.id });
    if (!post) throw new NotFoundException();
    return post.key === null || post.key === request.query.key;
  }
}
