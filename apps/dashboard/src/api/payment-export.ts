import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { t } from '@lingui/core/macro'

import { RequestError } from './request-error.ts'
import { openFile } from './client.ts'

export type ExportFilter = Omit<NonNullable<RouteCall<typeof paymentsRoutes.exportPayments>['query']>, 'format'>

export type PaymentExport = {
  readonly projectId: string
  readonly filter: ExportFilter
  readonly format: ExportFormat
  /** Told how many bytes have come so far. */
  readonly onBytes: (bytes: number) => void
  readonly signal: AbortSignal
}

/** Browsers keep a blob of their own on disk, an array of pieces in memory: pieces become a blob at this size. */
const PIECES_BYTES = 8_000_000

/**
 * Fetches payments as a file, however many there are. The server breaks the connection when it cannot go on, so a file
 * that came to its end is whole.
 *
 * @throws RequestError when it did not, and for every refusal
 */
export async function exportPayments({ projectId, filter, format, onBytes, signal }: PaymentExport): Promise<Blob> {
  const response = await openFile(
    paymentsRoutes.exportPayments,
    { params: { p: projectId }, query: { ...filter, format } },
    signal,
  )
  const reader = response.body?.getReader()
  let file = new Blob([], { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' })
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let [waiting, total] = [0, 0]
  const fold = () => {
    file = new Blob([file, ...pieces], { type: file.type })
    pieces = []
    waiting = 0
  }
  for (;;) {
    const next = await reader?.read().catch(cut)
    if (next === undefined || next.done) break
    pieces.push(next.value)
    waiting += next.value.length
    total += next.value.length
    if (waiting >= PIECES_BYTES) fold()
    onBytes(total)
  }
  fold()
  return file
}

function cut(thrown: unknown): never {
  if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown
  throw new RequestError({
    code: 'NETWORK_FAILED',
    message: t`The export broke off, so no file was saved. Try again, or export a shorter time.`,
    status: 0,
  })
}
