import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('orders')
export class Order {
  @PrimaryColumn('text')
  id!: string;

  @Column('integer')
  amount!: number;

  @Column('text', { default: 'placed' })
  status!: string;
}
