import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenBackend } from './backends.js';
import { compiled, ownPrograms } from './compiled.js';
import { PATIENT } from './open-mikro-orm.js';
import { type Ended, type Program, runProgram, startProgram } from './programs.js';

/** A compiled app whose workflows a test writes, and the command that checks it: real files and real processes. */
export interface DeployedApp {
  /** Writes the body of `run(ctx, input)` of the workflow "order", and what stands beside it in the module. */
  build(body: string, more?: string): void;
  check(args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Runs `nest-durable` with these arguments. */
  command(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Starts `nest-durable` with these arguments. */
  start(args: readonly string[]): Program;
  /** Runs Node with these arguments, beside the app. */
  node(args: readonly string[]): Promise<Ended>;
  /** The path of a file beside the app. */
  file(name: string): string;
  close(): void;
}

const ORM = {
  typeorm: `
import { TypeOrmModule } from '@nestjs/typeorm';
const orm = TypeOrmModule.forRoot({
  type: to.db, host: to.host, port: to.port, username: to.user, password: to.password, database: to.database,
  retryAttempts: 0,
});`,
  'mikro-orm': `
import { MikroOrmModule } from '@mikro-orm/nestjs';
const drivers = { postgres: ['@mikro-orm/postgresql', 'PostgreSqlDriver'], mysql: ['@mikro-orm/mysql', 'MySqlDriver'], mariadb: ['@mikro-orm/mariadb', 'MariaDbDriver'] };
const [name, driver] = drivers[to.db];
const orm = MikroOrmModule.forRoot({
  driver: (await import(name))[driver], host: to.host, port: to.port, user: to.user, password: to.password, dbName: to.database,
  entities: [], discovery: { warnWhenNoEntities: false }, registerRequestContext: false,
  ...(to.db === 'mariadb' && ${JSON.stringify(PATIENT)}),
});`,
};

const sourceOf = (backend: OpenBackend, body: string, more: string): string => `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { DurableModule, Workflow, WorkflowClient } from 'nest-durable';
const to = ${JSON.stringify({ ...backend, handle: undefined })};
${ORM[backend.orm]}
class Order { async run(ctx, input) { ${body} } }
Workflow('order')(Order);
const providers = [Order];
${more}
export class AppModule {}
Module({ imports: [orm, DurableModule.forRoot()], providers })(AppModule);
`;

export function deployedApp(backend: OpenBackend): DeployedApp {
  const programs = ownPrograms();
  const app = join(programs.folder, 'app.module.mjs');
  const command = compiled('lib/cli/main.js');
  return {
    build: (body, more = '') => writeFileSync(app, sourceOf(backend, body, more)),
    check: (args = [], env = {}) => runProgram(command, ['check', '--app', app, ...args], env),
    command: (args, env) => runProgram(command, args, env),
    start: (args) => startProgram(command, args),
    node: ([first, ...args]) => runProgram(first!, args),
    file: (name) => join(programs.folder, name),
    close: () => programs.close(),
  };
}
