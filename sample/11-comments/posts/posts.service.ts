import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import jsonPatch from 'fast-json-patch';
import { type ChannelSnapshot, Outbox } from 'nest-durable';
import { DataSource, type EntityManager } from 'typeorm';
import { Comment, Post } from './entities.js';
import { applyHouseRules, type NewComment, RefusedComment } from './house-rules.js';
import { type PostState, readState } from './post-state.js';

export const channelOf = (post: string): string => `posts:${post}`;

@Injectable()
export class PostsService implements OnApplicationBootstrap {
  constructor(
    private readonly db: DataSource,
    private readonly outbox: Outbox,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const posts: Post[] = [
      { id: '1', title: 'What should we build next?', key: null },
      { id: '2', title: 'Only for those who have the key', key: 'sesame' },
    ];
    await this.db.createQueryBuilder().insert().into(Post).values(posts).orIgnore().execute();
  }

  /** The state of a post, and behind which event a page goes on to follow it. */
  snapshot(post: string): Promise<ChannelSnapshot<PostState>> {
    return this.outbox.snapshot(channelOf(post), (em: EntityManager) => readState(em, post));
  }

  /**
   * The comment and the event that tells of it commit together.
   *
   * @throws RefusedComment once all pages have been told that it is taken back.
   */
  async comment(post: string, comment: NewComment): Promise<void> {
    try {
      await this.db.transaction((tx) => this.add(tx, post, comment));
    } catch (error) {
      if (error instanceof RefusedComment) {
        const { mutationId } = comment;
        const data = { reason: error.message };
        await this.outbox.reject({ channel: channelOf(post), name: 'comment.refused', mutationId, data });
      }
      throw error;
    }
  }

  private async add(tx: EntityManager, post: string, { mutationId, author, text }: NewComment): Promise<void> {
    // One after the other: a patch says where in the list something goes, so it holds for the state before it only.
    await tx.findOneOrFail(Post, { where: { id: post }, lock: { mode: 'pessimistic_write' } });
    // Sent again, since the answer was lost.
    if (await tx.existsBy(Comment, { id: mutationId })) return;
    applyHouseRules({ mutationId, author, text });
    const before = await readState(tx, post);
    await tx.insert(Comment, { id: mutationId, post, position: before.count, author, text });
    const data = jsonPatch.compare(before, await readState(tx, post));
    const event = { channel: channelOf(post), name: 'comment.added', mutationId, data };
    await this.outbox.publish(event, { transaction: tx });
  }
}
