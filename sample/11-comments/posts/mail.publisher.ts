import { type EventPublisher, OutboxPublisher, type OutboxEvent } from 'nest-durable';
import { DataSource } from 'typeorm';
import { Mail } from './entities.js';

/**
 * Tells those who follow a post. Stands for whatever is outside: a mail server, a search index, the webhook of a partner.
 * After a crash it is called again with what it had, perhaps in another process: the key drops what comes twice.
 */
@OutboxPublisher({ name: 'mail', batchSize: 10 })
export class MailPublisher implements EventPublisher {
  constructor(private readonly db: DataSource) {}

  async publish(events: readonly OutboxEvent[]): Promise<void> {
    const mails = events
      .filter(({ rejected }) => !rejected)
      .map(({ mutationId }) => ({ comment: mutationId, pid: process.pid }));
    if (mails.length > 0) await this.db.createQueryBuilder().insert().into(Mail).values(mails).orIgnore().execute();
    for (const { channel, name, sequenceId } of events) console.log(`${channel} ${name} #${sequenceId}`);
  }
}
