import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LedgerEntry } from './entities.js';

/** What a step of any kind knows of its call. */
interface Call {
  idempotencyKey: string;
  signal: AbortSignal;
}

@Injectable()
export class Ledger {
  constructor(private readonly db: DataSource) {}

  /** Stands for a call to the outside that takes its time and may be cut off in the middle by a kill. */
  async effect(orderId: string, step: string, { idempotencyKey, signal }: Call): Promise<string> {
    await this.write(this.db.manager, orderId, step, idempotencyKey);
    await pause(30 + Math.random() * 90, undefined, { signal });
    return `${step} of ${orderId}`;
  }

  async write(on: EntityManager, orderId: string, step: string, idempotencyKey: string): Promise<void> {
    await on.insert(LedgerEntry, { orderId, step, idempotencyKey, pid: process.pid });
  }
}
