import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'

import { blockchainsQuery } from '../../../api/blockchains.ts'
import { coldWalletsQuery } from '../../../api/hot-wallets.ts'
import { useCan } from '../../../api/me.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'
import { Unreviewed } from './Unreviewed.tsx'
import { ChangeCollector } from './ChangeCollector.tsx'

type Contract = Wallet['walletScws'][number]

/** The sweep contract of a wallet: who made it, where its money goes on each network, and who can move it. */
export function ContractFacts({ wallet }: { wallet: Wallet }) {
  const { data: coldWallets = [] } = useQuery(coldWalletsQuery)
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const mayWrite = useCan()('wallet:write')
  const [changing, setChanging] = useState<Contract>()
  const { walletScws: contracts, fund_sweeper_address: address, masterAddress: creator } = wallet
  const isEverywhere = blockchains
    .filter(({ family, status }) => family === wallet.family && status === 'active')
    .every(({ code }) => contracts.some(({ blockchainCode }) => blockchainCode === code))
  const coldName = (text: string) => coldWallets.find((one) => one.address === text)?.name
  const rows = [
    {
      label: t`Sweep contract`,
      value: (
        <>
          <Address value={address ?? ''} />
          <span className="block text-dense text-muted">
            <Trans>made by</Trans> <Address value={creator ?? ''} />
          </span>
        </>
      ),
    },
    ...contracts.map((contract) => ({
      label: t`Ends in, on ${networkName(contract.blockchainCode)}`,
      value: (
        <span className="flex flex-wrap items-center justify-between gap-2">
          <span>
            {coldName(contract.collectorOnChain) ?? t`An address that is no cold wallet`}{' '}
            <Address value={contract.collectorOnChain} />
          </span>
          {mayWrite && (
            <Button size="small" onClick={() => setChanging(contract)}>
              <Trans>Change…</Trans>
            </Button>
          )}
        </span>
      ),
    })),
  ]
  return (
    <div className="flex flex-col gap-3">
      <Unreviewed />
      {contracts.map((contract) => (
        <ContractNotice
          key={contract.id}
          contract={contract}
          onOpen={mayWrite ? () => setChanging(contract) : undefined}
        />
      ))}
      <KeyValue rows={rows} />
      {mayWrite && !isEverywhere && (
        <div>
          <LinkButton size="small" href={paths.deploySweepContract({ walletID: String(wallet.id) })}>
            <Trans>Add a network</Trans>
          </LinkButton>
        </div>
      )}
      <WhoCanMove />
      {changing !== undefined && (
        <ChangeCollector wallet={wallet} contract={changing} onClose={() => setChanging(undefined)} />
      )}
    </div>
  )
}

/** What a person must look at: another end that was proposed, that is there already, or one key for everything. */
function ContractNotice({ contract, onOpen }: { contract: Contract; onOpen: (() => void) | undefined }) {
  const { blockchainCode, fundCollectorAddress, collectorOnChain, ownerAddress } = contract
  const { pendingCollectorAddress: pending, pendingCollectorReadyAt: readyAt } = contract
  const network = networkName(blockchainCode)
  const open = (text: string) =>
    onOpen && (
      <Button size="small" onClick={onOpen}>
        {text}
      </Button>
    )
  if (collectorOnChain !== fundCollectorAddress) {
    return (
      <Banner tone="danger" action={open(t`Look`)}>
        {t`On ${network} the contract sends money to ${collectorOnChain}; you confirmed ${fundCollectorAddress}. Nothing is swept until you confirm the new address.`}
      </Banner>
    )
  }
  if (pending !== null && readyAt !== null) {
    return (
      <Banner tone="danger" action={open(t`Veto`)}>
        {t`${ownerAddress} proposed on ${network} that swept money goes to ${pending}.`}{' '}
        <TimeRemaining until={readyAt} /> <Trans>Until then sweeping goes on as before.</Trans>
      </Banner>
    )
  }
  if (ownerAddress === collectorOnChain) {
    return (
      <Banner tone="warning">
        {t`On ${network} one address owns the contract and gets the money: if its key is stolen, both go with it.`}
      </Banner>
    )
  }
  return null
}

function WhoCanMove() {
  return (
    <section
      aria-label={t`Who can move the money of the contract`}
      className="flex gap-3 rounded-card bg-sunken px-4 py-3.5 text-body"
    >
      <ShieldCheck aria-hidden size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-success-solid" />
      <div>
        <p className="font-medium">
          <Trans>Who can move this money</Trans>
        </p>
        <p className="mt-0.5 text-muted">
          <Trans>
            Anyone may start a sweep; the money always goes to the cold address. Only the owner can propose another
            address, and that takes 48 hours in which the owner or the present cold address can refuse it. This server
            holds no key that could.
          </Trans>
        </p>
      </div>
    </section>
  )
}
