import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { WorkflowClient } from 'nest-durable';
import type { Repository } from 'typeorm';
import { Transactional } from 'typeorm-transactional';
import { Account } from './account.entity.js';
import { type Transfer, TransferWorkflow } from './transfer.workflow.js';

@Injectable()
export class AccountsService {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly workflows: WorkflowClient,
  ) {}

  /** Opens both accounts and starts the transfer in one commit, or does nothing. */
  @Transactional()
  async open(transfer: Transfer): Promise<void> {
    await this.accounts.insert([
      { id: transfer.from, balance: 100 },
      { id: transfer.to, balance: 0 },
    ]);
    await this.workflows.start(TransferWorkflow, transfer, { id: transfer.id });
    if (transfer.amount <= 0) throw new Error('nothing to transfer: everything above is rolled back');
  }
}
