import { Injectable } from '@nestjs/common';
import { Effects } from 'nest-durable';
import { DataSource } from 'typeorm';
import { Person } from './person.entity.js';

@Injectable()
export class PeopleService {
  constructor(
    private readonly db: DataSource,
    private readonly effects: Effects,
  ) {}

  /** What we know of a person goes at once; the calls to the others commit with that, or not at all. */
  erase(id: string): Promise<string[]> {
    return this.db.transaction(async (tx) => {
      const { email } = await tx.findOneByOrFail(Person, { id });
      await tx.update(Person, { id }, { email: null, status: 'leaving' });
      const calls = [
        { handler: 'crm', ref: id },
        // Erased together with the call once that has come to its end.
        { handler: 'newsletter', ref: id, payload: { email } },
        { handler: 'payments', ref: id },
      ];
      return this.effects.enqueue({ operation: 'erase', subject: id, calls }, { transaction: tx });
    });
  }
}
