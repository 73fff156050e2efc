import { Workflow, type WorkflowContext } from 'nest-durable';
import { BalancesService } from './balances.service.js';

export interface Transfer {
  id: string;
  from: string;
  to: string;
  amount: number;
}

let tries = 0;

@Workflow('transfer')
export class TransferWorkflow {
  constructor(private readonly balances: BalancesService) {}

  async run(ctx: WorkflowContext, { from, to, amount }: Transfer): Promise<string> {
    // Both calls join the transaction of the step: the first attempt leaves nothing behind.
    await ctx.transaction(
      'transfer',
      async () => {
        await this.balances.add(from, -amount);
        if (++tries === 1) throw new Error('the connection to somewhere broke');
        await this.balances.add(to, amount);
      },
      { retry: { attempts: 3, backoff: '100ms' } },
    );
    return `transferred ${amount} with attempt ${tries}`;
  }
}
