import { Module } from '@nestjs/common';
import { DurableModule } from 'nest-durable';
import { databaseModule } from './database.module.js';
import { MailPublisher } from './posts/mail.publisher.js';

/** Publishes what the app has written. Of several such processes each has a share of the channels. */
@Module({
  imports: [
    databaseModule({ synchronize: false }),
    DurableModule.forRoot({
      engine: false,
      worker: false,
      // As long as in the app: what was published stays for pages that were away. A killed node is replaced after 5 s.
      outbox: { retain: '1h', leaseDuration: '5s', heartbeatTimeout: '5s', publishTimeout: '2s' },
    }),
  ],
  providers: [MailPublisher],
})
export class RelayModule {}
