import { EntitySchema } from '@mikro-orm/core';

export class OrderRow {
  status = 'new';

  constructor(
    readonly id: string,
    readonly lines: string[],
  ) {}
}

export const OrderSchema = new EntitySchema<OrderRow>({
  class: OrderRow,
  tableName: 'orders',
  properties: {
    id: { type: 'string', primary: true },
    lines: { type: 'json' },
    status: { type: 'string' },
  },
});
