import { ConsoleLogger, Logger } from '@nestjs/common';
import { NestLogTarget } from '../../../lib/nest/log.js';

describe('whether debug lines are printed', () => {
  afterEach(() => void Logger.overrideLogger(new ConsoleLogger()));

  const quiet = { log: () => {}, error: () => {}, warn: () => {}, debug: () => {} };

  it.each<[string, Parameters<typeof Logger.overrideLogger>[0], boolean]>([
    ['by the logger of Nest', new ConsoleLogger(), true],
    ['by a list of levels', ['error', 'warn', 'debug'], true],
    ['not by a list without it', ['error', 'warn'], false],
    ['not by a logger with other levels', new ConsoleLogger('app', { logLevels: ['log'] }), false],
    ['by a logger that does not say', quiet, true],
  ])('%s', (_, logger, isPrinted) => {
    Logger.overrideLogger(logger);
    expect(new NestLogTarget('Durable').debugs()).toBe(isPrinted);
  });

  it('by a logger that takes the place of a list without it', () => {
    Logger.overrideLogger(['error']);
    Logger.overrideLogger(quiet);
    expect(new NestLogTarget('Durable').debugs()).toBe(true);
  });
});
