import type { EffectOptions } from '../../lib/index.js';
import { ownPrograms } from './compiled.js';
import type { FreshDatabase } from './fresh-database.js';
import { type Program, startProgram } from './programs.js';

/** Handlers that print their attempt, and then stand still in the midst of it, or die of it. */
export interface DeadlyHandlers {
  [name: string]: EffectOptions & { dies?: boolean };
}

/** A process that makes the calls of these handlers. */
export interface EffectPrograms {
  start(database: FreshDatabase): Program;
  /** Kills those that run. */
  killAll(): Promise<void>;
  close(): void;
}

const sourceOf = (handlers: DeadlyHandlers): string => `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, Effect } from 'nest-durable';

const { db: type, host, port, user: username, password, database } = JSON.parse(process.env.DATABASE);
class Services {}
for (const [name, { dies, ...options }] of Object.entries(${JSON.stringify(handlers)})) {
  Services.prototype[name] = (ref, { attempt }) => {
    console.log('CALLED ' + name + ' ' + attempt);
    if (dies) process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  };
  Effect(name, options)(Services.prototype, name, Object.getOwnPropertyDescriptor(Services.prototype, name));
}
class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type, host, port, username, password, database }),
    DurableModule.forRoot({ engine: false, worker: false, outbox: false, effects: { pollInterval: '50ms' } }),
  ],
  providers: [Services],
})(App);
await NestFactory.createApplicationContext(App, { logger: ['error'] });
`;

export function effectPrograms(handlers: DeadlyHandlers): EffectPrograms {
  const programs = ownPrograms();
  const file = programs.write('effect-program.mjs', sourceOf(handlers));
  const started: Program[] = [];
  return {
    start: ({ db, host, port, user, password, database }) => {
      const program = startProgram(file, [], {
        DATABASE: JSON.stringify({ db, host, port, user, password, database }),
      });
      started.push(program);
      return program;
    },
    killAll: async () => {
      for (const program of started) program.process.kill('SIGKILL');
      await Promise.all(started.splice(0).map(({ ended }) => ended));
    },
    close: () => programs.close(),
  };
}
