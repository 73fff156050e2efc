import type { EntityManager } from '@mikro-orm/mysql';

// Types the handle of ctx.transaction in the whole app.
declare module 'nest-durable' {
  interface OrmTransaction extends EntityManager {}
}
