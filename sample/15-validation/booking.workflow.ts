import { RemoteStep, Worker, Workflow, type WorkflowContext, WorkflowSignal } from 'nest-durable';
import { z } from 'zod';

export const Booking = z.object({
  guest: z.string().trim().min(1),
  nights: z.number().int().positive(),
  breakfast: z.boolean().default(true),
});
export type Booking = z.output<typeof Booking>;

/** Sent as text, received as a number. */
export const paid = new WorkflowSignal('paid', { payload: z.object({ euros: z.string().transform(Number) }) });

@Worker()
export class HotelSteps {
  // Another program could answer this step, or call it: the worker checks what comes in and what goes out.
  @RemoteStep('hotel.reserve', { input: Booking, output: z.object({ room: z.number().int() }) })
  reserve({ nights }: Booking): { room: number } {
    return { room: 100 + nights };
  }
}

@Workflow('booking', { input: Booking })
export class BookingWorkflow {
  async run(ctx: WorkflowContext, booking: Booking): Promise<string> {
    const { room } = await ctx.remote(HotelSteps).reserve(booking);
    const { euros } = await ctx.waitForSignal('payment', paid);
    return `${booking.guest}: room ${room}, ${booking.breakfast ? 'with' : 'without'} breakfast, ${euros + 5} euros with tax`;
  }
}
