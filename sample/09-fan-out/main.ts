import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { WorkflowClient } from 'nest-durable';
import { AppModule } from './app.module.js';
import { ArchiveWorkflow, ReportWorkflow } from './report.workflow.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
app.enableShutdownHooks();
const workflows = app.get(WorkflowClient);

const regions = [
  { name: 'north', sales: [1, 2, 3] },
  { name: 'south', sales: [40, 2] },
  { name: 'west', sales: [] },
];
const report = await workflows.start(ReportWorkflow, regions, { id: 'report-1' });
const archive = await workflows.start(ArchiveWorkflow, 'report-1', { id: 'archive-1', after: ['report-1'] });
console.log((await report.result({ timeout: '30s' })).join('\n'));
console.log(await archive.result({ timeout: '30s' }));

const { children = [] } = await workflows.getStatus('report-1', { children: true });
console.log(children.map(({ status }) => status).join(', '));

await app.close();
