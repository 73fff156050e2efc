import { MikroORM } from '@mikro-orm/postgresql';
import { NestFactory } from '@nestjs/core';
import { ApiModule } from './api.module';

async function bootstrap() {
  const app = await NestFactory.create(ApiModule);
  app.enableShutdownHooks();
  await app.get(MikroORM).schema.updateSchema();
  await app.listen(process.env.PORT ?? 3000);
}
bootstrap();
