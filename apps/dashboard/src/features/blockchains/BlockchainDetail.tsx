import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../api/request-error.ts'
import { watchedBlockchainsQuery } from '../../api/blockchains.ts'
import { useCan } from '../../api/me.ts'
import { networkName } from '../../labels/networks/network-name.ts'
import { networkNotice, networkReason } from '../../labels/networks/network-reason.ts'
import { networkState } from '../../labels/networks/network-state.ts'
import { paths } from '../../lib/paths.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { Assets } from './assets/Assets.tsx'
import { BlockchainFigures } from './network/BlockchainFigures.tsx'
import { BlockchainLoading } from './network/BlockchainLoading.tsx'
import { NetworkSwitch } from './network/NetworkSwitch.tsx'
import { NetworkSettings } from './network/NetworkSettings.tsx'
import { sourcesNote } from './nodes/node-states.ts'
import { faucetOf } from './nodes/public-nodes.ts'
import { Nodes } from './nodes/Nodes.tsx'
import { Rescan } from './network/Rescan.tsx'

/** One network: how far it is read, its nodes, its settings and its currencies. */
export function BlockchainDetail({ code }: { code: string }) {
  const { data, error, refetch } = useQuery(watchedBlockchainsQuery)
  const blockchain = data?.find((row) => row.code === code.toUpperCase())
  const isLoading = data === undefined && error === null
  return (
    <>
      <p className="mb-2 text-body">
        <TextLink href={paths.blockchains()}>
          <Trans>All blockchains</Trans>
        </TextLink>
      </p>
      <PageHead
        title={blockchain?.name ?? networkName(code.toUpperCase())}
        {...(isLoading && {
          text: <Skeleton width={176} height={20} />,
          aside: <Skeleton width={96} height={24} round />,
        })}
        {...(blockchain !== undefined && { text: networkText(blockchain), aside: <State row={blockchain} /> })}
      />
      {isLoading && <BlockchainLoading />}
      {data === undefined && error !== null && (
        <Card flush>
          <ErrorState
            title={t`The blockchain couldn’t be loaded`}
            error={asRequestError(error)}
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
      <BlockchainFigures blockchain={blockchain} />
      <Nodes blockchain={blockchain} />
      <Faucet blockchain={blockchain} />
      <Assets blockchain={blockchain} />
      {mayWrite && (
        <>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <NetworkSettings key={blockchain.code} blockchain={blockchain} />
            <Rescan blockchain={blockchain} />
          </div>
          <NetworkSwitch blockchain={blockchain} />
        </>
      )}
    </div>
  )
}

/** Where coins of a test network come from. */
function Faucet({ blockchain }: { blockchain: Blockchain }) {
  const faucet = faucetOf(blockchain)
  if (faucet === undefined) return null
  const { name, url } = faucet
  return (
    <p className="text-body text-muted">
      <Trans>
        Coins of {name} are worth nothing and given away:{' '}
        <TextLink href={url} newTab>
          Get test coins
        </TextLink>
      </Trans>
    </p>
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
  const { status } = blockchain
  const reason = networkReason(blockchain)
  const notice = networkNotice(blockchain)
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

function Unknown({ code }: { code: string }) {
  const codes = BLOCKCHAINS.map((one) => one.code).join(', ')
  return (
    <Card flush>
      <EmptyState
        title={t`There is no network ${code}`}
        text={t`It may be written differently: ${codes}.`}
        action={
          <LinkButton href={paths.blockchains()}>
            <Trans>All blockchains</Trans>
          </LinkButton>
        }
      />
    </Card>
  )
}
