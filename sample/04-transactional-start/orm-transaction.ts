import type { EntityManager } from 'typeorm';

// Types the handle of ctx.transaction in the whole app.
declare module 'nest-durable' {
  interface OrmTransaction extends EntityManager {}
}
