import { Injectable } from '@nestjs/common';
import { WorkflowSchedules } from 'nest-durable';
import { DataSource } from 'typeorm';
import { ReminderWorkflow } from './reminder.workflow.js';
import { Subscription } from './subscription.entity.js';

const scheduleOf = (id: string) => `reminder-${id}`;

@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly db: DataSource,
    private readonly schedules: WorkflowSchedules,
  ) {}

  /** A subscription and its schedule, or neither. */
  async subscribe(id: string, email: string): Promise<void> {
    await this.db.transaction(async (transaction) => {
      await transaction.insert(Subscription, { id, email });
      const plan = { id: scheduleOf(id), every: '1s', overlap: 'skip', input: { subscription: id } } as const;
      await this.schedules.create(ReminderWorkflow, plan, { transaction });
      if (!email.includes('@')) throw new Error(`no address: ${email}`);
    });
  }

  async unsubscribe(id: string): Promise<void> {
    await this.db.transaction(async (transaction) => {
      await transaction.delete(Subscription, id);
      await this.schedules.delete(scheduleOf(id), { transaction });
    });
  }
}
