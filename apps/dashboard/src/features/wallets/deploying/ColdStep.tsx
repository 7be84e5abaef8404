import { isSameAddress } from '@kassa/keys/address-case.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'

import { coldWalletsQuery } from '../../../api/hot-wallets.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'

const AddColdWallet = lazyLayer(async () => ({ default: (await import('../cold/AddColdWallet.tsx')).AddColdWallet }))

type ColdStepProps = {
  readonly blockchainCode: string
  readonly owner: string
  readonly onCollector: (address: string) => void
}

/** Asks where swept money goes: one of the cold wallets of the network, or a new one. */
export function ColdStep({ blockchainCode, owner, onCollector }: ColdStepProps) {
  const { data: wallets, error, refetch } = useQuery(coldWalletsQuery)
  const [picked, setPicked] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const options = (wallets ?? []).filter(
    (wallet) => wallet.blockchainCode === blockchainCode && wallet.status === 'active' && wallet.address !== null,
  )
  const chosen = options.find(({ id }) => String(id) === picked) ?? options[0]
  const address = chosen?.address ?? undefined
  const isOwner = address !== undefined && isSameAddress(address, owner)
  const usableAt = chosen?.usableAt ?? null
  const isWaiting = usableAt !== null && usableAt.getTime() > Date.now()
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-muted">
        <Trans>
          After the contract is made, swept money can go to this address only. The holder of its key gets it.
        </Trans>
      </p>
      {options.length > 0 && (
        <RadioGroup
          legend={t`Cold address`}
          options={options.map(({ id, name, address: text }) => ({ value: String(id), label: name, hint: text ?? '' }))}
          value={String(chosen?.id)}
          onChange={setPicked}
        />
      )}
      {wallets === undefined && error !== null && (
        <ErrorState
          title={t`Cold wallets couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {wallets !== undefined && options.length === 0 && (
        <Banner tone="info">
          <Trans>This network has no cold wallet yet. Add the address whose key only you have.</Trans>
        </Banner>
      )}
      {isOwner && (
        <Banner tone="danger">
          <Trans>Use another address: if this key is lost or stolen, both the contract and the money go with it.</Trans>
        </Banner>
      )}
      {isWaiting && (
        <Banner tone="warning">
          <Trans>
            This address is not usable yet, and a contract that ends there is refused until it is. Time left:{' '}
            <TimeRemaining until={usableAt} />
          </Trans>
        </Banner>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          kind="primary"
          disabled={address === undefined || isOwner || isWaiting}
          onClick={() => address !== undefined && onCollector(address)}
        >
          <Trans>Continue</Trans>
        </Button>
        <Button onClick={() => setAdding(true)}>
          <Trans>Add cold wallet</Trans>
        </Button>
      </div>
      <Suspense>
        {isAdding && <AddColdWallet blockchainCode={blockchainCode} onClose={() => setAdding(false)} />}
      </Suspense>
    </div>
  )
}
