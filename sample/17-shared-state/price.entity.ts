import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('prices')
export class Price {
  @PrimaryColumn('text')
  id!: string;

  @Column('integer')
  euros!: number;
}
