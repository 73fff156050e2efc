import type { Command } from 'commander';
import { type DashboardSettings, settingsOf } from '../../dashboard/dashboard-options.js';
import { Examination } from '../../dashboard/examination.js';
import type { DashboardUser } from '../../dashboard/permissions.js';
import type { Asked } from '../../dashboard/route.js';
import { DurableDoctor } from '../../doctor/durable-doctor.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { withApp } from './app-at-rest.js';
import { type CliEnvironment, EXIT } from './cli-environment.js';
import { type CommandOptions, outboxTablesOf } from './commands.js';
import { DashboardDoor } from './dashboard-door.js';
import { dashboardServer, listen } from './dashboard-server.js';
import { databaseOperator } from './database-operator.js';
import { untilInterrupted, withDatabase } from './open-database.js';
import { actorHere } from './operator-command.js';
import { describe, withOutbox } from './shared-options.js';
import { visible } from './table.js';

export interface DashboardCommandOptions extends CommandOptions {
  namespace: string;
  app?: string;
  export?: string;
  port: string;
  write?: boolean;
  actor?: string;
}

type Served = Pick<Asked, 'operator' | 'examine'>;

/** Serves the dashboard of a database or an app on this machine, until it is interrupted. */
export async function dashboardCommand(options: DashboardCommandOptions, environment: CliEnvironment): Promise<number> {
  const port = portOf(options.port);
  const settings = conductOf(options);
  const serve = (served: Served) => untilItEnds(served, { port, settings, environment });
  const { app, url, write: writes = false } = options;
  if (app === undefined) return onDatabase(options, serve, environment);
  if (url !== undefined) throw new InvalidArgumentError('--url', 'a database', 'either it or --app');
  const at = { app, ...(options.export !== undefined && { export: options.export }) };
  return withApp(at, (found) => serve({ operator: found.operator, examine: () => found.examine() }), { writes });
}

function onDatabase(
  options: DashboardCommandOptions,
  serve: (served: Served) => Promise<number>,
  { env, interrupted }: CliEnvironment,
): Promise<number> {
  const { prefix, outbox, outboxOrdering: ordering } = options;
  const published = outbox === false ? false : { ...outboxTablesOf(prefix, options).names, ordering };
  return withDatabase(
    options.url ?? env['DATABASE_URL'],
    async (executor) => {
      const { operator } = await databaseOperator(executor, options);
      const doctor = new DurableDoctor(executor, { prefix, outbox: published });
      return serve({ operator, examine: () => doctor.examine() });
    },
    interrupted,
  );
}

/** Without `--write` nothing is written: a look at payloads is not recorded either. */
function conductOf({ write = false, actor }: DashboardCommandOptions): DashboardSettings {
  if (actor !== undefined && !write) throw new InvalidArgumentError('--actor', actor, 'it with --write');
  const may: DashboardUser['may'] = write ? 'all' : ['read', 'payloads', 'export', 'doctor'];
  const user = { actor: actor ?? actorHere(), may };
  return settingsOf(
    { path: '', guards: [] },
    { publicPath: '/', access: () => user, payloads: write ? 'on demand' : 'always' },
  );
}

interface Listening {
  port: number;
  settings: DashboardSettings;
  environment: CliEnvironment;
}

async function untilItEnds({ operator, examine }: Served, { port, settings, environment }: Listening): Promise<number> {
  const { out, err, interrupted } = environment;
  const examination = new Examination({ examine });
  const onError = (error: unknown) => err(visible(error instanceof Error ? error.message : String(error)));
  const door = new DashboardDoor();
  const asked = { examine: () => examination.report(), examined: () => examination.recent() };
  const server = dashboardServer({ operator, ...asked, settings, door, onError });
  out(door.addressAt(await listen(server, port)));
  err(`The dashboard is there until Ctrl+C${settings.payloads === 'always' ? ', and read only without --write' : ''}`);
  try {
    await untilInterrupted(new Promise<never>(() => undefined), interrupted);
    return EXIT.done;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('--port', text, 'a port from 1 to 65535, or 0 for a free one');
}

/** Adds `dashboard`. */
export function addDashboard(program: Command, environment: CliEnvironment, exit: (code: number) => void): void {
  const command = describe(
    program.command('dashboard'),
    'Show the dashboard in a browser of this machine, with what an app knows or with a database alone',
  );
  withOutbox(command)
    .option('--namespace <namespace>', 'without --app: of which app', 'default')
    .option('--app <file>', 'the compiled file of the module, such as dist/app.module.js: its database and codec')
    .option('--export <name>', 'with --app: the name of the exported module (default: AppModule)')
    .option('--port <port>', 'where it listens, on 127.0.0.1 (default: a free port)', '0')
    .option('--write', 'let it change what is stored (default: it only shows)')
    .option('--actor <name>', 'with --write: who (default: cli:<user>@<host>)')
    .action(async (options: DashboardCommandOptions) =>
      exit(await dashboardCommand({ ...options, env: environment.env }, environment)),
    );
}
