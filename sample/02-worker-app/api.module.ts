import { Body, Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { DurableModule, WorkflowClient } from 'nest-durable';
import { DatabaseModule } from './database.module.js';
import { ThumbnailsWorkflow } from './thumbnails.workflow.js';

@Controller('thumbnails')
export class ThumbnailsController {
  constructor(private readonly workflows: WorkflowClient) {}

  @Post()
  @HttpCode(202)
  async make(@Body() request: { url: string; widths: number[] }): Promise<{ id: string }> {
    const { id } = await this.workflows.start(ThumbnailsWorkflow, request);
    return { id };
  }

  @Get(':id')
  async look(@Param('id') id: string): Promise<{ status: string; output: unknown; error: unknown }> {
    const { status, output, error } = await this.workflows.getStatus(id);
    return { status, output, error };
  }
}

@Module({
  // Plays workflows, runs no remote steps.
  imports: [DatabaseModule, DurableModule.forRoot({ worker: false })],
  controllers: [ThumbnailsController],
  providers: [ThumbnailsWorkflow],
})
export class ApiModule {}
