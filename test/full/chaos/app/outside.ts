import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  Effect,
  type EffectContext,
  type EventPublisher,
  OnOperationComplete,
  OnOutboxMessage,
  type OutboxEvent,
  OutboxPublisher,
} from 'nest-durable';
import { note } from './ledger.js';
import { orm } from './orm.js';

/** What every event of the suite carries: whose it is, and its place in the commits of its channel. */
export interface EventData {
  mark: string;
  n?: number;
}

@OutboxPublisher({ name: 'broker' })
export class Broker implements EventPublisher {
  async publish(events: readonly OutboxEvent[]): Promise<void> {
    await pause(Math.random() * 10);
    for (const { channel, sequenceId, data } of events)
      note({ what: 'published', channel, number: sequenceId, mark: (data as EventData).mark });
  }
}

@Injectable()
export class Consumer {
  @OnOutboxMessage('chaos:*', { consumer: 'seen' })
  async seen({ channel, sequenceId, data }: OutboxEvent<EventData>, tx: unknown): Promise<void> {
    const text = 'INSERT INTO chaos_seen (channel, number, mark, n) VALUES (?, ?, ?, ?)';
    await orm().write(tx, text, [channel, sequenceId, data.mark, data.n ?? null]);
  }
}

export interface EffectRef {
  ref: string;
  fails: number;
}

@Injectable()
export class ChaosEffects {
  @Effect('chaos.call', {
    attempts: 100,
    timeout: '3s',
    leaseDuration: '4s',
    backoff: { delay: '100ms', maxDelay: '500ms' },
  })
  async call({ ref, fails }: EffectRef, { attempt, subject, idempotencyKey: key }: EffectContext): Promise<void> {
    const failed = attempt <= fails;
    note({ what: 'called', subject, ref, key, failed });
    await pause(Math.random() * 20);
    if (failed) throw new Error(`attempt ${attempt} fails`);
  }

  @OnOperationComplete('chaos.operation')
  async complete(subject: string, tx: unknown): Promise<void> {
    await orm().write(tx, 'INSERT INTO chaos_done (subject) VALUES (?)', [subject]);
  }
}
