import { DatabaseError } from '../../../lib/core/errors.js';
import type { RedactableError } from '../../../lib/core/wire-error.js';
import { until } from '../../support/until.js';
import { deferred, workerHarness } from './worker-harness.js';

describe('reports', () => {
  it('go together while one is being written', async () => {
    const at = workerHarness({ concurrency: 50, batchSize: 50 });
    const sizes: number[] = [];
    const gate = deferred();
    const report = at.transport.report.bind(at.transport);
    at.transport.report = async (reports) => {
      sizes.push(reports.length);
      if (sizes.length === 1) await gate.promise;
      return report(reports);
    };
    const last = deferred();
    let runs = 0;
    at.handle('x', () => (++runs === 41 ? last.resolve() : undefined));
    await at.dispatch([0, { name: 'x' }]);
    at.worker.start();
    await until('the first report', () => sizes.length === 1);
    await at.dispatch(...Array.from({ length: 40 }, (_, i): [number, object] => [i + 1, { name: 'x' }]));
    await last.promise;
    gate.resolve();
    await until('all', () => at.answered(41));
    expect(sizes.length).toBeLessThanOrEqual(3);
    await at.worker.stop();
  });

  it('are tried again while the database is away', async () => {
    const at = workerHarness();
    let failures = 3;
    const report = at.transport.report.bind(at.transport);
    at.transport.report = (reports) =>
      failures-- > 0 ? Promise.reject(new DatabaseError('away', true)) : report(reports);
    let runs = 0;
    at.handle('x', () => ++runs);
    await at.dispatch([1, { name: 'x' }]);
    at.worker.start();
    await until('the answer', () => at.answered(1));
    expect(runs).toBe(1);
    expect(at.eventsOf('loop.error').map(({ loop }) => loop)).toEqual(Array(3).fill('worker.report'));
    await at.worker.stop();
  });

  it('one that the database refuses fails its own step, and no other', async () => {
    const redact = (error: RedactableError) => ({ ...error, message: error.message.replace('byte', '***') });
    const at = workerHarness({ errors: { redact } });
    const report = at.transport.report.bind(at.transport);
    at.transport.report = (reports) =>
      reports.some(({ output }) => output === '"bad"')
        ? Promise.reject(new DatabaseError('invalid byte', false, { aboutData: true }))
        : report(reports);
    at.handle('x', (input) => input);
    await at.dispatch(...['"a"', '"bad"', '"b"'].map((input, seq): [number, object] => [seq, { name: 'x', input }]));
    at.worker.start();
    const answers = await until('all', () => at.answered(3));
    expect(answers.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
    expect(JSON.parse(answers[1]?.error ?? '')).toMatchObject({
      code: 'REPORT_REFUSED',
      retryable: false,
      message: 'The database rejected the output of the step: invalid ***',
    });
    expect(at.eventsOf('task.report-refused')).toHaveLength(1);
    await at.worker.stop();
  });

  it('tell a success, whatever the database says of the statement', async () => {
    const at = workerHarness();
    const report = at.transport.report.bind(at.transport);
    const unknown = [false, true].map((transient) => new DatabaseError('could not write init file', transient));
    at.transport.report = (reports) => {
      const error = unknown.pop();
      return error ? Promise.reject(error) : report(reports);
    };
    let runs = 0;
    at.handle('x', () => ++runs);
    await at.dispatch([1, { name: 'x' }]);
    at.worker.start();
    expect(await until('the answer', () => at.answered(1))).toMatchObject([{ status: 'completed', output: '1' }]);
    expect(at.eventsOf('loop.error').map(({ loop }) => loop)).toEqual(['worker.report', 'worker.report']);
    expect(at.eventsOf('task.report-refused')).toEqual([]);
    expect(runs).toBe(1);
    await at.worker.stop();
  });

  it('that are not taken hold up no others', async () => {
    const at = workerHarness();
    let isPoisonous = true;
    const report = at.transport.report.bind(at.transport);
    at.transport.report = (reports) =>
      isPoisonous && reports.some(({ output }) => output === '"poison"')
        ? Promise.reject(new DatabaseError('The connection was lost', true))
        : report(reports);
    const together = deferred();
    let begun = 0;
    at.handle('x', async (input: unknown) => {
      if (++begun === 3) together.resolve();
      await together.promise;
      return input;
    });
    await at.dispatch(
      [0, { name: 'x', input: '"poison"' }],
      [1, { name: 'x', input: '"a"' }],
      [2, { name: 'x', input: '"b"' }],
    );
    at.worker.start();
    await until('the others are told', () => at.answered(2));
    isPoisonous = false;
    const all = await until('it is told too', () => at.answered(3));
    expect(all.map(({ output }) => output)).toEqual(['"poison"', '"a"', '"b"']);
    await at.worker.stop();
  });

  it('that can never be written are given up once their tasks were claimed again', async () => {
    const at = workerHarness({ leaseMs: 1_000, shutdownTimeoutMs: 10 });
    let tries = 0;
    at.transport.report = () => {
      tries++;
      return Promise.reject(new DatabaseError('no right to write', false));
    };
    at.handle('x', () => 1);
    await at.dispatch([1, { name: 'x' }]);
    at.worker.start();
    await until('it is tried', () => tries > 0);
    // This worker takes it again itself, as any other would.
    at.clock.advance(2_000);
    await until('it is told', () => at.eventsOf('task.lease-lost').length > 0);
    await at.worker.stop();
  });

  it('that cannot be written hold back claims', async () => {
    const at = workerHarness({ concurrency: 2, batchSize: 2 });
    const gate = deferred();
    const report = at.transport.report.bind(at.transport);
    at.transport.report = async (reports) => {
      await gate.promise;
      return report(reports);
    };
    let runs = 0;
    at.handle('x', () => ++runs);
    await at.dispatch(...Array.from({ length: 20 }, (_, seq): [number, object] => [seq, { name: 'x' }]));
    at.worker.start();
    await until('some ran', () => runs >= 4);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBeLessThanOrEqual(6);
    gate.resolve();
    await until('all', () => at.answered(20));
    await at.worker.stop();
  });

  it('that are on their way are written before stop resolves', async () => {
    const at = workerHarness();
    at.handle('x', () => 1);
    const report = at.transport.report.bind(at.transport);
    const reporting = deferred();
    at.transport.report = async (reports) => {
      reporting.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      return report(reports);
    };
    await at.dispatch([1, { name: 'x' }]);
    at.worker.start();
    await reporting.promise;
    await at.worker.stop();
    expect(await at.answers()).toHaveLength(1);
  });
});
