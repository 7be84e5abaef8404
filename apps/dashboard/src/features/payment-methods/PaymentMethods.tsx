import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { allAssetsQuery } from '../../api/blockchains.ts'
import { depositWalletsQuery } from '../../api/lazy-lists.ts'
import { useCan } from '../../api/me.ts'
import { paymentMethodsQuery } from '../../api/payment-methods.ts'
import { type ListedProject, projectsQuery } from '../../api/projects.ts'
import { paths } from '../../lib/paths.ts'
import { useIsNarrow } from '../../lib/device/media.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { methodColumns } from './method-columns.tsx'
import { methodRows } from './method-rows.ts'

/** More projects than this are shown one at a time; on cards, one. */
const MOST_AT_ONCE = 4

/** What customers of each project may pay with. */
export function PaymentMethods() {
  const { data, error, refetch } = useQuery(projectsQuery)
  const projects = data ?? []
  const [chosen, setChosen] = useState<string>()
  const one = projects.find(({ id }) => String(id) === chosen) ?? projects[0]
  const isNarrow = useIsNarrow()
  const isMany = projects.length > (isNarrow ? 1 : MOST_AT_ONCE)
  const shown = isMany && one !== undefined ? [one] : projects
  const table = useTable(shown, isNarrow)
  const failure = error ?? table.error
  return (
    <>
      <PageHead
        title={t`Payment methods`}
        text={t`What customers may pay with. A change counts for new payments; open ones keep what they were made for.`}
      />
      <div className="flex flex-col gap-4">
        <NoWallet />
        <DataTable
          caption={t`Payment methods`}
          columns={table.columns}
          rows={data === undefined || table.isPending ? undefined : table.rows}
          rowKey={({ id }) => String(id)}
          rowName={({ currency, network }) => `${currency} ${network}`}
          error={failure === null ? null : asRequestError(failure)}
          onRetry={() => {
            void refetch()
            table.retry()
          }}
          toolbar={
            isMany && (
              <Select
                label={t`Project`}
                value={String(one?.id)}
                options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
                onChange={setChosen}
              />
            )
          }
          empty={
            <EmptyState
              title={t`No project yet`}
              text={t`Add one from the project menu; then choose here what its customers may pay with.`}
            />
          }
        />
      </div>
    </>
  )
}

function useTable(projects: readonly ListedProject[], isNarrow: boolean) {
  const can = useCan()
  const answers = useQueries({ queries: projects.map(({ id }) => paymentMethodsQuery(id)) })
  const { data: assets } = useQuery({ ...allAssetsQuery, enabled: can('blockchain:read') })
  const lists = new Map(projects.map(({ id }, at) => [id, answers[at]?.data ?? []]))
  const rows = methodRows(lists, assets)
  return {
    columns: methodColumns(projects, rows, { can, isNarrow }),
    rows,
    isPending: answers.some(({ data }) => data === undefined),
    error: answers.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    retry: () => {
      for (const { refetch } of answers) void refetch()
    },
  }
}

/** Without a wallet nothing can be paid with, whatever is switched on. */
function NoWallet() {
  const { data: wallets } = useQuery({ ...depositWalletsQuery, enabled: useCan()('wallet:read') })
  if (wallets === undefined || wallets.length > 0) return null
  return (
    <Banner tone="warning">
      <Trans>
        Set up a deposit wallet first: customers pay to its addresses.{' '}
        <TextLink href={paths.depositWallets()}>Deposit wallets</TextLink>
      </Trans>
    </Banner>
  )
}
