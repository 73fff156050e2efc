import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Transactional } from 'typeorm-transactional';
import { Account } from './account.entity.js';

@Injectable()
export class BalancesService {
  constructor(@InjectRepository(Account) private readonly accounts: Repository<Account>) {}

  @Transactional()
  async add(id: string, amount: number): Promise<void> {
    await this.accounts.increment({ id }, 'balance', amount);
  }
}
