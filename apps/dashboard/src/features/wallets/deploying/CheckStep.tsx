import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import type { TickerRow } from '@kassa/contract/prices/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'

import { blockchainsQuery } from '../../../api/blockchains.ts'
import { releasedContractQuery } from '../../../api/contract-wallets.ts'
import { tickerQuery } from '../../../api/prices.ts'
import type { Inspected, OwnerWallet, WalletCall } from '../../../lib/device/owner-wallet.ts'
import { NothingToSign } from '../../../lib/device/owner-wallet.ts'
import { isUnknownNetwork } from '../../../lib/device/wallet-errors.ts'
import { count, truncateAmount, usd } from '../../../lib/text/format.ts'
import { coinAmount, coinValue } from './coin-amount.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { KeyValue, type KeyValueRow } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import type { Deployment } from './deployment.ts'

export type CheckStepProps = {
  readonly deployment: Deployment
  readonly blockchain: Blockchain
  readonly wallet: OwnerWallet | undefined
  readonly call: WalletCall
  readonly coldName: string
  readonly onChecked: () => void
}

/** Shows everything that will be sent, in full, with what a node says of it: the wallet's own where it has one for this page. */
export function CheckStep({ deployment, blockchain, wallet, call, coldName, onChecked }: CheckStepProps) {
  const facts = useFacts({ deployment, wallet, call })
  const { data: found } = facts
  const isElsewhere = found !== undefined && found.chainId !== call.chainId
  const isOther = found?.isSameCode === false
  const isShort = found?.cost !== undefined && found.cost.balance < found.cost.fee
  const price = usePrice(blockchain.code)
  const isStopped = isElsewhere || isOther || isShort || (wallet !== undefined && found === undefined)
  return (
    <div className="flex flex-col gap-4">
      <KeyValue rows={rowsOf({ deployment, blockchain, coldName, found, price })} />
      <p className="flex gap-3 rounded-card bg-sunken px-4 py-3.5 text-body">
        <ShieldCheck aria-hidden size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-success-solid" />
        <Trans>After this only the cold address can receive swept funds.</Trans>
      </p>
      {facts.error !== null && (
        <Banner tone="danger">
          {facts.error instanceof NothingToSign ? (
            <Trans>The contract would revert this call, so there is nothing to sign.</Trans>
          ) : (
            <Trans>The wallet didn’t answer. Try again.</Trans>
          )}
        </Banner>
      )}
      {isElsewhere && wallet !== undefined && (
        <OtherNetwork
          {...{ blockchain, wallet }}
          presentChainId={found.chainId}
          onSwitched={() => void facts.refetch()}
        />
      )}
      {!isElsewhere && isOther && (
        <Banner tone="danger">
          <Trans>Other code than this release’s stands at the factory’s address. Don’t send anything there.</Trans>
        </Banner>
      )}
      {!isElsewhere && isShort && (
        <Banner tone="warning">
          <Trans>The account has too little for the network fee. Send it some coins first.</Trans>
        </Banner>
      )}
      <div>
        <Button kind="primary" disabled={isStopped} onClick={onChecked}>
          <Trans>Continue</Trans>
        </Button>
      </div>
    </div>
  )
}

type Found = { readonly chainId: number } & Inspected

/** Asks through the wallet. */
function useFacts({ deployment, wallet, call }: Pick<CheckStepProps, 'deployment' | 'wallet' | 'call'>) {
  const { data: factory } = useQuery(releasedContractQuery(deployment.blockchainCode, 'factory_contract'))
  return useQuery({
    queryKey: ['deployment', call, factory?.codeHash],
    enabled: wallet !== undefined && factory !== undefined,
    staleTime: 0,
    queryFn: async (): Promise<Found> => {
      if (!wallet || !factory) throw new Error('Nothing to ask')
      const chainId = await wallet.network()
      if (chainId !== call.chainId) return { chainId, isSameCode: true, cost: undefined }
      return { chainId, ...(await wallet.inspect(call, factory.codeHash)) }
    },
  })
}

/** What the coin of a network costs in US dollars; null where it is not known. */
function usePrice(blockchainCode: string): string | null {
  const { data: prices } = useQuery(tickerQuery)
  const native = findBlockchain(blockchainCode)?.nativeCurrency
  const isIt = (one: TickerRow) => one.blockchainCode === blockchainCode && one.currencyCode === native
  return prices?.find(isIt)?.price ?? null
}

type Shown = Pick<CheckStepProps, 'deployment' | 'blockchain' | 'coldName'> & {
  readonly found: Found | undefined
  readonly price: string | null
}

function rowsOf({ deployment, blockchain, coldName, found, price }: Shown): KeyValueRow[] {
  const { factory, collector, salt, vault, owner } = deployment
  const { nativeCurrency: coin = '', nativeDecimals = 18 } = findBlockchain(blockchain.code) ?? {}
  const amount = (units: bigint) => truncateAmount(coinAmount(units, nativeDecimals))
  const feeText = (fee: bigint) => {
    const text = `${amount(fee)} ${coin}`
    return price === null ? text : `${text} (${usd(coinValue(fee, nativeDecimals, price))})`
  }
  const cost = found?.cost
  return [
    {
      label: t`You will call`,
      value: (
        <>
          <Address value={factory} full />
          <span className="block text-dense text-muted">
            {t`The factory of this release on ${blockchain.name}`}
            {found?.isSameCode === true && cost !== undefined && ` · ${t`code hash equals the release`}`}
          </span>
        </>
      ),
    },
    { label: t`Owner`, value: <Address value={owner} full /> },
    {
      label: t`Collector`,
      value: (
        <>
          <Address value={collector} full />
          <span className="block text-dense text-muted">{t`Your cold address “${coldName}”`}</span>
        </>
      ),
    },
    {
      label: t`Your contract will be`,
      value: (
        <>
          <Address value={vault} full />
          <span className="block text-dense break-all text-muted">
            {blockchain.family === 'ETH_Family'
              ? t`On every EVM network, from the salt ${salt}`
              : t`From the salt ${salt}`}
          </span>
        </>
      ),
    },
    ...(cost === undefined
      ? []
      : [
          {
            label: t`Network fee`,
            value: t`≈ ${feeText(cost.fee)}, ${count(Number(cost.gas))} gas; the account has ${amount(cost.balance)} ${coin}`,
          },
        ]),
  ]
}

type OtherNetworkProps = {
  readonly blockchain: Blockchain
  readonly wallet: OwnerWallet
  readonly presentChainId: number
  readonly onSwitched: () => void
}

function OtherNetwork({ blockchain, wallet, presentChainId, onSwitched }: OtherNetworkProps) {
  const [failure, setFailure] = useState<string>()
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const present = blockchains.find((one) => one.chainID === presentChainId)?.name
  const { name, chainID } = blockchain
  const where =
    present === undefined
      ? t`Your wallet is on another network. Switch to ${name}.`
      : t`Your wallet is on ${present}. Switch to ${name}.`
  const go = async () => {
    try {
      await wallet.goTo(chainID ?? 0)
      onSwitched()
    } catch (thrown) {
      setFailure(
        isUnknownNetwork(thrown)
          ? t`Your wallet doesn’t know ${name}. Add the network there first.`
          : t`It stayed where it is.`,
      )
    }
  }
  return (
    <Banner
      tone="warning"
      action={
        <Button size="small" onClick={() => void go()}>
          <Trans>Switch</Trans>
        </Button>
      }
    >
      {failure ?? where}
    </Banner>
  )
}
