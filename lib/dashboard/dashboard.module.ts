import { type DynamicModule, type FactoryProvider, Inject, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { DurableDoctor } from '../doctor/durable-doctor.js';
import { apiController } from './api.controller.js';
import { AccessGuard, LoopbackGuard, SameOriginGuard } from './dashboard.guards.js';
import {
  checkForRoot,
  checkForRootAsync,
  type DashboardAsyncOptions,
  type DashboardConduct,
  type DashboardOptions,
  type DashboardMount,
  type DashboardRoutes,
  type DashboardSettings,
  routesOf,
  settingsOf,
  settingsOfFactory,
} from './dashboard-options.js';
import { DASHBOARD_SETTINGS } from './dashboard.tokens.js';
import { Examination } from './examination.js';
import { pageController } from './page.controller.js';
import { PageFiles } from './page-files.js';
import { ProblemFilter } from './problem.filter.js';
import { SharedAnswers } from './shared-answers.js';

/**
 * A page that shows runs, queues, processes, events and calls, and repairs them. Import it next to `DurableModule`. Guards
 * of the app protect it; the act log says what was changed through it, by whom and why.
 *
 * @example
 * DurableDashboardModule.forRoot({
 *   guards: [AdminGuard],
 *   access: ({ user }) => ({ actor: (user as { email: string }).email, may: user?.['isAdmin'] ? 'all' : 'read' }),
 * })
 */
@Module({})
export class DurableDashboardModule implements OnModuleInit {
  constructor(@Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings) {}

  onModuleInit(): void {
    const { guards, path } = this.settings;
    if (guards.length > 0) return;
    const logger = new Logger('DurableDashboard');
    logger.warn(`No guards protect /${path}: it answers requests of this machine alone`);
  }

  /** @throws InvalidArgumentError, UnknownOptionError; ConfigurationError without guards in production */
  static forRoot(options: DashboardOptions = {}): DynamicModule {
    const routes = routesIn(checkForRoot(options));
    const settings = settingsOf(routes, options);
    return definition(options, routes, { useFactory: () => settings });
  }

  /**
   * Like `forRoot`, with options that come from other providers. `path`, `guards` and `imports` are set here: routes and
   * their guards are made before the factory is called.
   *
   * @throws as forRoot; the start of the app for what the factory returns
   * @example
   * DurableDashboardModule.forRootAsync({
   *   guards: [AdminGuard],
   *   imports: [ConfigModule],
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ publicPath: config.get('DURABLE_PUBLIC_PATH') }),
   * })
   */
  static forRootAsync(options: DashboardAsyncOptions): DynamicModule {
    const routes = routesIn(checkForRootAsync(options));
    const useFactory = options.useFactory as (...injected: unknown[]) => DashboardConduct | Promise<DashboardConduct>;
    return definition(options, routes, {
      inject: options.inject ?? [],
      useFactory: async (...injected: unknown[]) => settingsOfFactory(routes, await useFactory(...injected)),
    });
  }
}

const routesIn = (mount: DashboardMount) => routesOf(mount, process.env['NODE_ENV'] === 'production');

function definition(
  { imports = [] }: DashboardMount,
  routes: DashboardRoutes,
  settings: Pick<FactoryProvider, 'inject' | 'useFactory'>,
): DynamicModule {
  return {
    module: DurableDashboardModule,
    imports: [...imports],
    controllers: [apiController(routes), pageController(routes)],
    providers: [
      { provide: DASHBOARD_SETTINGS, ...settings },
      {
        provide: Examination,
        inject: [DurableDoctor],
        useFactory: (doctor: DurableDoctor) => new Examination(doctor),
      },
      { provide: SharedAnswers, useFactory: () => new SharedAnswers() },
      ...[PageFiles, LoopbackGuard, SameOriginGuard, AccessGuard, ProblemFilter],
      ...routes.guards,
    ],
  };
}
