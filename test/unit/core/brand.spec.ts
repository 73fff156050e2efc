import { join } from 'node:path';
import { minify } from '@swc/core';
import { rollup } from 'rollup';
import { brand, isA } from '../../../lib/core/brand.js';
import { UnreadablePayload } from '../../../lib/core/codec.js';
import * as errors from '../../../lib/core/errors.js';
import * as runErrors from '../../../lib/core/run-errors.js';
import { deferralOf } from '../../../lib/core/time.js';
import * as signals from '../../../lib/engine/signals.js';
import { signalName } from '../../../lib/engine/client/signals.js';
import { nextAttemptIn, retryPolicy } from '../../../lib/engine/workflow.js';
import { verdictOn } from '../../../lib/outbox/destinations.js';
import { postgres } from '../../../lib/sql/dialects.js';
import { render } from '../../../lib/sql/statement.js';
import * as statements from '../../../lib/sql/statement.js';
import { failed } from '../../../lib/worker/handlers.js';
import { COMPILED } from '../../support/root.mjs';
import { UNREADABLE } from '../../support/unreadable.js';

type Copy = typeof errors & typeof runErrors & typeof signals & typeof statements;

/** Our classes once more, in one file with short names, as an app is deployed that bundles and minifies. */
async function minifiedCopy(): Promise<Copy> {
  const files = ['core/errors', 'core/run-errors', 'engine/signals', 'sql/statement'];
  const source = files.map((file) => `export * from ${JSON.stringify(join(COMPILED, `lib/${file}.js`))};`).join('\n');
  const bundle = await rollup({
    input: 'copy',
    external: (id) => id.startsWith('node:'),
    onwarn: () => undefined,
    plugins: [
      { name: 'copy', resolveId: (id) => (id === 'copy' ? id : null), load: (id) => (id === 'copy' ? source : null) },
    ],
  });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  const { code } = await minify(output[0].code, { module: true, mangle: { toplevel: true }, compress: true });
  return (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as Copy;
}

const isClass = (value: unknown): value is { name: string; prototype: object } =>
  typeof value === 'function' && String(value).startsWith('class');

describe('a class of ours', () => {
  let copy: Copy;
  beforeAll(async () => {
    copy = await minifiedCopy();
  });

  it('has its mark and its name, whatever a bundler makes of it', () => {
    const all = { ...errors, ...runErrors, UnreadablePayload, WorkflowSignal: signals.WorkflowSignal };
    const ours = Object.entries(all).filter(([, value]) => isClass(value));
    expect(ours.length).toBeGreaterThan(70);
    for (const [name, value] of ours)
      expect([
        name,
        Object.hasOwn((value as { prototype: object }).prototype, Symbol.for(`nest-durable.${name}`)),
      ]).toEqual([name, true]);
    for (const [name, value] of Object.entries({ ...errors, ...runErrors }))
      if (isClass(value)) expect((copy as unknown as Record<string, { name: string }>)[name]!.name).toBe(name);
  });

  it('is told from others by instanceof, also where the value is of another copy', () => {
    class Own extends errors.ConfigurationError {}
    class Later extends copy.RetryAfterError {}
    expect(new copy.ConfigurationError('no')).toBeInstanceOf(errors.ConfigurationError);
    expect(new copy.AsyncSchemaError('x', 'y')).toBeInstanceOf(errors.DurableError);
    expect(new Later(1)).toBeInstanceOf(runErrors.RetryAfterError);
    expect(new copy.ConfigurationError('no')).not.toBeInstanceOf(errors.SchemaError);
    expect(new copy.ConfigurationError('no')).not.toBeInstanceOf(Own);
    expect(new Own('no')).toBeInstanceOf(Own);
    for (const make of Object.values(UNREADABLE)) expect(make() instanceof errors.DurableError).toBe(false);
  });

  it('keeps the name of a subclass of the app', () => {
    class Declined extends runErrors.NonRetryableStepError {}
    expect(new Declined('no').name).toBe('Declined');
    expect(isA(new Declined('no'), runErrors.NonRetryableStepError)).toBe(true);
  });

  it('is also recognized by its full name, and by nothing that only looks like it', () => {
    expect(isA({ name: 'RetryAfterError' }, runErrors.RetryAfterError)).toBe(true);
    expect(isA(Object.assign(new Error('no'), { name: 'Error' }), runErrors.RetryAfterError)).toBe(false);
    for (const make of Object.values(UNREADABLE)) expect(isA(make(), runErrors.RetryAfterError)).toBe(false);
    const Renamed = class a extends Error {};
    brand({ Known: Renamed });
    expect(Renamed.name).toBe('Known');
  });

  it('of another copy decides as ours does: for steps, workers, publishers and statements', () => {
    const policy = { onPoison: 'park', attempts: 5, backoff: {}, crashes: 3 } as const;
    expect(deferralOf(new copy.RetryAfterError('1s'))).toBe(1_000);
    expect(nextAttemptIn(retryPolicy({ retry: 5 }), 1, new copy.NonRetryableStepError('no'))).toBe('fail');
    expect(nextAttemptIn(retryPolicy({ retry: 5 }), 1, new copy.SerializationError('x', 'y'))).toBe('block');
    expect(failed(new copy.NonRetryableStepError('no')).wireError).toMatchObject({ retryable: false });
    expect(failed(new copy.RetryAfterError(7)).wireError).toMatchObject({ retryAfterMs: 7 });
    expect(verdictOn(new copy.RetryAfterError(7), 1, policy)).toEqual({ kind: 'again', counts: 0, delayMs: 7 });
    expect(verdictOn(new copy.NonRetryablePublishError('no'), 1, policy)).toEqual({ kind: 'park' });
    expect(signalName(new copy.WorkflowSignal('approved'))).toBe('approved');
    expect(new copy.WorkflowSignal('approved')).toBeInstanceOf(signals.WorkflowSignal);
    const part = copy.sql`a = ${1} AND ${copy.id('b')}`;
    expect(render(statements.sql`SELECT ${part}`, postgres).text).toBe('SELECT a = $1 AND "b"');
  });
});
