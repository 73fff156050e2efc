import type { INestApplicationContext, Provider } from '@nestjs/common';
import { DurableModule, type DurableModuleOptions, memoryBackend } from '../../lib/index.js';
import { OpenTelemetryModule, type OpenTelemetryOptions } from '../../lib/otel/index.js';
import { type backends } from './backends.js';
import { createDatabase } from './fresh-database.js';
import { bootApp, ormModule } from './nest-app.js';

/** Boots an app of the place, with OpenTelemetry unless `traced` is false. */
export type BootTraced = (traced?: OpenTelemetryOptions | false) => Promise<INestApplicationContext>;

export interface TracedPlace {
  name: string;
  open(): Promise<{ boot: BootTraced; close(): Promise<void> }>;
}

const FAST = { pollInterval: '20ms' } as const;
const OPTIONS: DurableModuleOptions = {
  worker: FAST,
  engine: { pollInterval: '20ms', residency: '1ms' },
  outbox: FAST,
  effects: FAST,
};

type Imported = NonNullable<Parameters<typeof bootApp>[0]['imports']>;

/** Memory and these databases, with apps of these providers. */
export function tracedPlaces(
  among: typeof backends,
  providers: Provider[],
  options: DurableModuleOptions = {},
): TracedPlace[] {
  const booting =
    (imports: () => Imported): BootTraced =>
    (traced = {}) =>
      bootApp({ imports: [...imports(), ...(traced ? [OpenTelemetryModule.forRoot(traced)] : [])], providers });
  const inMemory = async () => {
    const backend = memoryBackend();
    return {
      boot: booting(() => [DurableModule.forRoot({ backend, ...OPTIONS, ...options })]),
      close: async () => {},
    };
  };
  const inSql = async (at: (typeof backends)[number]) => {
    const database = await createDatabase(at.db);
    const durable = () => DurableModule.forRoot({ migrate: true, ...OPTIONS, ...options });
    return { boot: booting(() => [ormModule(at.orm, database), durable()]), close: () => database.close() };
  };
  return [{ name: 'memory', open: inMemory }, ...among.map((at) => ({ name: at.name, open: () => inSql(at) }))];
}
