import { Intake, NOTHING_HELD } from '../../../lib/acts/holds.js';
import { ManualClock } from '../../../lib/core/time.js';
import { type Gate, gate } from '../../support/gate.js';
import type { PortCall } from '../../support/mortal-storage.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const clock = new ManualClock();
const LEASE_MS = 60_000;
const CAP = 3;

/** A process that stands still: nothing that it asks reaches the storage, until it thaws. */
interface Frozen {
  process: Process;
  intake: Intake;
  /** Inside of the work that all of them share. */
  inside: Gate;
  /** From then on it begins nothing new. */
  freeze(): void;
  /** All but these calls go on. */
  thaw(but?: (call: PortCall) => boolean): void;
  /** The runs of each time that it has told that it has not ended. */
  withdrawals: readonly unknown[];
}

/** What stands at the end of a test would never stop, and what hangs only after its grace. */
const endings: (() => void)[] = [];
const thawing = (test: () => Promise<void>) => (): Promise<void> =>
  test().finally(() => endings.splice(0).forEach((end) => end()));

function standing() {
  let thawed = gate();
  let stands: (call: PortCall) => boolean = () => false;
  /** What has come back takes nothing any more: it would stand still in it again. */
  const intake = new Intake(NOTHING_HELD);
  const withdrawals: unknown[] = [];
  const before = async (call: PortCall) => {
    while (stands(call)) await thawed.opened;
  };
  const after = (call: PortCall, args: readonly unknown[]) => {
    if (call === 'roster.withdraw') withdrawals.push(args[1]);
  };
  const thaw = (but: (call: PortCall) => boolean = () => false) => {
    stands = but;
    thawed.open();
    thawed = gate();
  };
  endings.push(thaw);
  return {
    hooks: { before, after },
    withdrawals,
    intake,
    freeze: () => {
      stands = () => true;
      intake.drain(true);
    },
    thaw,
  };
}

const hasTold = ({ withdrawals }: Frozen) => until('it has told', () => withdrawals.length > 0);

describeHouses(
  'processes that stand still inside of a run',
  (house) => {
    /** Begins a process that comes to the step `hold` and stays there. */
    const boot = async (step: (inside: Gate) => Promise<unknown>): Promise<Frozen> => {
      const { hooks, ...rest } = standing();
      const inside = gate();
      const process = await house().boot({
        crashCap: CAP,
        nodeLeaseMs: LEASE_MS,
        hooks,
        held: rest.intake,
        workflows: { order: (ctx) => ctx.step('hold', () => step(inside)) },
      });
      endings.push(() => process.kill());
      return { process, inside, ...rest };
    };
    const hangs = (inside: Gate) => {
      inside.open();
      return new Promise(() => {});
    };
    const takeOver = async (dead: Frozen) => {
      dead.freeze();
      await house().bury(dead.process);
    };
    const start = async (): Promise<string> => {
      const observer = await house().boot({ engine: false });
      return (await observer.client.start('order')).id;
    };
    const last = () => boot(async () => 'done');

    it(
      'do not fail it, however many there are, when each comes back before the next one stands still',
      thawing(async () => {
        const id = await start();
        let frozen: Frozen | undefined;
        for (let n = 0; n < CAP + 2; n++) {
          const next = await boot(hangs);
          await next.inside.opened;
          frozen?.thaw();
          if (frozen) await hasTold(frozen);
          await takeOver(next);
          frozen = next;
        }
        const { process } = await last();
        expect(await process.client.result(id)).toBe('done');
      }),
    );

    it(
      'do not fail it when they are back only as it is claimed for the last time, and have not said so yet',
      thawing(async () => {
        const id = await start();
        const frozen: Frozen[] = [];
        for (let n = 0; n < CAP; n++) {
          frozen.push(await boot(hangs));
          await frozen.at(-1)!.inside.opened;
          await takeOver(frozen.at(-1)!);
        }
        for (const { process, thaw } of frozen) {
          thaw((call) => call === 'roster.withdraw');
          await process.engine.heartbeat.beat();
        }
        const { process } = await last();
        expect(await process.client.result(id)).toBe('done');
      }),
    );

    it(
      'count as ended while they stand, and with those that have really ended they fail it',
      thawing(async () => {
        const id = await start();
        const inside: Frozen[] = [];
        for (let n = 0; n < CAP; n++) {
          const next = await boot(hangs);
          inside.push(next);
          await next.inside.opened;
          if (n > 0) next.process.kill();
          await takeOver(next);
        }
        const { process } = await last();
        await expect(process.client.result(id)).rejects.toMatchObject({ code: 'crash_loop' });
      }),
    );

    it(
      'tell it once, of all the runs that they have lost',
      thawing(async () => {
        const observer = await house().boot({ engine: false });
        const ids = Array.from({ length: 20 }, (_, n) => `r${n}`);
        for (const id of ids) await observer.client.start('order', null, { id });
        let entered = 0;
        const frozen = await boot(() => (entered++, new Promise(() => {})));
        await until('it has them all', () => entered === ids.length);
        await takeOver(frozen);
        frozen.thaw();
        await hasTold(frozen);
        expect(frozen.withdrawals).toEqual([expect.arrayContaining(ids)]);
        await last();
        for (const id of ids) expect(await observer.client.result(id)).toBe('done');
        expect(frozen.withdrawals).toHaveLength(1);
      }),
    );

    it(
      'and one of which comes back twice in the same run is counted once',
      thawing(async () => {
        const id = await start();
        const first = await boot(hangs);
        await first.inside.opened;
        for (let n = 0; n < CAP + 2; n++) {
          first.freeze();
          // Its withdrawal fails: the run counts it until it has succeeded.
          await house().bury(first.process);
          first.thaw((call) => call === 'roster.withdraw');
          await first.process.engine.heartbeat.beat();
          first.intake.drain(false);
          await until('it has it again', async () => {
            const { storage, nodeId } = first.process;
            return (await storage.store.owned(nodeId)).some(({ runId }) => runId === id);
          });
        }
        first.process.kill();
        await house().bury(first.process);
        const { process } = await last();
        expect(await process.client.result(id)).toBe('done');
      }),
    );
  },
  { clock },
);

describeHouses(
  'workers that stand still inside of a remote step',
  (house) => {
    const MOST = 3;
    const serve = async () => {
      const { hooks, ...rest } = standing();
      const inside = gate();
      const process = await house().boot({ engine: false, role: 'engine', hooks });
      endings.push(() => process.kill());
      const beat = () =>
        process.storage.roster
          .beat({ id: process.nodeId, namespace: '', roles: 'worker' }, LEASE_MS)
          .then(() => undefined);
      await beat();
      const hangs = () => {
        inside.open();
        return new Promise(() => {});
      };
      process.serve({ charge: hangs }, { workerId: process.nodeId, maxClaims: MOST, held: rest.intake });
      await inside.opened;
      return { process, beat, ...rest };
    };
    const start = async () => {
      const app = await house().boot({ nodeLeaseMs: LEASE_MS, workflows: { order: (ctx) => ctx.remote('charge') } });
      const { id } = await app.client.start('order');
      return { app, id };
    };

    it(
      'do not fail it, however many there are, once they are back',
      thawing(async () => {
        const { app, id } = await start();
        let frozen: Awaited<ReturnType<typeof serve>> | undefined;
        for (let n = 0; n < MOST + 2; n++) {
          const next = await serve();
          clock.advance(1);
          frozen?.thaw();
          await frozen?.beat();
          next.freeze();
          await house().bury(next.process);
          frozen = next;
        }
        app.serve({ charge: (_, { attempt }) => attempt }, { maxClaims: MOST });
        expect(await app.client.result(id)).toBe(MOST + 3);
      }),
    );

    it(
      'fail it when they have really ended',
      thawing(async () => {
        const { app, id } = await start();
        for (let n = 0; n < MOST; n++) {
          const { process } = await serve();
          process.kill();
          await house().bury(process);
        }
        app.serve({ charge: () => 'never' }, { maxClaims: MOST });
        await expect(app.client.result(id)).rejects.toMatchObject({ code: 'crash_loop' });
      }),
    );
  },
  { clock },
);
