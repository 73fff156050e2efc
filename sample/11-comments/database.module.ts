import { TypeOrmModule } from '@nestjs/typeorm';
import type { DynamicModule } from '@nestjs/common';
import { Comment, Mail, Post } from './posts/entities.js';

/** All that the processes share. The tables are made by one of them: for the sample only, your app has migrations. */
export const databaseModule = ({ synchronize }: { synchronize: boolean }): DynamicModule =>
  TypeOrmModule.forRoot({
    type: 'postgres',
    url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
    entities: [Post, Comment, Mail],
    synchronize,
  });
