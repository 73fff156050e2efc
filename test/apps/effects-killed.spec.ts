import { Injectable, type INestApplicationContext, type Type } from '@nestjs/common';
import {
  type AbandonedEffect,
  DurableModule,
  Effect,
  type EffectContext,
  EffectRunner,
  Effects,
  OnAbandoned,
  OnOperationComplete,
} from '../../lib/index.js';
import { backends, chosen } from '../support/backends.js';
import { type EffectPrograms, effectPrograms } from '../support/effect-program.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

/** Nobody waits for these leases. The process renews all that it has as often as the shortest of them asks for. */
const OPTIONS = {
  still: { attempts: 3, leaseDuration: '10m' },
  deadly: { attempts: 1, leaseDuration: '10m' },
} as const;
const HASTY = { attempts: 1_000, leaseDuration: '600ms' } as const;

const called: [unknown, number][] = [];
const completed: string[] = [];
const abandoned: AbandonedEffect[] = [];

@Injectable()
class Still {
  @Effect('still', OPTIONS.still)
  still(ref: unknown, { attempt }: EffectContext): void {
    called.push([ref, attempt]);
  }

  @OnOperationComplete('erase')
  completed(subject: string): void {
    completed.push(subject);
  }
}

@Injectable()
class Deadly {
  @Effect('deadly', OPTIONS.deadly)
  deadly(ref: unknown, { attempt }: EffectContext): void {
    called.push([ref, attempt]);
  }

  @OnAbandoned('erase')
  abandoned(entry: AbandonedEffect): void {
    abandoned.push(entry);
  }
}

for (const { db } of chosen(
  'calls whose processes are killed',
  backends.filter(({ orm }) => orm === 'typeorm'),
))
  describe(`calls whose process is killed [${db}]`, () => {
    let database: FreshDatabase;
    let programs: EffectPrograms;
    const apps: INestApplicationContext[] = [];

    beforeAll(async () => {
      for (const told of [called, completed, abandoned]) told.length = 0;
      database = await createDatabase(db);
      programs = effectPrograms({ ...OPTIONS, hasty: HASTY });
    });
    afterAll(async () => {
      await programs?.killAll();
      programs?.close();
      await Promise.all(apps.map((app) => app.close()));
      await database?.close();
    });

    const boot = async (effects: { run: boolean; remoteHandlers?: string[] }, providers: Type[]) => {
      const durable = DurableModule.forRoot({
        engine: false,
        worker: false,
        outbox: false,
        effects: { pollInterval: '50ms', ...effects },
      });
      const app = await bootApp({ imports: [ormModule('typeorm', database), durable], providers });
      apps.push(app);
      return app;
    };
    const leases = async () => {
      const rows = await database.query(
        `SELECT handler, lease_until FROM durable_effects WHERE handler <> 'hasty' ORDER BY handler`,
      );
      return rows.map(({ lease_until }) => Number(lease_until));
    };

    it('are made again after their leases, or abandoned without another call once they had all attempts', async () => {
      const living = await boot({ run: false, remoteHandlers: ['deadly', 'hasty'] }, [Still]);
      const effects = living.get(Effects);
      const enqueue = async (handler: string) => {
        const calls = [{ handler, ref: handler }];
        const [id] = await effects.enqueue({ operation: 'erase', subject: `${handler} of ${db}`, calls });
        return id;
      };
      await enqueue('still');
      const deadlyId = await enqueue('deadly');
      await enqueue('hasty');
      const program = programs.start(database);
      for (const name of ['still 1', 'deadly 1', 'hasty 1'])
        await until(`it calls ${name}`, () => program.output().includes(`CALLED ${name}`), {
          otherwise: program.output,
        });
      // The living keep what they have.
      for (const _ of ['once', 'twice']) {
        const before = await leases();
        await until('all are renewed', async () => (await leases()).every((lease, n) => lease > before[n]!));
      }
      expect(await living.get(EffectRunner).runOnce()).toBe(0);
      program.process.kill('SIGKILL');
      await program.ended;
      expect([called, completed]).toEqual([[], []]);
      await database.query('UPDATE durable_effects SET lease_until = 0 WHERE claim_token IS NOT NULL');
      await boot({ run: true }, [Still, Deadly]);
      await until('one is complete, and of the other it is told', () => completed.length > 0 && abandoned.length > 0);
      expect([called, completed]).toEqual([[['still', 2]], [`still of ${db}`]]);
      const told = {
        entryId: deadlyId,
        handler: 'deadly',
        operation: 'erase',
        subject: `deadly of ${db}`,
        attempts: 1,
      };
      expect(abandoned).toEqual([{ ...told, error: 'EffectAttemptsExhaustedError' }]);
      expect(await effects.listAbandoned()).toMatchObject([{ entryId: deadlyId, attempts: 1 }]);
      await until('it is settled', async () => (await effects.statusCounts()).succeeded === 1);
    });
  });
