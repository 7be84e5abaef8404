export type WorkerTables = {
  workers: {
    name: string
    /** The process that reports it. */
    process: string
    begun_at: Date
    beat_at: Date
    turned_at: Date | null
    failure: string | null
    restarts_asked: number
    restarts_done: number
  }
}
