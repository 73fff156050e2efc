import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { ErasureEffects } from './erasure.effects.js';
import { ErasureListener } from './erasure.listener.js';
import { PeopleService } from './people.service.js';
import { Person } from './person.entity.js';
import { OutsideServices } from './outside-services.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
      entities: [Person],
      synchronize: true,
    }),
    // An app without workflows, remote steps and events.
    DurableModule.forRoot({ engine: false, worker: false, outbox: false, effects: { pollInterval: '100ms' } }),
  ],
  providers: [OutsideServices, PeopleService, ErasureEffects, ErasureListener],
})
export class AppModule {}
