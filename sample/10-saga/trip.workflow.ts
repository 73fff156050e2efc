import { Injectable } from '@nestjs/common';
import {
  NonRetryableStepError,
  RemoteStep,
  Workflow,
  type WorkflowContext,
  type WorkflowRunner,
  Worker,
} from 'nest-durable';

export interface Trip {
  traveller: string;
  hotelIsFull: boolean;
}

/** Stands for three services that know nothing of each other. */
@Injectable()
export class Agencies {
  readonly books: string[] = [];

  write(line: string): string {
    this.books.push(line);
    return line;
  }
}

@Worker()
export class BookingSteps {
  constructor(private readonly agencies: Agencies) {}

  @RemoteStep('car.rent')
  async rentCar(traveller: string): Promise<string> {
    return this.agencies.write(`car for ${traveller}`);
  }

  /** Given what `car.rent` answered. */
  @RemoteStep('car.return')
  async returnCar(car: string): Promise<string> {
    return this.agencies.write(`${car} given back`);
  }
}

@Workflow('trip')
export class TripWorkflow implements WorkflowRunner<Trip, string> {
  constructor(private readonly agencies: Agencies) {}

  async run(ctx: WorkflowContext, { traveller, hotelIsFull }: Trip): Promise<string> {
    await ctx.step('flight', () => this.agencies.write(`flight for ${traveller}`), {
      compensate: (flight) => this.agencies.write(`${flight} cancelled`),
    });
    await ctx.remote(BookingSteps, { compensate: 'car.return' }).rentCar(traveller);
    await ctx.step('hotel', () => {
      if (hotelIsFull) throw new NonRetryableStepError('the hotel is full', 'HOTEL_FULL');
      return this.agencies.write(`room for ${traveller}`);
    });
    // From here on nothing is undone any more.
    ctx.commit('booked');
    return ctx.step('tickets', () => `tickets for ${traveller}`);
  }
}
