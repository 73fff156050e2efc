import { MikroORM } from '@mikro-orm/mysql';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  // At every start, as people do in the first weeks.
  await app.get(MikroORM).schema.update();
  await app.listen(process.env.PORT ?? 3000);
}
await bootstrap();
