import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import { useId } from 'react'
import { useCan } from '../../../api/me.ts'
import { paymentsQuery } from '../../../api/payments.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { useShortcuts } from '../../../lib/device/shortcuts.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Menu } from '../../../ui/actions/Menu.tsx'
import type { MenuItem } from '../../../ui/actions/Menu.tsx'
import { exportColumns } from '../columns/export-columns.ts'
import { filterOf, narrowingOf } from '../views/payment-filter.ts'
import { useLayout } from '../views/useLayout.ts'
import { useExport } from './useExport.ts'

/**
 * Saves the payments the filter lets through as a file, oldest first: the columns of the table, or every column. Absent
 * for those who may not.
 */
export function ExportButton({ projectId }: { projectId: string }) {
  const can = useCan()
  const menuId = useId()
  const [search] = useSearchState()
  // The list below asks the same: this only reads its answer.
  const { data } = useQuery({ ...paymentsQuery(projectId, filterOf(search)), enabled: false })
  const [layout] = useLayout()
  const { isRunning, bytes, failure, start, stop } = useExport(projectId)
  if (!can('payment:export', projectId)) return null
  const size = sizeText(bytes)
  const offReason = data?.totalCount === 0 ? t`Nothing matches the filter.` : undefined
  const save = (format: ExportFormat) => void start(narrowingOf(search), format)
  const saveShown = () => void start({ ...narrowingOf(search), columns: exportColumns(layout, projectId) }, 'csv')
  const itemOf = (label: string, format: ExportFormat): MenuItem => ({
    label,
    ...(offReason === undefined ? { onSelect: () => save(format) } : { offReason }),
  })
  const items = [itemOf(t`Export CSV with every column`, 'csv'), itemOf(t`Export JSON lines`, 'jsonl')]
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isRunning ? (
        <>
          <span role="status" className="text-dense text-muted tabular-nums">
            <Trans>Exporting… {size}</Trans>
          </span>
          <Button onClick={stop}>
            <Trans>Stop</Trans>
          </Button>
        </>
      ) : (
        <span className="flex">
          <ExportKey onExport={offReason === undefined ? saveShown : undefined} />
          <Button
            icon={<Download strokeWidth={1.75} />}
            disabled={offReason !== undefined}
            title={offReason ?? t`The columns of the table, in their order`}
            onClick={saveShown}
          >
            <Trans>Export CSV</Trans>
          </Button>
          <IconButton
            label={t`More formats`}
            icon={<ChevronDown aria-hidden strokeWidth={1.75} />}
            popoverTarget={menuId}
          />
          <Menu id={menuId} label={t`More formats`} items={items} atEnd />
        </span>
      )}
      {failure !== undefined && (
        <p role="alert" className="w-full text-dense text-danger-text">
          {failure}
        </p>
      )}
    </div>
  )
}

/** `e` exports. */
function ExportKey({ onExport }: { onExport: (() => void) | undefined }) {
  useShortcuts(onExport === undefined ? {} : { e: onExport })
  return null
}

const BYTES_PER_KB = 1000

function sizeText(bytes: number): string {
  const kilobytes = Math.ceil(bytes / BYTES_PER_KB)
  if (bytes < BYTES_PER_KB * BYTES_PER_KB) return t`${kilobytes} kB`
  const megabytes = (bytes / BYTES_PER_KB / BYTES_PER_KB).toFixed(1)
  return t`${megabytes} MB`
}
