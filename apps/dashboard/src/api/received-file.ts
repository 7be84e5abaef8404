import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import { t } from '@lingui/core/macro'

import { RequestError } from './request-error.ts'

/** Browsers keep a blob of their own on disk, an array of pieces in memory: pieces become a blob at this size. */
const PIECES_BYTES = 8_000_000

/** Receives a file of rows to its end, telling how many bytes have come so far. @throws RequestError when it breaks off */
export async function receivedFile(
  response: Response,
  format: ExportFormat,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
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
