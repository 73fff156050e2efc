import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DurableDoctor, DurableModule, type DoctorReport } from 'nest-durable';
import { runCli } from '../../lib/cli/cli.js';
import { describeDatabases, type OpenBackend } from '../support/backends.js';
import { executorOf } from '../support/engine-storage.js';

/** What one call of the command prints, and its exit code. */
async function call(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, { env: {}, out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describeDatabases('the doctor, through an app and a command', (at) => {
  let backend: OpenBackend;
  const only = ['--only', 'migrations,columns', 'outbox', 'isolation'];
  beforeAll(async () => {
    backend = await at.open();
  });
  afterAll(() => backend.close());
  const doctor = (...args: string[]) => call('doctor', '--url', backend.url, '--prefix', 'shop', ...args);

  it('says that the tables are missing: exit code 1', async () => {
    const { code, out, err } = await doctor('--only', 'migrations');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out.split('\n').slice(1)).toEqual([
      'error migrations: Not applied: 001-transport, 001-engine',
      '    npx nest-durable migrate --prefix shop',
      '    see docs/doctor.md#schema',
      '1 check: 1 error, 0 warnings, 0 remarks, 0 not told',
    ]);
  });

  it('finds them well in an app that has created them: exit code 0', async () => {
    const outbox = { table: 'shop_events', ordering: 'insert' as const };
    @Module({
      imports: [
        DurableModule.forRoot({
          executor: executorOf(backend),
          prefix: 'shop',
          outbox,
          engine: false,
          worker: false,
          effects: false,
        }),
      ],
    })
    class AppModule {}
    const app = await (await Test.createTestingModule({ imports: [AppModule] }).compile()).init();
    try {
      const report = await app.get(DurableDoctor).examine({ only: ['migrations', 'columns', 'indexes', 'outbox'] });
      expect(report.checks.map(({ id, outcome }) => [id, outcome])).toEqual(
        ['migrations', 'columns', 'indexes', 'outbox'].map((id) => [id, 'well']),
      );
    } finally {
      await app.close();
    }
    const named = ['--outbox-table', 'shop_events', '--outbox-ordering', 'insert'];
    expect(await doctor(...only, ...named)).toMatchObject({ code: 0, err: '' });
    // Another name is another outbox.
    expect(await doctor('--only', 'outbox')).toMatchObject({ code: 1 });
    expect(await doctor('--only', 'outbox', '--no-outbox')).toMatchObject({ code: 0 });
  });

  it('prints everything as JSON, and counts warnings if they are to count: exit code 3', async () => {
    await backend.query(`INSERT INTO shop_outbox_channels (destination, channel, state) VALUES ('d', 'a', 'parked')`);
    const { code, out } = await doctor('--only', 'channels', '-o', 'json');
    const report = JSON.parse(out) as DoctorReport;
    expect(code).toBe(0);
    expect(report.counts).toEqual({ error: 0, warning: 1, info: 0, untold: 0 });
    expect(await doctor('--only', 'channels', '--strict')).toMatchObject({ code: 3 });
    expect(await doctor('--only', 'writable', '--strict')).toMatchObject({ code: 0 });
  });

  it('refuses checks that do not exist, and says that nobody answers: exit code 2', async () => {
    expect(await doctor('--skip', 'colums')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: .*colums.*columns\?/) as string,
    });
    const away = backend.url.replace(/:\d+\//, ':1/');
    expect(await call('doctor', '--url', away)).toMatchObject({ code: 2, out: '' });
  });
});
