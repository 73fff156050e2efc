import { refusalOf, unsupportedServer } from '../../../lib/sql/servers.js';

describe('a server that is known by what it says of itself', () => {
  it.each([
    [
      'postgres',
      'CockroachDB',
      'CockroachDB CCL v24.3.5 (x86_64-pc-linux-gnu, built 2025/02/03 17:28:15, go1.22.8)',
      '',
    ],
    ['postgres', 'CockroachDB', 'CockroachDB OSS v19.1.0 (x86_64-unknown-linux-gnu, built 2019/04/29)', ''],
    [
      'postgres',
      'YugabyteDB',
      'PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 16.0.6, 64-bit',
      '',
    ],
    ['postgres', 'YugabyteDB', 'PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu', ''],
    ['postgres', 'Aurora DSQL', 'PostgreSQL 16', 'Aurora DSQL'],
    ['postgres', 'Spanner', 'PostgreSQL 14.1', 'Spanner'],
    ['mysql', 'TiDB', '8.0.11-TiDB-v8.5.3-serverless', 'TiDB Server (Apache License 2.0) Community Edition'],
    ['mysql', 'TiDB', '8.0.11', 'any comment TiDB'],
    ['mysql', 'Vitess', '8.0.30-Vitess', 'Version: 18.0.0-SNAPSHOT (Git revision 122ee758) built by vitess@buildkit'],
    ['mysql', 'Vitess', '8.0.30-Vitess', 'MySQL Community Server (GPL)'],
    ['mysql', 'Vitess', '8.0.23-PlanetScale', ''],
  ] as const)('on %s is %s: %s', (family, name, version, product) => {
    expect(unsupportedServer(family, version, product)).toMatchObject({
      name,
      why: expect.stringMatching(/^(it|its|a) /) as unknown,
      link: expect.stringMatching(/^https:\/\//) as unknown,
    });
  });

  it.each([
    ['postgres', 'PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc 13.2.0, 64-bit', ''],
    ['postgres', 'PostgreSQL 15.5 on x86_64-pc-linux-gnu, compiled by Debian clang version 12.0.1, 64-bit', ''],
    ['postgres', 'PostgreSQL 16.4 on aarch64-unknown-linux-gnu, compiled by gcc (GCC) 9.5.0, 64-bit', ''],
    ['mysql', '8.0.36-28', 'Percona Server (GPL), Release 28, Revision 47601f19'],
    ['mysql', '8.0.36-28.1', 'Percona XtraDB Cluster (GPL), Release rel28, WSREP version 26.1.4.3'],
    ['mysql', '8.0.39', 'Source distribution'],
    ['mysql', '8.4.3', 'MySQL Community Server - GPL'],
    ['mysql', '8.0.31-google', '(Google)'],
    ['mariadb', '10.11.19-MariaDB-0+deb12u1', 'Debian 12'],
    ['mariadb', '10.6.14-MariaDB-log', 'managed by https://aws.amazon.com/rds/'],
  ] as const)('on %s may be %s', (db, version, product) => {
    expect(unsupportedServer(db === 'postgres' ? db : 'mysql', version, product)).toBeUndefined();
    expect(refusalOf(db, version)).toBeUndefined();
  });
});
