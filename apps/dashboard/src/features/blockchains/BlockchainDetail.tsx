import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asApiError } from '../../api/api-error.ts'
import { watchedBlockchainsQuery } from '../../api/blockchains.ts'
import { useCan } from '../../api/me.ts'
import { count } from '../../lib/format.ts'
import { networkName } from '../../lib/network-name.ts'
import { headOf, networkState } from '../../lib/network-state.ts'
import { Age } from '../../ui/Age.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/Skeleton.tsx'
import { StatTile } from '../../ui/StatTile.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Assets } from './Assets.tsx'
import { NetworkSwitch } from './NetworkSwitch.tsx'
import { NetworkSettings } from './NetworkSettings.tsx'
import { networkValues } from './network-form.ts'
import { sourcesNote } from './node-states.ts'
import { Nodes } from './Nodes.tsx'
import { Rescan } from './Rescan.tsx'

/** One network: how far it is read, its nodes, its settings and its currencies. */
export function BlockchainDetail({ code }: { code: string }) {
  const { data, error, refetch } = useQuery(watchedBlockchainsQuery)
  const blockchain = data?.find((row) => row.code === code.toUpperCase())
  return (
    <>
      <p className="mb-2 text-body">
        <TextLink href="/settings/blockchains">
          <Trans>All blockchains</Trans>
        </TextLink>
      </p>
      <PageHead
        title={blockchain?.name ?? networkName(code.toUpperCase())}
        {...(blockchain === undefined ? {} : { text: networkText(blockchain), aside: <State row={blockchain} /> })}
      />
      {data === undefined && error === null && <Loading />}
      {data === undefined && error !== null && (
        <Card flush>
          <ErrorState
            title={t`The blockchain couldn’t be loaded`}
            error={asApiError(error)}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {data !== undefined && blockchain === undefined && <Unknown code={code} />}
      {blockchain !== undefined && <Content blockchain={blockchain} />}
    </>
  )
}

function Content({ blockchain }: { blockchain: Blockchain }) {
  const mayWrite = useCan()('blockchain:write')
  return (
    <div className="flex flex-col gap-6">
      <Notes blockchain={blockchain} />
      <Progress blockchain={blockchain} />
      <Nodes blockchain={blockchain} />
      <Assets blockchain={blockchain} />
      {mayWrite && (
        <>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <NetworkSettings key={JSON.stringify(networkValues(blockchain))} blockchain={blockchain} />
            <Rescan blockchain={blockchain} />
          </div>
          <NetworkSwitch blockchain={blockchain} />
        </>
      )}
    </div>
  )
}

function State({ row }: { row: Blockchain }) {
  return <StatusBadge {...networkState(row)} wire={row.status} />
}

function networkText({ code, networkMode, chainID }: Blockchain): string {
  return [code, networkMode, ...(chainID === null ? [] : [t`chain ${chainID}`])].join(' · ')
}

/** What to know before anything else: why it stands still, what is odd, who could lie. */
function Notes({ blockchain }: { blockchain: Blockchain }) {
  const { status, reason, notice } = blockchain
  const sources = status === 'active' ? sourcesNote(blockchain) : undefined
  if (reason === null && notice === null && sources === undefined) return null
  return (
    <div className="flex flex-col gap-2">
      {reason !== null && <Banner tone={status === 'active' ? 'danger' : 'neutral'}>{reason}</Banner>}
      {notice !== null && <Banner tone="warning">{notice}</Banner>}
      {sources !== undefined && <Banner tone="warning">{sources}</Banner>}
    </div>
  )
}

function Progress({ blockchain }: { blockchain: Blockchain }) {
  const { lagBlocks, height, heightTimestamp } = blockchain
  const head = headOf(blockchain)
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatTile label={t`Head of the network`} value={head === undefined ? '–' : count(head)} />
      <StatTile label={t`Read up to block`} value={lagBlocks === null ? '–' : count(height)} />
      <StatTile label={t`Blocks behind`} value={lagBlocks === null ? '–' : count(lagBlocks)} />
      <StatTile
        label={t`Last block we read`}
        value={
          heightTimestamp === null ? (
            '–'
          ) : (
            <Trans>
              <Age at={heightTimestamp} /> ago
            </Trans>
          )
        }
      />
    </div>
  )
}

function Unknown({ code }: { code: string }) {
  return (
    <Card flush>
      <EmptyState
        title={t`There is no network ${code}`}
        text={t`It may be written differently: ETH, BTC, TRX, BASE, POLYGON, SOLANA.`}
        action={
          <LinkButton href="/settings/blockchains">
            <Trans>All blockchains</Trans>
          </LinkButton>
        }
      />
    </Card>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton height={72} />
      <Skeleton height={160} />
      <LoadingText text={t`Loading the blockchain`} />
    </div>
  )
}
