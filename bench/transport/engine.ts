import { Batcher, PollLoop } from '../../lib/core/loops.js';
import type { StepAnswer, StepTask } from '../../lib/core/protocol.js';
import { AnswerCollector } from '../../lib/engine/play/answers.js';
import type { ResidentRuns } from '../../lib/engine/play/residency.js';
import type { RunStore } from '../../lib/engine/runs.js';
import { SqlTaskDispatcher } from '../../lib/worker/transport.sql.js';
import { GROUP } from '../floor/statements.js';
import { type Load, nextRound, sequence, throughput } from '../lives.js';
import { serve } from '../serve.js';
import type { Address } from '../server.js';
import { listening, openStorage, type Storage } from './storage.js';

const POLL_MS = 1_000;
const FASTEST_POLL_MS = 20;

const ignore = (): void => undefined;

/** The engine's half of the transport and its collector, with nothing to play. */
class TransportEngine {
  private readonly waiting = new Map<string, () => void>();
  private readonly dispatches: Batcher<StepTask, void>;
  private readonly takes: Batcher<string, void>;
  private readonly loop: PollLoop;

  constructor(private readonly storage: Storage) {
    const { executor, tables, notifier } = storage;
    const dispatcher = new SqlTaskDispatcher(executor, tables, notifier);
    const each = async (items: readonly unknown[], written: Promise<void>): Promise<void[]> => {
      await written;
      return items.map(() => undefined);
    };
    this.dispatches = new Batcher((tasks) => each(tasks, dispatcher.dispatch(tasks)));
    this.takes = new Batcher((stepIds) => each(stepIds, dispatcher.take(stepIds)));
    const residents = { get: () => ({ answer: (answer: StepAnswer) => this.answered(answer) }) };
    const collector = new AnswerCollector(dispatcher, {} as RunStore, residents as unknown as ResidentRuns, {
      namespace: '',
      onWoken: () => undefined,
    });
    this.loop = new PollLoop(() => collector.tick(), {
      minMs: () => (notifier.live ? POLL_MS : FASTEST_POLL_MS),
      maxMs: POLL_MS,
      onError: console.error,
    });
    dispatcher.onAnswers((answers) => void collector.arrived(answers).then((more) => more && this.loop.wake()));
    this.loop.start();
  }

  /** Until its answer is there and taken; or only until it is there. */
  live(runId: string, seq: number, { taken }: { taken: boolean }): Promise<void> {
    return new Promise((resolve, reject) => {
      const stepId = `${runId}:${seq}`;
      this.waiting.set(stepId, () => {
        this.takes.put(stepId, taken ? resolve : ignore, reject);
        if (!taken) resolve();
      });
      const input = JSON.stringify({ n: seq });
      this.dispatches.put({ stepId, runId, seq, name: GROUP, group: GROUP, input, attempt: 1 }, ignore, reject);
    });
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.takes.idle();
    await this.storage.close();
  }

  private answered({ stepId }: StepAnswer): boolean {
    this.waiting.get(stepId)?.();
    this.waiting.delete(stepId);
    return true;
  }
}

let engine: TransportEngine;

serve({
  open: async ({ address }: { address: Address }) => {
    const storage = await openStorage(address);
    engine = new TransportEngine(storage);
    await listening(storage);
  },
  throughput: (load: Load) => {
    const round = nextRound();
    return throughput((i) => engine.live(round, i, { taken: true }), load);
  },
  sequence: ({ steps }: { steps: number }) => {
    const round = nextRound();
    return sequence((i) => engine.live(round, i, { taken: false }), steps);
  },
  stop: () => engine.stop(),
});
