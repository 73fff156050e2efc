import { Injectable } from '@nestjs/common';
import { type AbandonedEffect, OnAbandoned, OnOperationComplete } from 'nest-durable';
import type { EntityManager } from 'typeorm';
import { Person } from './person.entity.js';

@Injectable()
export class ErasureListener {
  readonly abandoned: AbandonedEffect[] = [];

  /** In the transaction that settles the last call: exactly once. */
  @OnOperationComplete('erase')
  async erased(subject: string, tx: EntityManager): Promise<void> {
    await tx.update(Person, { id: subject }, { status: 'erased' });
  }

  /** In an app: an alert. */
  @OnAbandoned('erase')
  alert(entry: AbandonedEffect): void {
    this.abandoned.push(entry);
  }
}
