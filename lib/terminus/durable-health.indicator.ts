import { Inject, Injectable } from '@nestjs/common';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { DurableHealth, type ReadinessOptions } from '../nest/health.js';

/**
 * The health of this process for `@nestjs/terminus`. Import `TerminusModule` and declare it as a provider.
 *
 * @example
 * \@Get('ready')
 * \@HealthCheck()
 * ready() {
 *   return this.health.check([() => this.durable.isReady()]);
 * }
 */
@Injectable()
export class DurableHealthIndicator {
  readonly #service: HealthIndicatorService;
  readonly #health: DurableHealth;

  constructor(
    @Inject(HealthIndicatorService) service: HealthIndicatorService,
    @Inject(DurableHealth) health: DurableHealth,
  ) {
    this.#service = service;
    this.#health = health;
  }

  /** For the liveness probe: never asks the database. */
  async isLive(key = 'durable'): Promise<HealthIndicatorResult> {
    const { ok, ...details } = this.#health.liveness();
    return ok ? this.#service.check(key).up(details) : this.#service.check(key).down(details);
  }

  /**
   * For the readiness probe. `timeout`: how long the database may take to answer, default `'3s'`.
   *
   * @throws UnknownOptionError, TypeError for a duration that is none
   */
  async isReady(key = 'durable', options: ReadinessOptions = {}): Promise<HealthIndicatorResult> {
    const { ok, ...details } = await this.#health.readiness(options);
    return ok ? this.#service.check(key).up(details) : this.#service.check(key).down(details);
  }
}
