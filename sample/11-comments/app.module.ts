import { Module } from '@nestjs/common';
import { DurableModule } from 'nest-durable';
import { databaseModule } from './database.module.js';
import { PageController } from './page.controller.js';
import { PostGuard } from './posts/post.guard.js';
import { PostsController } from './posts/posts.controller.js';
import { PostsService } from './posts/posts.service.js';

/** Writes events and lets pages follow them. That they get elsewhere is up to the relay nodes. */
@Module({
  imports: [
    databaseModule({ synchronize: true }),
    DurableModule.forRoot({ engine: false, worker: false, outbox: { relay: false, retain: '1h' } }),
  ],
  controllers: [PageController, PostsController],
  providers: [PostsService, PostGuard],
})
export class AppModule {}
