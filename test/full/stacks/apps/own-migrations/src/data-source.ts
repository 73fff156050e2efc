import { DataSource, type DataSourceOptions } from 'typeorm';
import { CreateOrders1770000000000 } from './migrations/1770000000000-create-orders';
import { CreateDurableTables1770000000001 } from './migrations/1770000000001-create-durable-tables';
import { Order } from './orders/order.entity';

export const options: DataSourceOptions = {
  type: 'mariadb',
  url: process.env.DATABASE_URL,
  entities: [Order],
  migrations: [CreateOrders1770000000000, CreateDurableTables1770000000001],
};

/** For the command `typeorm`. */
export default new DataSource(options);
