import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../../api/request-error.ts'
import { watchedBlockchainsQuery } from '../../../api/blockchains.ts'
import { networkNotice, networkReason } from '../../../labels/networks/network-reason.ts'
import { paths } from '../../../lib/paths.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { networkColumns } from './network-columns.tsx'

/** How far each network that is on has been read, through how many sources, and what is odd about it. */
export function Networks() {
  const { data, error, refetch } = useQuery(watchedBlockchainsQuery)
  const active = data?.filter(({ status }) => status === 'active')
  const off = data?.filter(({ status }) => status === 'inactive') ?? []
  const names = listText(off.map(({ name }) => name))
  return (
    <section aria-label={t`Networks`} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-h3 font-semibold">
          <Trans>Networks</Trans>
        </h2>
        <TextLink href={paths.blockchains()}>
          <Trans>Blockchains and nodes</Trans>
        </TextLink>
      </div>
      {active?.map((row) => (
        <Notice key={row.code} row={row} />
      ))}
      <DataTable
        caption={t`Networks`}
        columns={networkColumns()}
        rows={active}
        rowKey={({ code }) => code}
        rowHref={({ code }) => paths.blockchain({ code })}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={<NoNetwork />}
      />
      {off.length > 0 && (
        <p className="text-body text-muted">
          <Trans>Off: {names}.</Trans>
        </p>
      )}
    </section>
  )
}

function Notice({ row }: { row: Blockchain }) {
  const reason = networkReason(row)
  const text = reason ?? networkNotice(row)
  if (text === null) return null
  return (
    <Banner tone={reason === null ? 'warning' : 'danger'}>
      <span className="font-medium">{row.name}:</span> {text}
    </Banner>
  )
}

function NoNetwork() {
  return (
    <EmptyState
      title={t`No network is on`}
      text={t`Nobody can pay until one is. Add a node to a network to turn it on.`}
      action={
        <LinkButton href={paths.blockchains()}>
          <Trans>Blockchains and nodes</Trans>
        </LinkButton>
      }
    />
  )
}
