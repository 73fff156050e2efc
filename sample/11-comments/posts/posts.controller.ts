import { Body, Controller, Get, Headers, Param, Post, Query, Res, Sse, UseGuards } from '@nestjs/common';
import { type ChannelMessage, type ChannelSnapshot, Outbox, type PacedResponse } from 'nest-durable';
import type { Observable } from 'rxjs';
import { checkedComment, type NewComment } from './house-rules.js';
import { PostGuard } from './post.guard.js';
import type { PostState } from './post-state.js';
import { channelOf, PostsService } from './posts.service.js';

@Controller('posts/:id')
@UseGuards(PostGuard)
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly outbox: Outbox,
  ) {}

  @Get()
  look(@Param('id') id: string): Promise<ChannelSnapshot<PostState>> {
    return this.posts.snapshot(id);
  }

  /** 201: it stands there. 422: it was refused; the stream says so too, for whoever never hears this answer. */
  @Post('comments')
  async comment(@Param('id') id: string, @Body() body: Partial<NewComment>): Promise<{ mutationId: string }> {
    const comment = checkedComment(body);
    await this.posts.comment(id, comment);
    return { mutationId: comment.mutationId };
  }

  /** A page that connects for the first time says what it has seen by `after`, then the browser by `Last-Event-ID`. */
  @Sse('events')
  events(
    @Param('id') id: string,
    @Query('after') after: string | undefined,
    @Headers('last-event-id') last: string | undefined,
    @Res({ passthrough: true }) response: PacedResponse,
  ): Observable<ChannelMessage> {
    return this.outbox.channel(channelOf(id), { after: last ?? after, response });
  }
}
