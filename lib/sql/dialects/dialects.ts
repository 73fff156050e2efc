import type { Dialect } from './dialect.js';
import { mariadb, mysql } from './mysql.dialect.js';
import { postgres } from './postgres.dialect.js';

export const DIALECTS: Readonly<Record<Dialect['name'], Dialect>> = { postgres, mysql, mariadb };
