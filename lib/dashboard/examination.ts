import { Inject, Injectable } from '@nestjs/common';
import type { DoctorReport } from '../doctor/doctor-report.js';
import { DurableDoctor } from '../doctor/durable-doctor.js';

/** Examines the database for those who ask: whoever asks while it is examined gets the same report. */
@Injectable()
export class Examination {
  private current: Promise<DoctorReport> | undefined;

  constructor(@Inject(DurableDoctor) private readonly doctor: Pick<DurableDoctor, 'examine'>) {}

  /** @throws as `DurableDoctor.examine` */
  report(): Promise<DoctorReport> {
    this.current ??= this.doctor.examine().finally(() => (this.current = undefined));
    return this.current;
  }
}
