import './skewed-clock.js';
import 'reflect-metadata';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DurableModule, type DurableModuleOptions } from 'nest-durable';
import { OUT_OF_REACH } from '../exit-codes.js';
import { LEASE, OUTBOX_LEASES } from '../lease.js';
import { workflowsOf } from '../kinds/all-kinds.js';
import { type Command, Commands } from './commands.js';
import { note } from './ledger.js';
import { openOrm, type OrmOptions } from './orm.js';
import { Broker, ChaosEffects, Consumer } from './outside.js';
import { ChaosSteps } from './remote-steps.js';

/** A program of the suite: everything, or a worker alone. */
export interface ProgramOptions extends OrmOptions {
  role: 'all' | 'worker';
  /** 2 brings the second version of the workflow that has one. */
  build: 1 | 2;
}

const errorText = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** An app whose ORM cannot connect ends, and whoever looks after it starts it again. */
let connected = false;

// What a driver is going to lose is no fault of a process.
process.on('warning', (warning) => {
  if (warning.name !== 'DeprecationWarning') note({ what: 'warning', text: errorText(warning) });
});
process.on('unhandledRejection', (error) => note({ what: 'rejection', text: errorText(error) }));
process.on('uncaughtException', (error) => {
  if (!connected) process.exit(OUT_OF_REACH);
  note({ what: 'exception', text: errorText(error) });
  process.exit(70);
});

const { role, build, ...database } = JSON.parse(process.env['CHAOS_PROGRAM'] ?? '{}') as ProgramOptions;
const orm = await openOrm(database).catch(() => process.exit(OUT_OF_REACH));
connected = true;

const everything: DurableModuleOptions = {
  engine: { nodeLease: LEASE, crashCap: 1_000 },
  worker: { leaseDuration: LEASE, maxClaims: 1_000, concurrency: 30 },
  outbox: { ...OUTBOX_LEASES, attempts: 1_000 },
  effects: { pollInterval: '500ms' },
};
const workerOnly: DurableModuleOptions = {
  ...everything,
  engine: false,
  outbox: { relay: false },
  effects: { run: false, remoteHandlers: 'any' },
};

@Module({
  imports: [DurableModule.forRoot({ ...(role === 'all' ? everything : workerOnly), executor: orm.executor })],
  providers: [
    ...[ChaosSteps, Commands],
    ...(role === 'all' ? [...workflowsOf(build), Broker, Consumer, ChaosEffects] : []),
  ],
})
class ChaosApp {}

const app = await NestFactory.createApplicationContext(ChaosApp, { logger: ['warn', 'error', 'fatal'] });
const commands = app.get(Commands);
const logger = new Logger('Chaos');

process.on('message', (message) => {
  const { id, command } = message as { id: number; command: Command };
  commands.obey(command).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: errorText(error), code: (error as { code?: unknown }).code }),
  );
});
let isEnding = false;
const end = async () => {
  if (isEnding) return;
  isEnding = true;
  await app.close();
  await orm.close();
  process.exit(0);
};
process.on('SIGTERM', () => void end().catch((error: unknown) => logger.error(errorText(error))));
// Nobody is left who could end it.
process.once('disconnect', () => process.exit(1));
process.send?.({ ready: true });
