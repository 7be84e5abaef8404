import { useQuery } from '@tanstack/react-query'

import { asApiError } from '../../api/api-error.ts'
import { watchedBlockchainsQuery } from '../../api/blockchains.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { NETWORK_COLUMNS } from './network-columns.tsx'

/** How far each network has been read, and through how many sources. */
export function Networks() {
  const { data, error, refetch } = useQuery(watchedBlockchainsQuery)
  return (
    <section aria-label="Networks">
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 className="text-h3 font-semibold">Networks</h2>
        <TextLink href="/settings/blockchains">Blockchains and nodes</TextLink>
      </div>
      <DataTable
        caption="Networks"
        columns={NETWORK_COLUMNS}
        rows={data}
        rowKey={({ code }) => code}
        rowHref={({ code }) => `/settings/blockchains/${code}`}
        error={error === null ? null : asApiError(error)}
        onRetry={() => void refetch()}
        empty={<EmptyState title="No networks" text="This server knows no blockchain." />}
      />
    </section>
  )
}
