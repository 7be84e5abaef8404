import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'

import { openFile } from './client.ts'
import { receivedFile } from './received-file.ts'

export type ExportFilter = Omit<NonNullable<RouteCall<typeof paymentsRoutes.exportPayments>['query']>, 'format'>

export type PaymentExport = {
  readonly projectId: string
  readonly filter: ExportFilter
  readonly format: ExportFormat
  /** Told how many bytes have come so far. */
  readonly onBytes: (bytes: number) => void
  readonly signal: AbortSignal
}

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
  return receivedFile(response, format, onBytes)
}
