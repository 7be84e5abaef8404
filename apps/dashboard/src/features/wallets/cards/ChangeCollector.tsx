import type { Collector } from '@kassa/contract/wallets/contract-routes.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { type OwnerCall, ownerCallData } from '@kassa/keys/vault-calls.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { blockchainsQuery } from '../../../api/blockchains.ts'
import { collectorsQuery, useContractChanges } from '../../../api/contract-wallets.ts'
import { failureOf } from '../../../api/form-failure.ts'
import { coldWalletsQuery } from '../../../api/hot-wallets.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { shortHash } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Select } from '../../../ui/fields/Select.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'
import { ConnectStep, type Owner } from '../signing/ConnectStep.tsx'
import { SignStep } from '../signing/SignStep.tsx'

type Contract = Wallet['walletScws'][number]
type Props = { readonly wallet: Wallet; readonly contract: Contract; readonly onClose: () => void }

/** Leads through another end of a sweep contract: proposed by its owner, refused or accepted on chain, confirmed here. */
export function ChangeCollector({ wallet, contract, onClose }: Props) {
  const { data, error, refetch } = useQuery(collectorsQuery(wallet.id, wallet.family))
  const [asked, setAsked] = useState<OwnerCall>()
  const here = data?.collectors.filter(({ contractAddressID }) => contractAddressID === contract.id)
  const network = networkName(contract.blockchainCode)
  return (
    <Dialog
      title={t`Where swept money goes on ${network}`}
      size={720}
      onClose={onClose}
      foot={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      {error !== null && here === undefined && (
        <ErrorState
          title={t`The contract couldn’t be read`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {error === null && here === undefined && (
        <>
          <Skeleton width="80%" />
          <LoadingText text={t`Reading the contract`} />
        </>
      )}
      {here !== undefined && asked === undefined && (
        <State wallet={wallet} contract={contract} collectors={here} onAsk={setAsked} onDone={() => void refetch()} />
      )}
      {asked !== undefined && (
        <Signing
          contract={contract}
          call={asked}
          onEnd={() => {
            setAsked(undefined)
            void refetch()
          }}
        />
      )}
    </Dialog>
  )
}

type StateProps = Omit<Props, 'onClose'> & {
  readonly collectors: readonly Collector[]
  readonly onAsk: (call: OwnerCall) => void
  readonly onDone: () => void
}

function State({ wallet, contract, collectors, onAsk, onDone }: StateProps) {
  const present = collectors.find(({ onChain }) => onChain)
  const recorded = collectors.find(({ recorded: is }) => is)
  const proposed = collectors.find(({ readyAt }) => readyAt !== null)
  if (present !== undefined && recorded !== undefined && !present.recorded) {
    return <Confirm wallet={wallet} contract={contract} present={present} former={recorded} onDone={onDone} />
  }
  return (
    <div className="flex flex-col gap-4">
      <KeyValue
        rows={[
          { label: t`Now`, value: <Address value={present?.address ?? ''} full /> },
          ...(proposed === undefined ? [] : [{ label: t`Proposed`, value: <Address value={proposed.address} full /> }]),
        ]}
      />
      {proposed === undefined ? (
        <Propose contract={contract} present={present?.address ?? ''} onAsk={onAsk} />
      ) : (
        <Pending proposed={proposed} onAsk={onAsk} />
      )}
    </div>
  )
}

function Pending({ proposed, onAsk }: { proposed: Collector; onAsk: (call: OwnerCall) => void }) {
  const readyAt = proposed.readyAt ?? new Date(0)
  const isReady = readyAt.getTime() <= Date.now()
  return (
    <>
      <p className="text-body">
        {t`Proposed by ${proposed.proposedBy ?? ''}.`}{' '}
        {isReady ? t`It can be accepted now.` : <TimeRemaining until={readyAt} />}
      </p>
      {!proposed.allowed && (
        <Banner tone="warning">
          <Trans>The proposed address is none of your cold wallets. Add it there, or refuse it.</Trans>
        </Banner>
      )}
      <div className="flex flex-wrap gap-3">
        <Button kind="danger" onClick={() => onAsk({ kind: 'cancelCollector' })}>
          <Trans>Veto</Trans>
        </Button>
        <Button disabled={!isReady} onClick={() => onAsk({ kind: 'acceptCollector' })}>
          <Trans>Accept on chain</Trans>
        </Button>
      </div>
      <p className="text-dense text-muted">
        <Trans>
          The owner or the present cold address can refuse it. The owner or the proposed address can accept it.
        </Trans>
      </p>
    </>
  )
}

type ProposeProps = { readonly contract: Contract; readonly present: string; readonly onAsk: (call: OwnerCall) => void }

function Propose({ contract, present, onAsk }: ProposeProps) {
  const { data: coldWallets = [] } = useQuery(coldWalletsQuery)
  const [picked, setPicked] = useState<string>()
  const options = coldWallets.filter(
    ({ blockchainCode, status, address }) =>
      blockchainCode === contract.blockchainCode && status === 'active' && address !== null && address !== present,
  )
  const chosen = options.find(({ id }) => String(id) === picked) ?? options[0]
  if (chosen === undefined) {
    return (
      <Banner tone="info">
        <Trans>Add the new address as a cold wallet of this network first.</Trans>
      </Banner>
    )
  }
  const to = chosen.address ?? ''
  const isOwner = to === contract.ownerAddress
  return (
    <>
      <Select
        label={t`New cold wallet`}
        value={String(chosen.id)}
        options={options.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={setPicked}
      />
      <KeyValue
        rows={[
          { label: t`From`, value: <Address value={present} full /> },
          { label: t`To`, value: <Address value={to} full /> },
        ]}
      />
      {isOwner && (
        <Banner tone="danger">
          <Trans>Use another address: if this key is lost or stolen, both the contract and the money go with it.</Trans>
        </Banner>
      )}
      <p className="text-body text-muted">
        <Trans>
          Your owner wallet proposes it on chain. 48 hours later it can be accepted, and then you confirm it here.
          Sweeping to the present address goes on meanwhile.
        </Trans>
      </p>
      <div>
        <Button kind="primary" disabled={isOwner} onClick={() => onAsk({ kind: 'proposeCollector', to })}>
          <Trans>Propose on chain</Trans>
        </Button>
      </div>
    </>
  )
}

type ConfirmProps = Omit<Props, 'onClose'> & {
  readonly present: Collector
  readonly former: Collector
  readonly onDone: () => void
}

function Confirm({ wallet, contract, present, former, onDone }: ConfirmProps) {
  const { confirmCollector } = useContractChanges()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    const { address } = present
    const body = { address, blockchainCode: contract.blockchainCode }
    const failed = await failureOf(() => confirmCollector(wallet.id, wallet.family, body))
    setBusy(false)
    setFailure(failed)
    if (failed !== undefined) return
    toast.success(t`Confirmed: sweeping goes on`)
    onDone()
  }
  return (
    <div className="flex flex-col gap-4">
      <Banner tone="danger">
        <Trans>
          The contract sends money to another address than you confirmed. Nothing is swept until you confirm it. If none
          of you changed it, don’t: find out who has the owner’s key.
        </Trans>
      </Banner>
      <KeyValue
        rows={[
          { label: t`You confirmed`, value: <Address value={former.address} full /> },
          { label: t`By the chain`, value: <Address value={present.address} full /> },
        ]}
      />
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      <div>
        <Button kind="primary" loading={isBusy} onClick={() => void confirm()}>
          <Trans>Confirm the new address</Trans>
        </Button>
      </div>
    </div>
  )
}

type SigningProps = { readonly contract: Contract; readonly call: OwnerCall; readonly onEnd: () => void }

/** Has the wallet send what was asked for, to the contract. */
function Signing({ contract, call, onEnd }: SigningProps) {
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const [owner, setOwner] = useState<Owner>()
  const chainId = blockchains.find(({ code }) => code === contract.blockchainCode)?.chainID ?? 0
  const sent = (hash: string) => {
    toast.success(t`Sent: ${shortHash(hash)}. It shows here once it is mined.`)
    onEnd()
  }
  return (
    <div className="flex flex-col gap-4">
      {owner === undefined ? (
        <ConnectStep blockchainCode={contract.blockchainCode} onOwner={setOwner} />
      ) : (
        <SignStep
          wallet={owner.wallet}
          call={{ from: owner.address, to: contract.fundSweeperAddress, data: ownerCallData(call), chainId }}
          onSent={sent}
        />
      )}
      <div>
        <Button kind="quiet" onClick={onEnd}>
          <Trans>Back</Trans>
        </Button>
      </div>
    </div>
  )
}
