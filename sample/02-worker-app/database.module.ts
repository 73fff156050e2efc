import { TypeOrmModule } from '@nestjs/typeorm';

/** The same database for both processes: it is all that they share. */
export const DatabaseModule = TypeOrmModule.forRoot({
  type: 'postgres',
  url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
});
