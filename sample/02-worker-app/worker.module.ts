import { Module } from '@nestjs/common';
import { DurableModule } from 'nest-durable';
import { DatabaseModule } from './database.module.js';
import { ImageSteps } from './image.steps.js';

@Module({
  // Runs remote steps, plays no workflows.
  imports: [DatabaseModule, DurableModule.forRoot({ engine: false, worker: { concurrency: 8 } })],
  providers: [ImageSteps],
})
export class WorkerModule {}
