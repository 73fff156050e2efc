import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Configuration } from '@mikro-orm/core';
import { type MikroOrmConfiguration, protectOnMikroOrm } from '../../../lib/sql/table-protection.js';

const OWN = { names: ['p_runs', 'p_steps'], hasFunctions: true, expression: "durableSkipTables('p')" };

describe('The configuration of MikroORM', () => {
  let baseDir: string;

  beforeEach(() => {
    baseDir = mkdtempSync(join(tmpdir(), 'nest-durable-mikro-orm-'));
  });
  afterEach(() => rmSync(baseDir, { recursive: true, force: true }));

  const configured = (options: object = {}) =>
    new Configuration({ baseDir, ...options }, false) as unknown as MikroOrmConfiguration;
  const isSeven = () => configured().get('migrations').snapshotOnMigrate !== undefined;

  it('gets what it lacks, and keeps what it has', () => {
    const config = configured({ schemaGenerator: { skipTables: [/^legacy_/, 'P_RUNS'] } });
    const { obstacle, lacking } = protectOnMikroOrm(config, OWN);
    expect(obstacle).toBeUndefined();
    expect(config.get('schemaGenerator').skipTables).toEqual([/^legacy_/, 'P_RUNS', 'p_steps']);
    const routines = isSeven() ? ', ignoreRoutines: true' : '';
    expect(lacking).toEqual([
      `schemaGenerator: { skipTables: [/* as before */, ...durableSkipTables('p')]${routines} }`,
    ]);
    expect(protectOnMikroOrm(config, OWN)).toEqual({ obstacle: undefined, lacking: [] });
    // The defaults are those of every app of the process.
    expect(configured().get('schemaGenerator').skipTables).toEqual([]);
  });

  it('is left as it is where it protects our tables by itself', () => {
    const schemaGenerator = Object.freeze({ skipTables: [/^p_/], ignoreRoutines: true });
    const config = configured({ schemaGenerator });
    expect(protectOnMikroOrm(config, OWN)).toEqual({ obstacle: undefined, lacking: [] });
  });

  it('is not changed where functions cannot be dropped', () => {
    const config = configured({ schemaGenerator: { skipTables: OWN.names } });
    expect(protectOnMikroOrm(config, { ...OWN, hasFunctions: false })).toEqual({ obstacle: undefined, lacking: [] });
    expect(config.get('schemaGenerator').ignoreRoutines).not.toBe(true);
  });

  it('is reported as not to be told where the version does not have the option', () => {
    const config = configured();
    Reflect.deleteProperty(config.get('schemaGenerator'), 'skipTables');
    expect(protectOnMikroOrm(config, OWN)).toMatchObject({
      obstacle: 'this version of MikroORM does not have schemaGenerator.skipTables',
    });
  });

  it('is reported as not to be told where it is frozen', () => {
    const config = configured();
    Object.freeze(config.get('schemaGenerator'));
    expect(protectOnMikroOrm(config, OWN)).toMatchObject({
      obstacle: 'schemaGenerator.skipTables of its configuration is frozen',
      lacking: [expect.stringContaining("skipTables: durableSkipTables('p')") as string],
    });
  });

  it('turns snapshots off where MikroORM would write our tables into them', () => {
    const migrations = { path: 'migrations' };
    const config = configured({ schemaGenerator: { skipTables: OWN.names, ignoreRoutines: true }, migrations });
    // Without its folder no snapshot is written.
    expect(protectOnMikroOrm(config, OWN).lacking).toEqual([]);
    mkdirSync(join(baseDir, 'migrations'));
    expect(protectOnMikroOrm(config, OWN).lacking).toEqual(isSeven() ? [] : ['migrations: { snapshot: false }']);
    expect(config.get('migrations').snapshot).toBe(isSeven());
  });

  it('ignores a snapshot that lists our tables', () => {
    const path = join(baseDir, 'migrations');
    mkdirSync(path);
    writeFileSync(join(path, '.snapshot-app.json'), JSON.stringify({ tables: [{ name: 'p_runs' }] }));
    const schemaGenerator = { skipTables: OWN.names, ignoreRoutines: true };
    const config = configured({ schemaGenerator, migrations: { path }, dbName: 'app' });
    expect(protectOnMikroOrm(config, OWN)).toEqual({
      obstacle: undefined,
      lacking: [
        ...(isSeven() ? [] : ['migrations: { snapshot: false }']),
        `delete ${join(path, '.snapshot-app.json')}, which lists them`,
      ],
    });
    expect(config.get('migrations').snapshot).toBe(false);
  });

  it.each([
    ['the snapshot of another database', '.snapshot-other.json', {}],
    ['a file that is no snapshot', '.snapshot-app.json', {}, 'not a snapshot'],
    ['one that its options do not name', '.snapshot-app.json', { snapshotName: 'shop' }],
  ])('does not mind %s', (_, file, migrations, text = JSON.stringify({ tables: [{ name: 'p_runs' }] })) => {
    const path = join(baseDir, 'migrations');
    mkdirSync(path);
    writeFileSync(join(path, file), text);
    const schemaGenerator = { skipTables: OWN.names, ignoreRoutines: true };
    const config = configured({ schemaGenerator, migrations: { path, ...migrations }, dbName: 'app' });
    const { lacking } = protectOnMikroOrm(config, OWN);
    expect(lacking.filter((line) => line.startsWith('delete'))).toEqual([]);
  });

  it('names the snapshot that its options name, and minds no folder that cannot be read', () => {
    const path = join(baseDir, 'migrations');
    mkdirSync(path);
    writeFileSync(join(path, 'shop.json'), JSON.stringify({ tables: [{ name: 'p_steps' }] }));
    const named = { snapshotName: 'shop', path, pathTs: join(path, 'shop.json') };
    const { lacking } = protectOnMikroOrm(configured({ migrations: named }), OWN);
    expect(lacking).toContain(`delete ${join(path, 'shop.json')}, which lists them`);
  });
});
