import { EntitySchema } from '@mikro-orm/core';

export class Signup {
  status = 'new';

  constructor(readonly email: string) {}
}

export const SignupSchema = new EntitySchema<Signup>({
  class: Signup,
  tableName: 'signups',
  properties: {
    email: { type: 'string', primary: true, length: 191 },
    status: { type: 'string', length: 32 },
  },
});
