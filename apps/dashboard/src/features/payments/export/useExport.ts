import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { exportPayments } from '../../../api/payment-export.ts'
import type { ExportFilter } from '../../../api/payment-export.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { toast } from '../../../ui/feedback/toast.ts'

export type RunningExport = {
  readonly isRunning: boolean
  readonly bytes: number
  readonly failure: string | undefined
  readonly start: (filter: ExportFilter, format: ExportFormat) => Promise<void>
  readonly stop: () => void
}

/** Returns an export of payments that can be started, watched and stopped; leaving the page stops it. */
export function useExport(projectId: string): RunningExport {
  const running = useRef<AbortController>(undefined)
  const [bytes, setBytes] = useState(0)
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<string>()
  const stop = () => running.current?.abort()
  useEffect(() => () => running.current?.abort(), [])

  const start = async (filter: ExportFilter, format: ExportFormat) => {
    const abort = new AbortController()
    running.current = abort
    setIsRunning(true)
    setFailure(undefined)
    setBytes(0)
    try {
      const { signal } = abort
      const file = await exportPayments({ projectId, filter, format, onBytes: setBytes, signal })
      saveFile(file, `payments-${projectId}-${new Date().toISOString().slice(0, 10)}.${format}`)
      toast.success(t`The export is saved.`)
    } catch (thrown) {
      if (!abort.signal.aborted) setFailure(asRequestError(thrown).message)
    } finally {
      setIsRunning(false)
    }
  }
  return { isRunning, bytes, failure, start, stop }
}
