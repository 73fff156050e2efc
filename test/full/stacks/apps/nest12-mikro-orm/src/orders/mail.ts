import { Injectable } from '@nestjs/common';
import { Effect, type EffectContext } from 'nest-durable';

@Injectable()
export class Mail {
  @Effect('mail.confirm')
  async confirm(orderId: string, { idempotencyKey }: EffectContext): Promise<void> {
    console.log(`mail ${idempotencyKey} about order ${orderId}`);
  }
}
