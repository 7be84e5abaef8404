import { AsyncLocalStorage } from 'node:async_hooks'

/** The transaction in which code runs; it may end while work that it started still runs. */
type Open = { isOpen: boolean }

const opened = new AsyncLocalStorage<Open>()

/** Runs the work of a transaction, which is open for as long as the work takes. */
export async function whileOpen<T>(work: () => Promise<T>): Promise<T> {
  const open: Open = { isOpen: true }
  try {
    return await opened.run(open, work)
  } finally {
    open.isOpen = false
  }
}

/** Whether the calling code runs inside a transaction. */
export function isInTransaction(): boolean {
  return opened.getStore()?.isOpen ?? false
}
