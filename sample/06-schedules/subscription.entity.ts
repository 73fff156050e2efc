import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('subscriptions')
export class Subscription {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  email!: string;

  @Column('integer', { default: 0 })
  reminders!: number;
}
