import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('accounts')
export class Account {
  @PrimaryColumn('text')
  id!: string;

  @Column('integer')
  balance!: number;
}
