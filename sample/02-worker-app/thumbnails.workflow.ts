import { Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';
import { ImageSteps } from './image.steps.js';

export interface Thumbnails {
  thumbnails: string[];
  /** The processes that did the work. */
  by: number[];
}

@Workflow('thumbnails')
export class ThumbnailsWorkflow implements WorkflowRunner<{ url: string; widths: number[] }, Thumbnails> {
  async run(ctx: WorkflowContext, { url, widths }: { url: string; widths: number[] }): Promise<Thumbnails> {
    const images = ctx.remote(ImageSteps);
    // All at once, on as many worker processes as there are.
    const resized = await Promise.all(widths.map((width) => images.resize({ url, width })));
    return {
      thumbnails: resized.map(({ thumbnail }) => thumbnail),
      by: [...new Set(resized.map(({ by }) => by))],
    };
  }
}
