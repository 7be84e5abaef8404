import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import { useId } from 'react'

import { useCan } from '../../api/me.ts'
import { paymentsQuery } from '../../api/payments.ts'
import { filterOf, narrowingOf } from './payment-filter.ts'
import { useSearchState } from '../../lib/search.ts'
import { Button } from '../../ui/Button.tsx'
import { Menu } from '../../ui/Menu.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { useExport } from './use-export.ts'

/** Saves the payments the filter lets through as a file, oldest first; absent for those who may not. */
export function ExportButton({ projectId }: { projectId: string }) {
  const can = useCan()
  const menuId = useId()
  const [search] = useSearchState()
  // The list below asks the same: this only reads its answer.
  const { data } = useQuery({ ...paymentsQuery(projectId, filterOf(search)), enabled: false })
  const { isRunning, bytes, failure, start, stop } = useExport(projectId)
  if (!can('payment:export', projectId)) return null
  const offReason = data?.totalCount === 0 ? 'Nothing matches the filter.' : undefined
  const item = (label: string, format: ExportFormat): MenuItem => ({
    label,
    ...(offReason === undefined ? { onSelect: () => void start(narrowingOf(search), format) } : { offReason }),
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isRunning ? (
        <>
          <span role="status" className="text-dense text-muted tabular-nums">
            Exporting… {sizeText(bytes)}
          </span>
          <Button onClick={stop}>Stop</Button>
        </>
      ) : (
        <Button popoverTarget={menuId} icon={<Download strokeWidth={1.75} />}>
          Export
          <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
        </Button>
      )}
      {!isRunning && (
        <Menu id={menuId} label="Export" items={[item('Export CSV', 'csv'), item('Export JSON lines', 'jsonl')]} />
      )}
      {failure !== undefined && (
        <p role="alert" className="w-full text-dense text-danger-text">
          {failure}
        </p>
      )}
    </div>
  )
}

const BYTES_PER_KB = 1000

function sizeText(bytes: number): string {
  if (bytes < BYTES_PER_KB * BYTES_PER_KB) return `${Math.ceil(bytes / BYTES_PER_KB)} kB`
  return `${(bytes / BYTES_PER_KB / BYTES_PER_KB).toFixed(1)} MB`
}
