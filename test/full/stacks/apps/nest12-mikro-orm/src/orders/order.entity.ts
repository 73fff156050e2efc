import { defineEntity, p } from '@mikro-orm/core';

const OrderSchema = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: p.string().primary(),
    amount: p.integer(),
    status: p.string().default('new'),
  },
});

export class Order extends OrderSchema.class {}
OrderSchema.setClass(Order);
