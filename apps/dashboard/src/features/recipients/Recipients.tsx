import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Ban, Mail, Pencil, Plus, Trash2, Users } from 'lucide-react'
import { Suspense, useState } from 'react'

import { useCan } from '../../api/me.ts'
import { projectsQuery } from '../../api/projects.ts'
import { recipientsQuery } from '../../api/recipients.ts'
import { asRequestError } from '../../api/request-error.ts'
import { useCurrentProject } from '../../lib/navigation/current-project.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { Button } from '../../ui/actions/Button.tsx'
import type { MenuItem } from '../../ui/actions/Menu.tsx'
import { SearchBox } from '../../ui/actions/SearchBox.tsx'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import { type ChoiceField, readChoice } from '../../ui/filters/filter-fields.ts'
import { pageSizeOf } from '../../ui/list/paging.ts'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { recipientColumns } from './recipient-columns.tsx'
import type { OpenRecipientDialog, RecipientAction } from './RecipientDialogs.tsx'
import { recipientStateOptions } from './recipient-states.ts'

const RecipientDialogs = lazyLayer(async () => ({
  default: (await import('./RecipientDialogs.tsx')).RecipientDialogs,
}))

/** The address book: whom payouts go to, checked and verified once. */
export function Recipients() {
  const can = useCan()
  const { id: projectId } = useCurrentProject()
  const [search] = useSearchState()
  const { data: projects = [] } = useQuery(projectsQuery)
  const [open, setOpen] = useState<OpenRecipientDialog | undefined>(() => wantedIn(search))
  const field: ChoiceField = { kind: 'choice', key: 'state', label: t`State`, options: recipientStateOptions() }
  const page = useQuery(recipientsQuery(projectId, filterOf(search, field)))
  const rows = page.data?.data
  const isFiltered = (search.query ?? '') !== '' || readChoice(field, search[field.key]).length > 0
  const mayWrite = can('recipient:write', projectId)
  const projectName = (id: number) => projects.find((project) => project.id === id)?.name ?? t`Project ${id}`
  const columns = recipientColumns({ now: new Date(), projectName })
  const add = mayWrite && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ action: 'add' })}>
      <Trans>Add recipient</Trans>
    </Button>
  )
  return (
    <>
      <PageHead
        title={t`Recipients`}
        text={t`Addresses that were checked and verified once, so that none is typed twice.`}
        primary={add}
      />
      <DataTable
        caption={t`Recipients`}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        menu={mayWrite ? (recipient) => menuOf(recipient, can, (action) => setOpen({ action, recipient })) : undefined}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <SearchBox label={t`Search recipients`} placeholder={t`Name, e-mail or address`} />
            <FilterBar fields={[field]} columns={columns.map(({ label, sortBy }) => ({ label, sortBy }))} />
          </>
        }
        empty={
          <EmptyState
            icon={<Users aria-hidden />}
            title={isFiltered ? t`No recipient matches` : t`No recipients`}
            text={
              isFiltered
                ? t`Clear the search and the filters to see everybody.`
                : t`Save who you pay, so an address is typed once.`
            }
          />
        }
        paging={{
          nextCursor: page.data?.nextCursor ?? null,
          prevCursor: null,
          total: page.data?.total,
          isSized: true,
        }}
      />
      {open !== undefined && (
        <Suspense>
          <RecipientDialogs
            open={open}
            projectId={projectId}
            onVerify={(recipient) => setOpen({ action: 'verify', recipient })}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

const STATES = ['active', 'pending-otp-verification', 'blocked'] as const

function filterOf(search: Readonly<Record<string, string | undefined>>, field: ChoiceField) {
  const chosen = readChoice(field, search[field.key])
  const { query = '', cursor, sortBy, sortDirection } = search
  return {
    limit: pageSizeOf(search.limit),
    ...(query !== '' && { query }),
    ...(chosen.length > 0 && { status: STATES.filter((state) => chosen.includes(state)) }),
    ...(cursor !== undefined && { cursor }),
    ...(sortBy !== undefined && { sortBy }),
    ...(sortDirection !== undefined && { sortDirection }),
  }
}

/** An operator who may not write in every project of a recipient cannot change what the other projects pay. */
function menuOf(
  { status, projectIDs }: Recipient,
  can: ReturnType<typeof useCan>,
  onOpen: (action: RecipientAction) => void,
): MenuItem[] {
  const isTheirs = projectIDs.every((id) => can('recipient:write', id))
  const offReason = isTheirs ? undefined : t`You need recipient:write in every project of this recipient.`
  const items: (MenuItem | false)[] = [
    status === 'pending-otp-verification' && {
      label: t`Enter the code`,
      icon: <Mail aria-hidden />,
      onSelect: () => onOpen('verify'),
    },
    { label: t`Edit`, icon: <Pencil aria-hidden />, onSelect: () => onOpen('edit') },
    status !== 'blocked' && {
      label: t`Block`,
      icon: <Ban aria-hidden />,
      danger: true,
      divided: true,
      onSelect: () => onOpen('block'),
    },
    { label: t`Delete`, icon: <Trash2 aria-hidden />, danger: true, onSelect: () => onOpen('remove') },
  ]
  return items.filter((item) => item !== false).map((item) => ({ ...item, offReason }))
}

/** The address that a link of another screen wants saved. */
function wantedIn({
  newAddress,
  newNetwork,
}: Readonly<Record<string, string | undefined>>): OpenRecipientDialog | undefined {
  if (newAddress === undefined || newNetwork === undefined) return undefined
  return { action: 'add', named: { blockchainCode: newNetwork, address: newAddress } }
}
