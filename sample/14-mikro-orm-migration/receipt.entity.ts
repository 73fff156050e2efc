import { EntitySchema } from '@mikro-orm/core';

export class Receipt {
  constructor(
    readonly id: string,
    readonly amount: number,
  ) {}
}

export const ReceiptSchema = new EntitySchema<Receipt>({
  class: Receipt,
  tableName: 'receipts',
  properties: {
    id: { type: 'string', primary: true, length: 191 },
    amount: { type: 'integer' },
  },
});
