import { DeclaredRemoteSteps } from '../../../lib/nest/explorers.js';
import { RemoteStep, UnknownStepError, Worker } from '../../../lib/index.js';

@Worker({ partition: 'eu', retry: 7 })
class Steps {
  @RemoteStep('mail:send', { retry: 2 })
  send(): void {}

  @RemoteStep('mail:read')
  read(): void {}
}

@Worker({ group: 'gpu', partition: 'default' })
class Gpu {
  @RemoteStep('gpu.train')
  train(): void {}
}

const NOTHING = { workers: {}, steps: {} };

describe('what is known of remote steps', () => {
  it('comes from a class that nobody provides', () => {
    const steps = new DeclaredRemoteSteps(NOTHING).ofClass(Steps);
    expect(steps.get('send')).toMatchObject({ name: 'mail:send', group: 'mail-send@eu', retry: 2 });
    expect(steps.get('read')).toMatchObject({ name: 'mail:read', group: 'mail-read@eu', retry: 7 });
    expect(new DeclaredRemoteSteps(NOTHING).ofClass(Gpu).get('train')).toMatchObject({ group: 'gpu' });
    expect('retry' in new DeclaredRemoteSteps(NOTHING).ofClass(Gpu).get('train')!).toBe(false);
  });

  it('gives way to the configuration', () => {
    const overrides = {
      workers: { Steps: { group: 'mail', retry: 4 } },
      steps: { 'mail:send': { retry: 9, timeout: 5 } },
    };
    const steps = new DeclaredRemoteSteps(overrides).ofClass(Steps);
    expect(steps.get('send')).toMatchObject({ group: 'mail@eu', retry: 9, options: { timeout: 5 } });
    expect(steps.get('read')).toMatchObject({ group: 'mail@eu', retry: 4, worker: { partition: 'eu' } });
  });

  it('stays where the configuration has a name for something and no value', () => {
    const undefinedOnes = { retry: undefined, timeout: undefined, partition: undefined } as never;
    const overrides = { workers: { Steps: undefinedOnes }, steps: { 'mail:send': undefinedOnes } };
    expect(new DeclaredRemoteSteps(overrides).ofClass(Steps).get('send')).toMatchObject({
      group: 'mail-send@eu',
      retry: 2,
    });
  });

  it('is by name what was registered', () => {
    const steps = new DeclaredRemoteSteps(NOTHING);
    expect(steps.ofName('gpu.train')).toBeUndefined();
    steps.register(steps.ofClass(Gpu).get('train')!, Gpu);
    expect(steps.ofName('gpu.train')).toMatchObject({ group: 'gpu' });
  });

  it('is of the class that serves it here, whichever class is asked', () => {
    class Contract {
      @RemoteStep('shared.render', { retry: 2 })
      render(): void {}

      @RemoteStep('shared.other')
      other(): void {}
    }
    @Worker({ group: 'heavy', retry: 5, keepInputs: true })
    class Served {
      @RemoteStep('shared.render')
      draw(): void {}
    }
    const steps = new DeclaredRemoteSteps(NOTHING);
    expect(steps.ofClass(Contract).get('render')).toMatchObject({ group: 'shared.render', retry: 2 });
    for (const step of steps.ofClass(Served).values()) steps.register(step, Served);
    const known = steps.ofClass(Contract);
    expect(known.get('render')).toMatchObject({ method: 'render', group: 'heavy', retry: 5, keepInputs: true });
    expect(known.get('other')).toMatchObject({ group: 'shared.other' });
  });

  it('is of the class that is asked where that names a group of its own', () => {
    @Worker({ partition: 'eu', retry: 5 })
    class Eu {
      @RemoteStep('charge')
      charge(): void {}
    }
    @Worker({ partition: 'us', retry: 1 })
    class Us {
      @RemoteStep('charge')
      charge(): void {}
    }
    @Worker({ partition: 'test' })
    class Extended extends Us {}
    const steps = new DeclaredRemoteSteps(NOTHING);
    steps.register(steps.ofClass(Eu).get('charge')!, Eu);
    expect(steps.ofClass(Us).get('charge')).toMatchObject({ group: 'charge@us', retry: 1 });
    steps.register(steps.ofClass(Extended).get('charge')!, Extended);
    expect(steps.ofClass(Us).get('charge')).toMatchObject({ group: 'charge@test' });
  });

  it('is nothing of other classes', () => {
    class Other {
      send(): void {}
    }
    const steps = new DeclaredRemoteSteps(NOTHING);
    expect(() => steps.ofClass(Other)).toThrow(UnknownStepError);
    expect(() => steps.ofClass(Other)).toThrow(/"Other".*@RemoteStep/);
  });
});
