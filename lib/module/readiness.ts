import { DatabaseError } from '../errors/database-errors.js';
import { within } from '../time/sleep.js';
import type { RuntimeState, Vitals } from './process-runtime.js';
import type { Storage } from './storage.providers.js';

/** Whether this process can do its work now. */
export interface Readiness {
  ok: boolean;
  /** Why not, for people; empty if it is ok. Contains nothing of your data, and no address. */
  problems: string[];
  state: RuntimeState;
  /** Whether the database has answered; null if it was not asked. */
  database: boolean | null;
  /** Whether the tables have all migrations of this version; null if that is unknown. */
  schema: boolean | null;
  /** Whether other processes see this one as alive; null if that is unknown, or if it has no role to sign in with. */
  signedIn: boolean | null;
}

export interface ReadinessParts {
  storage: { pending: Storage['pending']; engine: { roster: Pick<Storage['engine']['roster'], 'lives'> } };
  vitals: () => Vitals;
}

type Seen = Pick<Readiness, 'schema' | 'signedIn'> & { pending: readonly string[] };

/** Looks that were not answered in time may still wait for a connection: no more are added to these. */
const MOST_UNANSWERED = 3;

/** One look at the database, shared by all who ask at the same time; each waits for it as long as it has said. */
export class ReadinessCheck {
  /** Until it is answered, or whoever began it waits no longer. */
  private look: Promise<Seen> | undefined;
  private unanswered = 0;

  constructor(private readonly parts: ReadinessParts) {}

  async ask(timeoutMs: number): Promise<Readiness> {
    const { state } = this.parts.vitals();
    if (state !== 'running') return notReady(state, `the runtime is ${STATES[state]}`, null);
    const shared = this.look;
    if (!shared && this.unanswered >= MOST_UNANSWERED)
      return notReady(state, `the database has not answered the last ${MOST_UNANSWERED} looks`, false);
    const look = shared ?? this.begin();
    const late = new DatabaseError(`no answer within ${timeoutMs / 1_000} s`, true);
    try {
      return this.judged(state, await within(timeoutMs, look, () => late));
    } catch (error) {
      const reason = error === late ? late.message : nameOf(error);
      return notReady(state, `the database does not answer (${reason})`, false);
    } finally {
      if (!shared) this.end(look);
    }
  }

  private begin(): Promise<Seen> {
    const look = this.counted();
    const end = () => this.end(look);
    look.then(end, end);
    this.look = look;
    return look;
  }

  private end(look: Promise<Seen>): void {
    if (this.look === look) this.look = undefined;
  }

  private judged(state: RuntimeState, { pending, ...seen }: Seen): Readiness {
    const problems = [
      ...(pending.length > 0 ? [`the tables lack ${pending.join(', ')}`] : []),
      ...(seen.signedIn === false ? ['this process is not signed in: its heartbeat is late'] : []),
    ];
    return { ok: problems.length === 0, problems, state, database: true, ...seen };
  }

  private async counted(): Promise<Seen> {
    this.unanswered++;
    try {
      return await this.seen();
    } finally {
      this.unanswered--;
    }
  }

  private async seen(): Promise<Seen> {
    const { storage, vitals } = this.parts;
    const { node } = vitals();
    const pending = await storage.pending();
    const hasRole = node !== undefined && node.roles !== '';
    const signedIn = hasRole && pending.length === 0 ? await storage.engine.roster.lives(node.id) : null;
    return { pending, schema: pending.length === 0, signedIn };
  }
}

const STATES: Record<Exclude<RuntimeState, 'running'>, string> = {
  'not started': 'not started',
  starting: 'still starting',
  stopped: 'stopped',
};

/** The messages of drivers name hosts and users: whoever may ask for the health of an app may not see them. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');

const notReady = (state: RuntimeState, problem: string, database: boolean | null): Readiness => ({
  ok: false,
  problems: [problem],
  state,
  database,
  schema: null,
  signedIn: null,
});
