import { type Backend, backendOf, type OrmName } from './backends.js';
import { describeUnlessMissing } from './installed-programs.js';
import { startGalera } from './servers/galera.mjs';
import { findGalera } from './servers/galera-installation.mjs';
import type { ServerAddress } from './servers/server.mjs';

/** The two nodes of a running cluster, both of which take writes. */
export interface GaleraNodes {
  address(n: 0 | 1): ServerAddress;
  on(n: 0 | 1, orm?: OrmName): Backend;
}

const START_MS = 300_000;

/** A describe block for tests on a Galera cluster of their own. */
export function describeWithGalera(title: string, body: (nodes: GaleraNodes) => void): void {
  const galera = findGalera();
  describeUnlessMissing('Galera', 'reason' in galera ? galera.reason : undefined, title, () => {
    let cluster: Awaited<ReturnType<typeof startGalera>> | undefined;
    beforeAll(async () => {
      if ('installation' in galera) cluster = await startGalera(galera);
    }, START_MS);
    afterAll(() => cluster?.stop());

    const address = (n: 0 | 1) => cluster!.nodes[n]!;
    body({ address, on: (n, orm = 'typeorm') => backendOf(orm, 'mariadb', address(n)) });
  });
}
