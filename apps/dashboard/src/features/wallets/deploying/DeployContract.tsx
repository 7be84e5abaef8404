import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { isSameAddress } from '@kassa/keys/address-case.ts'
import { ownerCallData, vaultAddressOf } from '@kassa/keys/vault-calls.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'

import { blockchainsQuery } from '../../../api/blockchains.ts'
import { releasedContractQuery } from '../../../api/contract-wallets.ts'
import { coldWalletsQuery } from '../../../api/hot-wallets.ts'
import { depositWalletsQuery } from '../../../api/lazy-lists.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { shortHash } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Stepper } from '../../../ui/feedback/Stepper.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { PageHead } from '../../../ui/places/PageHead.tsx'
import { ConnectStep, type Owner } from '../signing/ConnectStep.tsx'
import { SignStep } from '../signing/SignStep.tsx'
import { ColdStep } from './ColdStep.tsx'
import { ConfirmStep } from './ConfirmStep.tsx'
import { Unreviewed } from '../cards/Unreviewed.tsx'
import { type Deployment, keepSent, newSalt, readSent, type SentDeployment, STEPS } from './deployment.ts'

const CheckStep = lazyPart(async () => ({ default: (await import('./CheckStep.tsx')).CheckStep }))

/** Where a new contract is made first; other EVM networks follow from the card of its wallet. */
const FIRST_NETWORKS: readonly string[] = ['ETH', 'TRX']

/** Has the merchant's own wallet create a sweep contract: the page prepares, checks and registers, and signs nothing. */
export function DeployContract() {
  const [waiting, setWaiting] = useState(readSent)
  const [sent, setSent] = useState<SentDeployment>()
  const onStartOver = () => {
    keepSent(undefined)
    setWaiting(undefined)
    setSent(undefined)
  }
  const onSent = (next: SentDeployment) => {
    keepSent(next)
    setSent(next)
  }
  return (
    <>
      <PageHead
        title={t`Deploy sweep contract`}
        text={t`Your own wallet makes the contract. This server prepares, checks and registers it, and holds no key of it.`}
      />
      <div className="mb-4 empty:hidden">
        <Unreviewed />
      </div>
      {waiting !== undefined && sent === undefined && (
        <div className="mb-4">
          <Banner
            tone="info"
            action={
              <Button size="small" onClick={() => setSent(waiting)}>
                <Trans>Continue</Trans>
              </Button>
            }
          >
            {t`A deployment is waiting: ${shortHash(waiting.transactionHash)}`}
          </Banner>
        </div>
      )}
      {sent === undefined ? (
        <Place onSent={onSent} />
      ) : (
        <Card>
          <div className="flex flex-col gap-5">
            <Stepper label={t`Steps`} steps={STEPS.map((name) => t(name))} current={STEPS.length - 1} />
            <ConfirmStep sent={sent} onStartOver={onStartOver} />
          </div>
        </Card>
      )}
    </>
  )
}

/** Where the contract is made: the address of the page names the wallet that gets one more network, or what it is for. */
function Place({ onSent }: { onSent: (sent: SentDeployment) => void }) {
  const [search] = useSearchState()
  const { data: blockchains } = useQuery(blockchainsQuery)
  const { data: wallets } = useQuery(depositWalletsQuery)
  const [code, setCode] = useState<string>()
  const wallet = wallets?.find(({ id }) => String(id) === search['walletID'])
  if (blockchains === undefined || (search['walletID'] !== undefined && wallets === undefined)) {
    return (
      <>
        <Skeleton width="60%" />
        <LoadingText text={t`Loading networks`} />
      </>
    )
  }
  const networks = networksFor(blockchains, wallet)
  const blockchain = networks.find((one) => one.code === (code ?? search['network'])) ?? networks[0]
  if (blockchain === undefined) {
    return (
      <Banner tone="info">
        {wallet === undefined
          ? t`Neither Ethereum nor TRON is switched on. Switch one on under Settings › Blockchains first.`
          : t`The contract exists on every network in use.`}
      </Banner>
    )
  }
  return (
    <>
      {networks.length > 1 && (
        <div className="mb-4 max-w-sm">
          <Select
            label={t`Network`}
            value={blockchain.code}
            options={networks.map(({ code: value, name }) => ({ value, label: name }))}
            onChange={setCode}
          />
        </div>
      )}
      <Preparing
        key={blockchain.code}
        {...{ blockchain, wallet, onSent }}
        isForApprovals={search['for'] === 'approvals'}
      />
    </>
  )
}

/** Of a new contract the first networks; of a wallet that has one, those of its family it does not stand on. */
function networksFor(blockchains: readonly Blockchain[], wallet: Wallet | undefined): Blockchain[] {
  const inUse = blockchains.filter(({ status }) => status === 'active')
  if (wallet === undefined) return inUse.filter(({ code }) => FIRST_NETWORKS.includes(code))
  const taken = new Set(wallet.walletScws.map(({ blockchainCode }) => blockchainCode))
  return inUse.filter(({ family, code }) => family === wallet.family && !taken.has(code))
}

type PreparingProps = {
  readonly blockchain: Blockchain
  readonly wallet: Wallet | undefined
  readonly isForApprovals: boolean
  readonly onSent: (sent: SentDeployment) => void
}

/** The steps before the transaction is sent. */
function Preparing(props: PreparingProps) {
  const { blockchain, wallet, onSent } = props
  const { data: coldWallets = [] } = useQuery(coldWalletsQuery)
  const [owner, setOwner] = useState<Owner>()
  const [collector, setCollector] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const deployment = useDeployment(props, owner?.address, collector)
  const isOther = owner !== undefined && wallet !== undefined && !isOwnerOf(wallet, owner.address)
  const { data: factory } = useQuery(releasedContractQuery(blockchain.code, 'factory_contract'))
  if (factory?.address === null) return <NoFactory name={blockchain.name} />
  const step = stepOf({ isConnected: owner !== undefined && !isOther, hasEnd: collector !== undefined, isChecked })
  const call = deployment && callOf(deployment, blockchain)
  const back = () => {
    if (step === 3) setChecked(false)
    else if (step === 2) setCollector(undefined)
    else setOwner(undefined)
  }
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <Stepper label={t`Steps`} steps={STEPS.map((name) => t(name))} current={step} />
        {isOther && <OtherOwner wallet={wallet} />}
        {step === 0 && <ConnectStep blockchainCode={blockchain.code} onOwner={setOwner} />}
        {step === 1 && owner !== undefined && (
          <ColdStep blockchainCode={blockchain.code} owner={owner.address} onCollector={setCollector} />
        )}
        {step === 2 && deployment !== undefined && call !== undefined && (
          <Suspense fallback={<Skeleton width="60%" />}>
            <CheckStep
              {...{ deployment, blockchain, call }}
              coldName={coldWallets.find((one) => one.address === collector)?.name ?? ''}
              wallet={owner?.wallet}
              onChecked={() => setChecked(true)}
            />
          </Suspense>
        )}
        {step === 3 && deployment !== undefined && call !== undefined && (
          <SignStep
            wallet={owner?.wallet}
            call={call}
            onSent={(transactionHash) => onSent({ ...deployment, transactionHash })}
          />
        )}
        {step > 0 && (
          <div>
            <Button kind="quiet" onClick={back}>
              <Trans>Back</Trans>
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

function stepOf({ isConnected, hasEnd, isChecked }: { isConnected: boolean; hasEnd: boolean; isChecked: boolean }) {
  if (!isConnected) return 0
  if (!hasEnd) return 1
  return isChecked ? 3 : 2
}

/** A public network on which this release's factory was not deployed. */
function NoFactory({ name }: { name: string }) {
  return (
    <Banner tone="info">
      {t`This release’s factory is not deployed on this ${name} network yet. Use an extended public key instead.`}
    </Banner>
  )
}

function OtherOwner({ wallet }: { wallet: Wallet }) {
  const creator = wallet.masterAddress ?? ''
  return (
    <Banner tone="danger">
      {t`The contract of this wallet was made by ${creator}. Only that account makes it on another network at the same address.`}
    </Banner>
  )
}

/** What will be sent, once owner and cold address are known and the release's contracts are here. */
function useDeployment(
  { blockchain, wallet, isForApprovals }: PreparingProps,
  owner: string | undefined,
  collector: string | undefined,
): Deployment | undefined {
  const { data: factory } = useQuery(releasedContractQuery(blockchain.code, 'factory_contract'))
  const { data: vault } = useQuery(releasedContractQuery(blockchain.code, 'fund_sweeper'))
  const [salt] = useState(() => wallet?.salt ?? newSalt())
  const address = factory?.address ?? undefined
  if (!factory || !vault || address === undefined || owner === undefined || collector === undefined) return undefined
  return {
    ...{ blockchainCode: blockchain.code, factoryId: factory.id, factory: address },
    ...{ owner, collector, salt, isForApprovals },
    ...(wallet && { walletId: wallet.id }),
    vault: vaultAddressOf({ factory: address, bytecode: vault.bytecode, owner, salt }),
  }
}

function callOf({ owner, factory, salt, collector }: Deployment, { chainID }: Blockchain) {
  const data = ownerCallData({ kind: 'createVault', salt, collector })
  return { from: owner, to: factory, data, chainId: chainID ?? 0 }
}

function isOwnerOf({ masterAddress }: Wallet, address: string): boolean {
  return masterAddress !== null && isSameAddress(masterAddress, address)
}
