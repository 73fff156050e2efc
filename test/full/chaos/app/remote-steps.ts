import { RemoteStep, type StepContext, Worker } from 'nest-durable';
import { PATIENT } from '../kinds/kind.js';
import { body, type Saw } from './body.js';

export interface Asked {
  label: string;
  saw: Saw;
  fails?: number;
}

@Worker({ concurrency: 20 })
export class ChaosSteps {
  @RemoteStep('chaos.work', { retry: PATIENT })
  work({ label, saw, fails = 0 }: Asked, step: StepContext): Promise<string> {
    return body(step, label, saw, { fails });
  }

  @RemoteStep('chaos.undo', { retry: PATIENT })
  undo(exec: string, step: StepContext): Promise<string> {
    return body(step, `undo ${exec}`, {});
  }

  @RemoteStep('chaos.echo', { retry: PATIENT })
  echo(value: unknown): unknown {
    return value;
  }
}
