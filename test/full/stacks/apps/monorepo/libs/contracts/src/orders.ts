export interface PlacedOrder {
  id: string;
  lines: string[];
}

export interface Order extends PlacedOrder {
  status: string;
  run: { status: string; output?: unknown };
}
