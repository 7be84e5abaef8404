import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { ownerCallData, vaultAddressOf } from '@kassa/keys/vault-calls.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { blockchainsQuery } from '../../../api/blockchains.ts'
import { releasedContractQuery } from '../../../api/contract-wallets.ts'
import { coldWalletsQuery } from '../../../api/hot-wallets.ts'
import { depositWalletsQuery } from '../../../api/lazy-lists.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { shortHash } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Stepper } from '../../../ui/feedback/Stepper.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { PageHead } from '../../../ui/places/PageHead.tsx'
import { EVM } from '../account/families.ts'
import { CheckStep } from './CheckStep.tsx'
import { ColdStep } from './ColdStep.tsx'
import { ConfirmStep } from './ConfirmStep.tsx'
import { ConnectStep, type Owner } from './ConnectStep.tsx'
import { type Deployment, keepSent, newSalt, readSent, type SentDeployment, STEPS } from './deployment.ts'
import { SignStep } from './SignStep.tsx'

/** Where a new contract is made first; other networks follow from the card of its wallet. */
const FIRST_NETWORK = 'ETH'

/** Has the merchant's own wallet create a sweep contract: the page prepares, checks and registers, and signs nothing. */
export function DeployContract() {
  const [search] = useSearchState()
  const { data: blockchains } = useQuery(blockchainsQuery)
  const { data: wallets } = useQuery(depositWalletsQuery)
  const wallet = wallets?.find(({ id }) => String(id) === search['walletID'])
  const isForApprovals = search['for'] === 'approvals'
  const networks = networksFor(blockchains ?? [], wallet)
  const [waiting, setWaiting] = useState(readSent)
  const [sent, setSent] = useState<SentDeployment>()
  const [code, setCode] = useState<string>()
  const blockchain = networks.find((one) => one.code === code) ?? networks[0]
  const isNamed = search['walletID'] !== undefined
  return (
    <>
      <PageHead
        title={t`Deploy sweep contract`}
        text={t`Your own wallet makes the contract. This server prepares, checks and registers it, and holds no key of it.`}
      />
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
      {sent !== undefined && (
        <Confirming
          sent={sent}
          onStartOver={() => {
            keepSent(undefined)
            setWaiting(undefined)
            setSent(undefined)
          }}
        />
      )}
      {sent === undefined && blockchains !== undefined && blockchain === undefined && (
        <Banner tone="info">
          <Trans>The contract stands on every network that is in use.</Trans>
        </Banner>
      )}
      {sent === undefined && blockchain !== undefined && (!isNamed || wallet !== undefined) && (
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
            {...{ blockchain, wallet, isForApprovals }}
            onSent={(next) => {
              keepSent(next)
              setSent(next)
            }}
          />
        </>
      )}
    </>
  )
}

/** Of a new contract the first network; of a wallet that has one, those it does not stand on. */
function networksFor(blockchains: readonly Blockchain[], wallet: Wallet | undefined): Blockchain[] {
  const inUse = blockchains.filter(({ family, status }) => family === EVM && status === 'active')
  if (wallet === undefined) return inUse.filter(({ code }) => code === FIRST_NETWORK)
  const taken = new Set(wallet.walletScws.map(({ blockchainCode }) => blockchainCode))
  return inUse.filter(({ code }) => !taken.has(code))
}

function Confirming({ sent, onStartOver }: { sent: SentDeployment; onStartOver: () => void }) {
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <Stepper label={t`Steps`} steps={STEPS.map((name) => t(name))} current={STEPS.length - 1} />
        <ConfirmStep sent={sent} onStartOver={onStartOver} />
      </div>
    </Card>
  )
}

type PreparingProps = {
  readonly blockchain: Blockchain
  readonly wallet: Wallet | undefined
  readonly isForApprovals: boolean
  readonly onSent: (sent: SentDeployment) => void
}

/** The steps before the transaction is sent. */
function Preparing({ blockchain, wallet, isForApprovals, onSent }: PreparingProps) {
  const { data: factory } = useQuery(releasedContractQuery(blockchain.code, 'factory_contract'))
  const { data: vault } = useQuery(releasedContractQuery(blockchain.code, 'fund_sweeper'))
  const { data: coldWallets = [] } = useQuery(coldWalletsQuery)
  const [owner, setOwner] = useState<Owner>()
  const [collector, setCollector] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const [salt] = useState(() => wallet?.salt ?? newSalt())
  const isOther = owner !== undefined && wallet !== undefined && !isOwnerOf(wallet, owner.address)
  const address = factory?.address ?? undefined
  const isReady = owner !== undefined && !isOther && collector !== undefined && vault !== undefined
  const deployment: Deployment | undefined =
    isReady && factory !== undefined && address !== undefined
      ? {
          ...{ blockchainCode: blockchain.code, factoryId: factory.id, factory: address },
          ...{ owner: owner.address, collector, salt, isForApprovals },
          ...(wallet && { walletId: wallet.id }),
          vault: vaultAddressOf({ factory: address, bytecode: vault.bytecode, owner: owner.address, salt }),
        }
      : undefined
  const step = owner === undefined || isOther ? 0 : collector === undefined ? 1 : isChecked ? 3 : 2
  const coldName = coldWallets.find((one) => one.address === collector)?.name ?? ''
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
        {isOther && (
          <Banner tone="danger">
            {t`The contract of this wallet was made by ${wallet.masterAddress ?? ''}. Only that account makes it on another network at the same address.`}
          </Banner>
        )}
        {step === 0 && <ConnectStep blockchainCode={blockchain.code} onOwner={setOwner} />}
        {step === 1 && owner !== undefined && (
          <ColdStep blockchainCode={blockchain.code} owner={owner.address} onCollector={setCollector} />
        )}
        {step === 2 && deployment !== undefined && call !== undefined && (
          <CheckStep
            {...{ deployment, blockchain, call, coldName }}
            provider={owner?.provider}
            onChecked={() => setChecked(true)}
          />
        )}
        {step === 3 && deployment !== undefined && call !== undefined && (
          <SignStep
            provider={owner?.provider}
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

function callOf({ owner, factory, salt, collector }: Deployment, { chainID }: Blockchain) {
  const data = ownerCallData({ kind: 'createVault', salt, collector })
  return { from: owner, to: factory, data, chainId: chainID ?? 0 }
}

function isOwnerOf({ masterAddress }: Wallet, address: string): boolean {
  return masterAddress?.toLowerCase() === address.toLowerCase()
}
