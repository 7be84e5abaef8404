import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import { useId } from 'react'

import { useCan } from '../../api/me.ts'
import { paymentsQuery } from '../../api/payments.ts'
import { filterOf, narrowingOf } from './payment-filter.ts'
import { useSearchState } from '../../lib/search.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
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
  const size = sizeText(bytes)
  const offReason = data?.totalCount === 0 ? t`Nothing matches the filter.` : undefined
  const save = (format: ExportFormat) => void start(narrowingOf(search), format)
  const json: MenuItem = {
    label: t`Export JSON lines`,
    ...(offReason === undefined ? { onSelect: () => save('jsonl') } : { offReason }),
  }
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
          <ExportKey onExport={offReason === undefined ? () => save('csv') : undefined} />
          <Button
            icon={<Download strokeWidth={1.75} />}
            disabled={offReason !== undefined}
            title={offReason}
            onClick={() => save('csv')}
          >
            <Trans>Export CSV</Trans>
          </Button>
          <IconButton
            label={t`More formats`}
            icon={<ChevronDown aria-hidden strokeWidth={1.75} />}
            popoverTarget={menuId}
          />
          <Menu id={menuId} label={t`More formats`} items={[json]} atEnd />
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
