import { PACKAGE_VERSION } from '../../../lib/core/protocol.js';
import { ALL_MIGRATIONS, schemaStatements, wantedBetween } from '../../../lib/sql/migrations/migrator.js';

describe('The statements between two versions', () => {
  const installed = '0.10.0';
  const among = (range: { from?: string; to?: string }) =>
    ['0.1.0', '0.2.0', '0.9.9', '0.10.0', '0.11.0'].filter(wantedBetween({ ...range, installed }));

  it('are those of the later versions, up to the given one', () => {
    expect(among({})).toEqual(['0.1.0', '0.2.0', '0.9.9', '0.10.0']);
    expect(among({ from: '0.1.0' })).toEqual(['0.2.0', '0.9.9', '0.10.0']);
    expect(among({ from: '0.1.5', to: '0.9.9' })).toEqual(['0.2.0', '0.9.9']);
    expect(among({ to: '0.1.0' })).toEqual(['0.1.0']);
    expect(among({ from: '0.10.0' })).toEqual([]);
  });

  it.each([
    { from: '0.0.9' },
    { to: '0.10.1' },
    { from: '0.9.9', to: '0.9.8' },
    { from: 'v0.1.0' },
    { to: '0.2' },
    { from: '' },
  ])('are refused for %j', (range) => {
    expect(() => among(range)).toThrow(/a version of nest-durable: from 0\.1\.0 to 0\./);
  });

  it('begin with the table of migrations only where there is none', () => {
    expect(schemaStatements('postgres', 'p')[0]).toContain('"p_migrations"');
    expect(schemaStatements('postgres', 'p', { from: PACKAGE_VERSION })).toEqual([]);
  });

  it('include every migration', () => {
    const isKnown = wantedBetween({});
    expect(ALL_MIGRATIONS.filter(({ since }) => !isKnown(since))).toEqual([]);
  });
});
