import type { EntityManager } from 'typeorm';

declare module 'nest-durable' {
  interface OrmTransaction extends EntityManager {}
}
