import { Injectable, type INestApplicationContext } from '@nestjs/common';
import {
  type AbandonedEffect,
  DurableModule,
  Effect,
  type EffectContext,
  Effects,
  OnAbandoned,
} from '../../../lib/index.js';
import { backends, chosen } from '../../support/backends.js';
import { effectPrograms } from '../../support/effect-program.js';
import { createDatabase } from '../../support/fresh-database.js';
import { bootApp, ormModule } from '../../support/nest-app.js';
import { until } from '../../support/until.js';

const TRIES = { attempts: 3, backoff: { delay: '20ms' }, leaseDuration: '10m' } as const;

const called: [unknown, number][] = [];
const abandoned: AbandonedEffect[] = [];

@Injectable()
class Services {
  @Effect('deadly', TRIES)
  deadly(ref: unknown, { attempt }: EffectContext): void {
    called.push([ref, attempt]);
  }

  @OnAbandoned('erase')
  abandoned(entry: AbandonedEffect): void {
    abandoned.push(entry);
  }
}

describe.each(
  chosen(
    'calls that kill their processes',
    backends.filter(({ orm }) => orm === 'typeorm'),
  ),
)('calls that kill their processes [$db]', ({ db }) => {
  it('are abandoned without another call when they have killed as many as there are attempts', async () => {
    called.length = abandoned.length = 0;
    const database = await createDatabase(db);
    const programs = effectPrograms({ deadly: { ...TRIES, dies: true } });
    const apps: INestApplicationContext[] = [];
    const boot = async (run: boolean) => {
      const effects = { run, pollInterval: '50ms' } as const;
      const durable = DurableModule.forRoot({ engine: false, worker: false, outbox: false, effects });
      const app = await bootApp({ imports: [ormModule('typeorm', database), durable], providers: [Services] });
      apps.push(app);
      return app.get(Effects);
    };
    try {
      const effects = await boot(false);
      const calls = [{ handler: 'deadly', ref: 'deadly' }];
      const [entryId] = await effects.enqueue({ operation: 'erase', subject: 'u1', calls });
      for (let attempt = 1; attempt <= TRIES.attempts; attempt++) {
        expect(await programs.start(database).ended).toMatchObject({
          signal: 'SIGKILL',
          output: expect.stringContaining(`CALLED deadly ${attempt}`) as string,
        });
        await database.query('UPDATE durable_effects SET lease_until = 0 WHERE claim_token IS NOT NULL');
      }
      await boot(true);
      await until('it was told', () => abandoned.length > 0);
      expect(called).toEqual([]);
      const told = { entryId, handler: 'deadly', operation: 'erase', subject: 'u1', attempts: 3 };
      expect(abandoned).toEqual([{ ...told, error: 'EffectAttemptsExhaustedError' }]);
      expect(await effects.listAbandoned()).toMatchObject([{ entryId, attempts: 3 }]);
    } finally {
      await programs.killAll();
      programs.close();
      await Promise.all(apps.map((app) => app.close()));
      await database.close();
    }
  });
});
