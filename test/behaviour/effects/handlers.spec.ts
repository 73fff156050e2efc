import { randomUUID } from 'node:crypto';
import { alreadyAbsent, type EffectContext, NonRetryableEffectError } from '../../../lib/index.js';
import { effectHandlerConformance, type EffectHandlerFixture } from '../../../lib/conformance/index.js';
import { type ServiceStandIn, serviceStandIn } from '../../support/service-stand-in.js';

type Handler = (service: ServiceStandIn) => EffectHandlerFixture['call'];

const check = ({ ok, status }: Response): void => {
  if (ok) return;
  if (status < 500 && status !== 429) throw new NonRetryableEffectError(`${status}`);
  throw new Error(`${status}`);
};

/** Ends an account: what is gone stays gone, so no key is needed. */
const deletion: Handler =
  ({ url }) =>
  async (ref, { signal }) => {
    const response = await fetch(`${url}/accounts/${String(ref)}`, { method: 'DELETE', signal });
    return response.status === 404 ? alreadyAbsent() : check(response);
  };

const mail: Handler =
  ({ url }) =>
  async (ref, { idempotencyKey, signal }) => {
    const headers = { 'idempotency-key': idempotencyKey };
    check(await fetch(`${url}/mails/${String(ref)}`, { method: 'POST', headers, signal }));
  };

const fixtureOf = (service: ServiceStandIn, handler: Handler): EffectHandlerFixture => ({
  call: handler(service),
  prepare: async () => {
    const ref = randomUUID();
    service.accounts.add(ref);
    return { ref };
  },
  effects: async (ref) => service.done.filter((id) => id === ref).length,
  fault: async (kind) => service.fault(kind),
  asked: () => service.asked(),
  ...(handler === mail ? {} : { forestall: async (ref) => void service.accounts.delete(String(ref)) }),
});

describe('handlers of effects', () => {
  let service: ServiceStandIn;
  beforeEach(async () => {
    service = await serviceStandIn();
  });
  afterEach(() => service.close());

  it.each(effectHandlerConformance)('that delete: $name', async ({ run }) => run(fixtureOf(service, deletion)));
  it.each(effectHandlerConformance)('that send: $name', async ({ run }) => run(fixtureOf(service, mail)));

  const anotherKey: Handler = (at) => (ref, context) => mail(at)(ref, { ...context, idempotencyKey: randomUUID() });
  const goneIsWrong: Handler =
    ({ url }) =>
    async (ref, { signal }) =>
      check(await fetch(`${url}/accounts/${String(ref)}`, { method: 'DELETE', signal }));
  const deaf: Handler = (at) => (ref, context) =>
    deletion(at)(ref, { ...context, signal: new AbortController().signal } satisfies EffectContext);
  const desperate: Handler = (at) => async (ref, context) => {
    try {
      return await deletion(at)(ref, context);
    } catch {
      throw new NonRetryableEffectError('whatever it was');
    }
  };
  const hopeful: Handler = (at) => async (ref, context) => {
    try {
      return await deletion(at)(ref, context);
    } catch {
      throw new Error('whatever it was');
    }
  };

  it.each<[string, Handler, string]>([
    ['takes effect once, however often', anotherKey, '2'],
    ['succeeds if there is nothing left', goneIsWrong, '404'],
    ['ends as soon as its signal aborts', deaf, 'does not end'],
    ['does not start if its signal', deaf, 'it cannot have'],
    ['fails with a retryable error', desperate, 'must be retryable'],
    ['fails with a final error', hopeful, 'must be a NonRetryableEffectError'],
  ])('are found out that do not: %s', async (name, handler, reason) => {
    const broken = effectHandlerConformance.find((one) => one.name.startsWith(name));
    const fixture = fixtureOf(service, handler);
    await expect(broken?.run(fixture)).rejects.toThrow(reason);
  });
});
