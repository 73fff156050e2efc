import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('orders')
export class Order {
  @PrimaryColumn()
  id: string;

  @Column()
  amount: number;

  @Column({ default: 'new' })
  status: string;

  /** Counted by the consumer of the events. */
  @Column({ default: 0 })
  shipments: number;
}
