import { NonRetryableStepError, RemoteStep, type StepContext, Worker } from 'nest-durable';

export interface Picture {
  url: string;
  width: number;
}

/** A provider of the worker process only. The API process imports the class to know its methods. */
@Worker({ concurrency: 4 })
export class ImageSteps {
  @RemoteStep('images.resize', { retry: { attempts: 5, backoff: { delay: '1s', factor: 2 } }, timeout: '1m' })
  async resize({ url, width }: Picture, step: StepContext): Promise<{ thumbnail: string; by: number }> {
    if (width <= 0) throw new NonRetryableStepError(`a picture cannot be ${width} wide`, 'BAD_WIDTH');
    step.log.info('resizing', { url, width });
    return { thumbnail: `${url}?width=${width}`, by: process.pid };
  }
}
