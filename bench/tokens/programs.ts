/** Programs that the bench makes its texts of: written for it, parts apart by an empty line. */
export const programs = {
  typescript: `import { readFile } from "node:fs/promises";
import type { Invoice, LineItem } from "./types.ts";

const DEFAULT_CURRENCY = "EUR";
const TAX_RATES: Record<string, number> = { DE: 0.19, FR: 0.2, LU: 0.17 };

/** Sums up an invoice; unknown countries pay no tax. */
export function totalOf(invoice: Invoice): number {
  const net = invoice.items.reduce((sum, item) => sum + item.price * item.quantity, 0);
  return Math.round(net * (1 + (TAX_RATES[invoice.country] ?? 0)) * 100) / 100;
}

export class RateLimiter {
  #tokens: number;
  #lastRefill = Date.now();

  constructor(private readonly capacity: number, private readonly perSecond: number) {
    this.#tokens = capacity;
  }

  tryAcquire(count = 1): boolean {
    this.#refill();
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}

async function loadConfig(path: string): Promise<Config> {
  try {
    const text = await readFile(path, "utf8");
    return { ...defaults, ...JSON.parse(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return defaults;
    throw new Error(\`Cannot read \${path}\`, { cause: error });
  }
}

describe("totalOf", () => {
  it.each([["DE", 119], ["FR", 120], ["XX", 100]])("adds the tax of %s", (country, expected) => {
    expect(totalOf({ country, items: [{ price: 50, quantity: 2 }] })).toBe(expected);
  });
});

export const routes = [
  { method: "GET", path: "/users/:id", handler: getUser },
  { method: "POST", path: "/users", handler: createUser, middleware: [requireAuth, validate(userSchema)] },
  { method: "DELETE", path: "/users/:id", handler: deleteUser, middleware: [requireAdmin] },
];

type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

export function debounce<A extends unknown[]>(fn: (...args: A) => void, waitMs: number): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...args), waitMs);
  };
}

const grouped = new Map<string, LineItem[]>();
for (const item of items) {
  const key = \`\${item.vendor}/\${item.sku}\`;
  const list = grouped.get(key);
  if (list === undefined) grouped.set(key, [item]);
  else list.push(item);
}

function SearchBox({ onSearch, placeholder = "Search…" }: SearchBoxProps) {
  const [query, setQuery] = useState("");
  return (
    <form className="search-box" onSubmit={(event) => { event.preventDefault(); onSearch(query); }}>
      <input value={query} placeholder={placeholder} onChange={(event) => setQuery(event.target.value)} />
      <button type="submit" disabled={query.trim() === ""}>Go</button>
    </form>
  );
}`,

  python: `from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from pathlib import Path

logger = logging.getLogger(__name__)

@dataclass(frozen=True)
class Sensor:
    """A sensor and where it was mounted."""

    name: str
    latitude: float
    longitude: float
    tags: list[str] = field(default_factory=list)

    def distance_to(self, other: "Sensor") -> float:
        dx = self.latitude - other.latitude
        dy = self.longitude - other.longitude
        return (dx**2 + dy**2) ** 0.5

def read_measurements(path: Path, *, skip_header: bool = True) -> list[dict[str, float]]:
    rows = []
    with path.open(encoding="utf-8") as handle:
        for number, line in enumerate(handle, start=1):
            if number == 1 and skip_header:
                continue
            try:
                timestamp, value = line.rstrip("\\n").split(",")
                rows.append({"timestamp": float(timestamp), "value": float(value)})
            except ValueError:
                logger.warning("line %d of %s is malformed: %r", number, path, line)
    return rows

class MovingAverage:
    def __init__(self, size: int) -> None:
        if size <= 0:
            raise ValueError(f"size must be positive, not {size}")
        self._size = size
        self._values: deque[float] = deque(maxlen=size)

    def push(self, value: float) -> float:
        self._values.append(value)
        return sum(self._values) / len(self._values)

def test_moving_average_of_constant_series():
    average = MovingAverage(3)
    assert [average.push(4.0) for _ in range(5)] == [4.0] * 5

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Summarise measurements")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--window", type=int, default=24, help="hours to average over")
    args = parser.parse_args()
    for file in args.files:
        print(json.dumps(summarise(read_measurements(file), window=args.window), indent=2))`,

  others: `SELECT c.id, c.name, COUNT(o.id) AS orders, COALESCE(SUM(o.total), 0) AS revenue
FROM customers AS c
LEFT JOIN orders AS o ON o.customer_id = c.id AND o.created_at >= '2026-01-01'
WHERE c.deleted_at IS NULL
GROUP BY c.id, c.name
HAVING COUNT(o.id) > 3
ORDER BY revenue DESC
LIMIT 50;

CREATE TABLE IF NOT EXISTS memories (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  value JSON NOT NULL,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (namespace, key)
);

#!/usr/bin/env bash
set -euo pipefail
for file in "$@"; do
  if [[ ! -f "$file" ]]; then
    echo "skipping $file" >&2
    continue
  fi
  gzip --keep --best "$file" && sha256sum "$file.gz" >> checksums.txt
done

#include <stdio.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

pub fn word_counts(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split_whitespace().map(|w| w.to_lowercase()) {
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}

func (s *Server) handleHealth(w http.ResponseWriter, r *http.Request) {
	if err := s.db.PingContext(r.Context()); err != nil {
		http.Error(w, "database unreachable", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

<section id="pricing" class="grid gap-4">
  <h2>Pricing</h2>
  <p data-plan="team">From <strong>€12</strong> per user and month.</p>
  <a class="button button--primary" href="/signup?plan=team">Start a free trial</a>
</section>

.button--primary:hover {
  background-color: var(--accent-dark, #1d4ed8);
  transform: translateY(-1px);
  transition: transform 120ms ease-in-out;
}

services:
  web:
    image: "registry.example.com/shop/web:1.42.0"
    ports: ["8080:80"]
    environment:
      DATABASE_URL: postgres://shop@db:5432/shop
      LOG_LEVEL: info`,
} as const;

/** A kind of program. */
export type Program = keyof typeof programs;
