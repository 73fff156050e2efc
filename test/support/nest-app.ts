import { MariaDbDriver } from '@mikro-orm/mariadb';
import { MySqlDriver } from '@mikro-orm/mysql';
import { MikroOrmModule, type MikroOrmModuleOptions } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type INestApplicationContext, Module, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { OrmName } from './backends.js';
import type { FreshDatabase } from './fresh-database.js';
import { PATIENT } from './open-mikro-orm.js';

/** An app that fails to boot never closes its ORM: its idle connections must not keep the tests from ending. */
const PG_IDLE = { idleTimeoutMillis: 500, allowExitOnIdle: true };
/** So that those of an app that did not boot can be closed: it never does. */
const opened = new Set<DataSource>();

const DRIVERS = { postgres: PostgreSqlDriver, mysql: MySqlDriver, mariadb: MariaDbDriver };

export interface OrmModuleOptions {
  /** The connection's name in the container. */
  name?: string;
  poolMax?: number;
  /** The ORM's own option. */
  schema?: string;
}

type Imported = NonNullable<ModuleMetadata['imports']>[number];

/** The ORM's own module, as an app imports it. */
export function ormModule(
  orm: OrmName,
  to: FreshDatabase,
  { name, poolMax = 10, schema }: OrmModuleOptions = {},
): Imported {
  const { db, host, port, user, password, database } = to;
  const named = schema === undefined ? {} : { schema };
  if (orm === 'typeorm') {
    const connection = {
      type: db,
      host,
      port,
      username: user,
      password,
      database,
      poolSize: poolMax,
      ...named,
      ...(db === 'postgres' && { extra: PG_IDLE }),
      retryAttempts: 0,
    };
    return TypeOrmModule.forRootAsync({
      ...(name && { name }),
      useFactory: () => ({ ...connection, ...(name && { name }) }),
      dataSourceFactory: async (options) => {
        const dataSource = new DataSource(options!);
        opened.add(dataSource);
        return dataSource.initialize();
      },
    });
  }
  const connection = {
    driver: DRIVERS[db],
    host,
    port,
    user,
    password,
    dbName: database,
    ...named,
    pool: { min: 0, max: poolMax, idleTimeoutMillis: 500 },
  };
  const quiet = { entities: [], discovery: { warnWhenNoEntities: false }, registerRequestContext: false };
  return MikroOrmModule.forRoot({
    ...connection,
    ...quiet,
    ...(db === 'mariadb' && PATIENT),
    ...(name && { contextName: name }),
  } as unknown as MikroOrmModuleOptions);
}

/** Boots a standalone app of these parts. Closes nothing by itself. */
export async function bootApp(parts: ModuleMetadata): Promise<INestApplicationContext> {
  // A class per app: Nest tells modules apart by their classes.
  @Module(parts)
  class TestApp {}

  const before = new Set(opened);
  try {
    return await NestFactory.createApplicationContext(TestApp, { logger: false, abortOnError: false });
  } catch (error) {
    for (const dataSource of opened)
      if (!before.has(dataSource) && dataSource.isInitialized) await dataSource.destroy();
    throw error;
  }
}
