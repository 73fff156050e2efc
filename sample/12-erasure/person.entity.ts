import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('people')
export class Person {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { nullable: true })
  email!: string | null;

  /** `active`, `leaving` until it is erased everywhere, `erased`. */
  @Column('text', { default: 'active' })
  status!: string;
}
