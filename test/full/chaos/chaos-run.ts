import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosArguments, DatabaseName } from './chaos-arguments.js';
import { ChaosServer } from './chaos-server.js';
import { checkBodies } from './check/check-bodies.js';
import { checkEvents } from './check/check-events.js';
import { leftovers } from './check/check-leftovers.js';
import { checkOverlaps } from './check/check-overlaps.js';
import { checkProcesses } from './check/check-processes.js';
import { checkRuns } from './check/check-runs.js';
import { type Evidence, evidenceOf } from './check/evidence.js';
import type { Violation } from './check/violation.js';
import { monotonicMs } from './clock.js';
import { faultsNamed } from './faults/all-faults.js';
import { Fleet } from './fleet.js';
import { CHANNELS } from './kinds/published.js';
import { SCHEDULE } from './kinds/scheduled.js';
import { Load } from './load.js';
import { Random } from './random.js';
import { type Strike, Strikes } from './strikes.js';

/** How one database came out of it. */
export interface ChaosOutcome {
  db: DatabaseName;
  version: string;
  /** Ledgers and what the processes printed. */
  folder: string;
  strikes: Strike[];
  lacking: ReadonlyMap<string, string>;
  violations: Violation[];
  /** When the last body of a run began. */
  lastBody: ReadonlyMap<string, number>;
  /** Runs by kind. */
  counts: ReadonlyMap<string, number>;
}

/** All that was asked is answered within that, and then all has ended and been tidied up. */
const ANSWERED_MS = 60_000;
const ENDED_MS = 120_000;
/** The longest that a run may take while a fault stands. */
const MOST_MS = 30_000;
/** What is built up before the first fault. */
const WARM_UP_MS = 2_000;

/** One run of the suite on one database: load and faults side by side, then calm, then the checks. */
export class ChaosRun {
  private readonly folder: string;
  private readonly random: Random;
  private readonly violations: Violation[] = [];
  private readonly open: (() => Promise<void>)[] = [];

  constructor(
    private readonly db: DatabaseName,
    private readonly options: ChaosArguments,
  ) {
    this.folder = join(process.cwd(), '.cache/chaos', `seed-${options.seed}`, db);
    this.random = new Random(`${options.seed}`);
  }

  async play(): Promise<ChaosOutcome> {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    try {
      const server = await ChaosServer.start(this.db, CHANNELS);
      this.open.push(() => server.stop());
      this.say(`${server.address.version} on port ${server.address.port}`);
      const fleet = new Fleet(server, this.folder, this.random, this.options.orm);
      this.open.push(() => fleet.kill());
      await fleet.start();
      return await this.played(server, fleet);
    } finally {
      await this.close();
    }
  }

  /** Ends the processes and the server, however far it came. */
  async close(): Promise<void> {
    // What came last depends on what came before.
    for (let end = this.open.pop(); end !== undefined; end = this.open.pop()) await end();
  }

  private async played(server: ChaosServer, fleet: Fleet): Promise<ChaosOutcome> {
    const { minutes, only, rate } = this.options;
    const load = new Load(fleet, this.random.branch('load'));
    const say = (text: string) => this.say(text);
    const random = this.random.branch('faults');
    const strikes = new Strikes({ server, fleet, load, random, faults: faultsNamed(only), say });
    const loading = load.run(rate);
    await pause(WARM_UP_MS);
    await strikes.run(monotonicMs() + minutes * 60_000);
    fleet.calm();
    load.stop();
    await loading;
    await this.drain(server, fleet, load);
    const evidence = await evidenceOf(server, this.folder, load.asked);
    for (const text of await fleet.stop()) this.violations.push({ text });
    this.check(evidence, strikes.made, fleet.deaths);
    return {
      db: this.db,
      version: server.address.version,
      folder: this.folder,
      violations: this.violations,
      strikes: strikes.made,
      lacking: strikes.lacking,
      lastBody: new Map(evidence.begun.map(({ run, at }) => [run, at])),
      counts: new Map([...evidence.stories].map(([kind, stories]) => [kind.name, stories.length])),
    };
  }

  /** Waits until everything has ended and nothing is left; what is left in the end is told. */
  private async drain(server: ChaosServer, fleet: Fleet, load: Load): Promise<void> {
    this.say(`${load.asked.length} runs were asked for; waiting until they have ended`);
    const command = { do: 'pause', schedule: SCHEDULE } as const;
    for (const name of await fleet.absent(ANSWERED_MS)) this.violations.push({ text: `${name} did not come back` });
    const until = monotonicMs() + ANSWERED_MS;
    await fleet.tell(command, this.random.branch('pause'), () => monotonicMs() > until);
    if (!(await load.settled(ANSWERED_MS))) {
      const open = load.asked.filter(({ refused }) => refused !== undefined).map(({ id }) => id);
      this.violations.push({ text: `not all that was asked was answered: ${open.join(', ')}` });
    }
    const late = monotonicMs() + ENDED_MS;
    let left = await leftovers(server);
    while (left.length > 0 && monotonicMs() < late) {
      await pause(500);
      left = await leftovers(server);
    }
    for (const text of left) this.violations.push({ text: `left at the end: ${text}` });
  }

  private check(evidence: Evidence, strikes: readonly Strike[], deaths: readonly string[]): void {
    this.violations.push(
      ...checkRuns(evidence),
      ...checkBodies(evidence, strikes),
      ...checkOverlaps(evidence, strikes),
      ...checkEvents(evidence),
      ...checkProcesses(evidence, deaths),
      ...strikes.flatMap(({ fault, problem, recoveryMs, longestRunMs = 0, to: at }) => [
        ...(longestRunMs <= MOST_MS ? [] : [{ at, text: `a run took ${longestRunMs} ms while ${fault} stood` }]),
        ...(problem === undefined ? [] : [{ at, text: `the fault ${fault} could not be made: ${problem}` }]),
        ...(recoveryMs === undefined ? [{ at, text: `the app did not come back after ${fault}` }] : []),
      ]),
    );
  }

  private say(text: string): void {
    console.log(`${process.uptime().toFixed(1).padStart(7)} s  ${this.db.padEnd(8)}  ${text}`);
  }
}
