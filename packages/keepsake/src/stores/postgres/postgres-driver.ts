/** What a Postgres store needs of a connection. A `PoolClient` of `pg` fits. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives the connection back; with a true value (or an error) it is to be closed instead. */
  release(destroy?: Error | boolean): void;
  on?(event: "error", listener: (error: Error) => void): unknown;
  off?(event: "error", listener: (error: Error) => void): unknown;
}

/** What a Postgres store needs of a pool: connections. A `Pool` of `pg`, or of a service's compatible package, fits. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/** A pool that the store has made itself, and closes. */
export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
}
