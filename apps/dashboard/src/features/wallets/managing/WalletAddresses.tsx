import type { Wallet, WalletAddress } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { List } from 'lucide-react'

import { projectsQuery } from '../../../api/projects.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { walletAddressesQuery } from '../../../api/wallets.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { SearchBox } from '../../../ui/actions/SearchBox.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { None } from '../../../ui/facts/None.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { type ChoiceField, readChoice } from '../../../ui/filters/filter-fields.ts'
import type { Column } from '../../../ui/list/columns.ts'
import { pageSizeOf } from '../../../ui/list/paging.ts'
import { Drawer } from '../../../ui/overlays/Drawer.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

type Row = WalletAddress

/** The addresses of a deposit wallet: which a customer has, and which are ready to be given out. */
export function WalletAddresses({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const [search] = useSearchState()
  const { data: projects = [] } = useQuery(projectsQuery)
  const field = stateField()
  const states = readChoice(field, search.status)
  const query = search.query ?? ''
  const page = useQuery(
    walletAddressesQuery(wallet.id, {
      limit: pageSizeOf(search.limit),
      ...(query !== '' && { query }),
      ...(states.length === 1 && { status: states[0] === 'open' ? 'open' : 'assigned' }),
      ...(search.cursor !== undefined && { cursor: search.cursor }),
    }),
  )
  const isFiltered = query !== '' || states.length === 1
  const projectName = (id: number) => projects.find((project) => project.id === id)?.name ?? t`Project ${id}`
  return (
    <Drawer title={t`Addresses of ${wallet.name}`} width={800} onClose={onClose}>
      <DataTable
        caption={t`Addresses`}
        columns={columns(projectName)}
        rows={page.data?.data}
        rowKey={({ id }) => String(id)}
        rowName={({ address }) => address}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <SearchBox label={t`Search addresses`} placeholder={t`The first characters of an address`} />
            <FilterBar fields={[field]} columns={[]} />
          </>
        }
        empty={
          <EmptyState
            icon={<List aria-hidden />}
            title={isFiltered ? t`No address matches` : t`No addresses yet`}
            text={isFiltered ? t`Clear the search and the filter to see all.` : undefined}
          />
        }
        paging={{ nextCursor: page.data?.nextCursor ?? null, total: page.data?.total, isSized: true }}
      />
    </Drawer>
  )
}

const stateField = (): ChoiceField => ({
  kind: 'choice',
  key: 'status',
  label: t`State`,
  options: [
    { value: 'assigned', label: t`Assigned to a customer` },
    { value: 'open', label: t`Ready` },
  ],
})

function columns(projectName: (id: number) => string): Column<Row>[] {
  return [
    {
      key: 'address',
      label: t`Address`,
      card: 'title',
      grows: true,
      cell: ({ address }) => <Address value={address} full />,
    },
    { key: 'state', label: t`State`, card: 'badge', cell: State },
    {
      key: 'project',
      label: t`Project`,
      card: 'foot',
      shrink: 1,
      cell: ({ externalPlatformID: id }) => (id === null ? <None /> : projectName(id)),
    },
    {
      key: 'given',
      label: t`Assigned`,
      card: 'foot',
      cardLabel: true,
      cell: ({ assignedAt }) => (assignedAt === null ? <None /> : <TimeAgo at={assignedAt} />),
    },
    {
      key: 'path',
      label: t`Path`,
      card: 'foot',
      cardLabel: true,
      shrink: 2,
      cell: ({ path }) => (path === null ? <None /> : <span className="font-mono text-dense">{path}</span>),
    },
  ]
}

/** A restored database may not know the customer of an address: it is not assigned again. */
function State({ status }: Row) {
  if (status === 'assigned') return <StatusBadge tone="success" word={t`Assigned to a customer`} wire={status} />
  if (status === 'open') return <StatusBadge tone="neutral" word={t`Ready`} wire={status} />
  return <StatusBadge tone="warning" word={t`Withheld`} wire={status} />
}
