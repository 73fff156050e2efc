import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('orders')
export class Order {
  @PrimaryColumn('text')
  id!: string;

  @Column('integer')
  amount!: number;

  @Column('text', { default: 'placed' })
  status!: string;
}

/**
 * Append-only: every execution of a step writes a row before it does anything, so it also tells what was run twice. Who
 * receives the effects (a payment provider, a carrier) counts those with the same idempotency key as one.
 */
@Entity('ledger')
export class LedgerEntry {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text')
  orderId!: string;

  @Column('text')
  step!: string;

  @Column('text')
  idempotencyKey!: string;

  @Column('integer')
  pid!: number;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  writtenAt!: Date;
}
