import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('posts')
export class Post {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  title!: string;

  /** Who does not have it may neither read nor follow the post; null: everybody may. */
  @Column('text', { nullable: true })
  key!: string | null;
}

@Entity('comments')
export class Comment {
  /** The `mutationId` that the page gave it: a comment that is sent twice is one comment. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  post!: string;

  @Column('integer')
  position!: number;

  @Column('text')
  author!: string;

  @Column('text')
  text!: string;
}

/** A mail to those who follow a post: what the relay nodes write. */
@Entity('mails')
export class Mail {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('uuid', { unique: true })
  comment!: string;

  /** The process that sent it. */
  @Column('integer')
  pid!: number;
}
