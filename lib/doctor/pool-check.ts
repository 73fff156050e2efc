import { type Answer, type Check, type Patient, warning } from './check.js';
import { alive } from './fleet-checks.js';
import { mysqlSettings, postgresSettings, setGlobally } from './settings.js';

/** How many connections all pools may open together. Undefined: no process tells. */
async function poolsOf(patient: Patient): Promise<{ processes: number; connections: number } | undefined> {
  const nodes = await alive(patient);
  const pools = nodes.flatMap(({ load }) => load?.pool?.most ?? []);
  if (pools.length === 0) return undefined;
  return { processes: pools.length, connections: pools.reduce((sum, most) => sum + most, 0) };
}

async function compared(
  patient: Patient,
  most: () => Promise<number>,
  mend: (wanted: number) => string,
): Promise<Answer> {
  const pools = await poolsOf(patient);
  if (!pools) return [];
  const server = await most();
  if (pools.connections <= server) return [];
  const text = `The pools of ${pools.processes} processes may open ${pools.connections} connections, the server takes ${server}`;
  const unless = 'under load, processes will be refused, unless they connect through a pooler such as PgBouncer';
  return [
    warning(`${text}: ${unless}. PostgreSQL takes another number at its next start`, mend(pools.connections * 2)),
  ];
}

const poolsOnPostgres = (patient: Patient): Promise<Answer> =>
  compared(
    patient,
    async () => {
      const settings = await postgresSettings(patient, 'max_connections', 'superuser_reserved_connections');
      return Number(settings.get('max_connections')) - Number(settings.get('superuser_reserved_connections') ?? 0);
    },
    (wanted) => `ALTER SYSTEM SET max_connections = ${wanted};`,
  );

const poolsOnMysql = (patient: Patient): Promise<Answer> =>
  compared(
    patient,
    async () => Number((await mysqlSettings(patient, 'max_connections')).get('max_connections')),
    (wanted) => setGlobally(patient, 'max_connections', String(wanted)),
  );

export const poolCheck: Check = {
  id: 'pools',
  group: 'connections',
  meaning: 'The server has a connection for each that the pools of all processes may open',
  looks: { postgres: poolsOnPostgres, mysql: poolsOnMysql, mariadb: poolsOnMysql },
};
