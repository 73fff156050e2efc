import { Injectable } from '@nestjs/common';
import { StepAlreadySettledError, type StartOptions, WorkflowClient, WorkflowSchedules } from 'nest-durable';
import { orm } from './orm.js';

/** What the suite has a program do. Asked again with the same ids, each changes nothing. */
export type Command =
  | { do: 'start'; workflow: string; input: unknown; options: StartOptions & { id: string } }
  | { do: 'place'; workflow: string; input: unknown; id: string; order: string; rollBack: boolean }
  | { do: 'signal'; name: string; payload: unknown; to: { key?: string; workflowId?: string }; id: string }
  | { do: 'cancel' | 'terminate'; run: string }
  | { do: 'pause'; schedule: string }
  | { do: 'answer'; step: string; output: unknown }
  | { do: 'hold'; ms: number }
  | { do: 'leak' };

class RolledBack extends Error {}

@Injectable()
export class Commands {
  constructor(
    private readonly client: WorkflowClient,
    private readonly schedules: WorkflowSchedules,
  ) {}

  async obey(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'start':
        return (await this.client.start(command.workflow, command.input, command.options)).id;
      case 'place':
        return this.place(command);
      case 'signal':
        return this.client.signal(command.name, command.payload, { ...command.to, id: command.id });
      case 'cancel':
        return this.client.cancel(command.run);
      case 'terminate':
        return this.client.terminate(command.run);
      case 'pause':
        return this.schedules.pause(command.schedule);
      case 'answer':
        return this.answer(command);
      case 'hold':
        return orm().holdAll(command.ms);
      case 'leak':
        return orm().leakTransaction();
    }
  }

  /** When the reply to the first try was lost, the step is settled by then. */
  private async answer({ step, output }: Command & { do: 'answer' }): Promise<void> {
    await this.client.completeStep(step, output).catch((error: unknown) => {
      if (!(error instanceof StepAlreadySettledError)) throw error;
    });
  }

  /** An order and its run in one transaction of the app's, which may be rolled back. */
  private async place({ workflow, input, id, order, rollBack }: Command & { do: 'place' }): Promise<string> {
    const placed = orm().transaction(async (tx) => {
      const known = await orm().write(tx, 'SELECT id FROM chaos_orders WHERE id = ?', [order]);
      if (known.length > 0) return 'known';
      await orm().write(tx, 'INSERT INTO chaos_orders (id) VALUES (?)', [order]);
      await this.client.start(workflow, input, { id, transaction: tx });
      if (rollBack) throw new RolledBack();
      return 'placed';
    });
    return placed.catch((error: unknown) => {
      if (error instanceof RolledBack) return 'rolled back';
      throw error;
    });
  }
}
