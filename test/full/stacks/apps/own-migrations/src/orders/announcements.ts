import { type EventPublisher, OutboxPublisher, type OutboxEvent } from 'nest-durable';

@OutboxPublisher()
export class Announcements implements EventPublisher {
  async publish(events: readonly OutboxEvent[]): Promise<void> {
    for (const { channel, name } of events) console.log(`${channel} is ${name}`);
  }
}
