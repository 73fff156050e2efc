import { Injectable } from '@nestjs/common';
import type { Destination } from '../outbox/model/destination.js';
import { ConsumerDestination } from '../outbox/inbox/consumer-destination.js';

/** The publishers and consumers of this process, known once the container has been explored. */
@Injectable()
export class DeclaredDestinations implements Iterable<Destination> {
  private destinations: readonly Destination[] = [];

  serve(destinations: readonly Destination[]): void {
    this.destinations = destinations;
  }

  get count(): number {
    return this.destinations.length;
  }

  /** Whether any of them stores the greatest number of each channel that it has received. */
  get keepPositions(): boolean {
    return this.count > 1 || this.destinations.some((destination) => destination instanceof ConsumerDestination);
  }

  [Symbol.iterator](): Iterator<Destination> {
    return this.destinations[Symbol.iterator]();
  }
}
