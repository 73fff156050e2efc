import type { SqlExecutor } from '../../sql/sql-executor.js';
import { type Scope } from '../../sql/tables.js';
import { type Clock, stopwatch } from '../../time/clock.js';
import * as listing from './listing.sql.js';
import { endings, saysEnded, type Source, sourcesOf } from './listing-sources.sql.js';
import { isListed, type ListedRuns, type ListRuns, MOST_SCANNED, type ListPosition } from '../model/run-insight.js';
import * as runs from '../tables/run.sql.js';

type Int = number | string;

interface PositionRow {
  id: string;
  listed_at: Int;
  fits: Int;
}

/** How many runs each scan reads; the next scan follows if the page is not full. */
const SCANS = [500, 2_000, MOST_SCANNED - 2_500] as const;
/** Before it returns an empty page, it scans on for so long, as far as it comes, and so many runs. */
const PATIENCE_MS = 100;
const MOST_FOR_EMPTY = 100_000;

/** Lists pages of runs, with any filter; each page reads a bounded number of rows. */
export class SqlRunListing {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: Scope,
    private readonly clock: Clock = stopwatch,
  ) {}

  async list(query: ListRuns): Promise<ListedRuns> {
    const found = await this.found(query);
    const page = found.positions.slice(0, query.limit);
    const { rows } =
      page.length === 0
        ? { rows: [] }
        : await this.db.run<runs.RunRow>(
            runs.selectRuns(
              this.scope,
              page.map(({ id }) => id),
              query.payloads === false ? runs.COLUMNS_WITHOUT_PAYLOADS : runs.RUN_COLUMNS,
            ),
          );
    const byId = new Map(rows.map((row) => [row.id, runs.runOf(row)]));
    // Runs that were changed or deleted in between are omitted.
    const records = page.flatMap(({ id }) => byId.get(id) ?? []).filter((run) => isListed(run, query));
    const next = found.positions.length > query.limit ? page.at(-1) : found.scannedTo;
    return { runs: records, next, lookedAt: found.lookedAt };
  }

  private async found(query: ListRuns): Promise<Found> {
    // What has ended waits for nothing.
    if (saysEnded(query) && (endings(query).length === 0 || query.waitsFor)) return NOTHING;
    const sources = sourcesOf(this.scope, query);
    const narrow = await this.fewest(sources.filter(({ broad }) => !broad));
    if (narrow) return this.fromSource(query, narrow);
    const first = await this.scan(query, NOTHING, SCANS[0]);
    if (!isShort(first, query)) return first;
    const broad = await this.fewest(sources.filter(({ broad }) => broad));
    return broad ? this.fromSource(query, broad, first.lookedAt) : this.inOrder(query, first);
  }

  /** The source with the fewest runs; undefined if all have more than one page may read. */
  private async fewest(sources: readonly Source[]): Promise<Narrow | undefined> {
    let fewest: Narrow | undefined;
    for (const source of sources) {
      const { rows } = await this.db.run<{ found: Int }>(listing.countSource(source));
      const found = Number(rows[0]?.found);
      if (found <= Math.min(fewest?.found ?? MOST_SCANNED, MOST_SCANNED)) fewest = { source, found };
    }
    return fewest;
  }

  private async fromSource(query: ListRuns, { source, found }: Narrow, before = 0): Promise<Found> {
    const { rows } = await this.db.run<PositionRow>(listing.pageOfSource(this.scope, query, source));
    return { positions: rows.map(positionOf), scannedTo: undefined, lookedAt: before + found };
  }

  private async inOrder(query: ListRuns, first: Found): Promise<Found> {
    const from = this.clock.now();
    const until = from + PATIENCE_MS;
    let found = first;
    for (const scan of SCANS.slice(1))
      if (isShort(found, query) && !(query.waitsFor && this.clock.now() >= until))
        found = await this.scan(query, found, scan);
    while (found.scannedTo && found.positions.length === 0 && found.lookedAt < MOST_FOR_EMPTY) {
      const now = this.clock.now();
      const inTime = Math.floor((found.lookedAt / Math.max(1, now - from)) * (until - now));
      if (inTime < SCANS[0]) break;
      found = await this.scan(query, found, Math.min(MOST_SCANNED, inTime));
    }
    return found;
  }

  /** Adds what the next `scan` runs have. */
  private async scan(query: ListRuns, { positions, scannedTo, lookedAt }: Found, scan: number): Promise<Found> {
    const rest = { ...query, limit: query.limit - positions.length, ...(scannedTo && { past: scannedTo }) };
    const { rows } = await this.db.run<PositionRow>(listing.pageOfOrder(this.scope, rest, scan));
    const fitting = rows.filter(({ fits }) => Number(fits) === 1).map(positionOf);
    const last = rows.find(({ fits }) => Number(fits) === 0);
    const scanned = Number(last?.listed_at ?? 0);
    return {
      positions: [...positions, ...fitting],
      // If there may be more.
      scannedTo: last && scanned === scan ? listing.unpacked(last.id) : undefined,
      lookedAt: lookedAt + scanned,
    };
  }
}

interface Found {
  /** One more than the page size, if there are more. */
  positions: ListPosition[];
  /** Where the next page continues if this page is not full. */
  scannedTo: ListPosition | undefined;
  lookedAt: number;
}

const NOTHING: Found = { positions: [], scannedTo: undefined, lookedAt: 0 };

/** A source, and how many runs it has. */
interface Narrow {
  source: Source;
  found: number;
}

/** Whether the page has room, and there may be more. */
const isShort = ({ positions, scannedTo }: Found, { limit }: ListRuns): boolean =>
  scannedTo !== undefined && positions.length <= limit;

const positionOf = ({ id, listed_at }: PositionRow): ListPosition => ({ id, at: Number(listed_at) });
