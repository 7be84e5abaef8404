import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { connectFailure } from '../../../labels/wallet-failure.ts'
import type { OwnerWallet } from '../../../lib/device/owner-wallet.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useOwnerWallets } from './owner-wallets.ts'

/** The signer: a connected wallet, or an address whose wallet is elsewhere. */
export type Owner = { readonly address: string; readonly wallet: OwnerWallet | undefined }

/** A first look; the server decides. */
const ADDRESS = { hex: /^0x[0-9a-fA-F]{40}$/, tron: /^T[1-9A-HJ-NP-Za-km-z]{33}$/ } as const

/** Asks for the wallet that will own the contract. */
export function ConnectStep({ blockchainCode, onOwner }: { blockchainCode: string; onOwner: (owner: Owner) => void }) {
  const { wallets, sandbox } = useOwnerWallets(blockchainCode)
  const [isOpen, setOpen] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const connect = async (wallet: OwnerWallet) => {
    setFailure(undefined)
    setBusy(true)
    try {
      onOwner({ address: await wallet.connect(), wallet })
    } catch (thrown) {
      setFailure(connectFailure(thrown) ?? t`The wallet didn’t answer. Try again.`)
    } finally {
      setBusy(false)
    }
  }
  const [only, ...others] = wallets ?? []
  const first = wallets === undefined || others.length > 0 ? undefined : (only?.wallet ?? sandbox)
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-muted">
        <Trans>
          Your own wallet creates the contract and owns it: a hardware wallet or a Safe is best. This server holds no
          key of it.
        </Trans>
      </p>
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      {wallets !== undefined && only === undefined && (
        <Banner tone="info">
          {sandbox === undefined
            ? t`No wallet was found in this browser. Install one, or sign elsewhere.`
            : t`No wallet was found in this browser. On the sandbox a built-in wallet plays the owner’s.`}
        </Banner>
      )}
      <div className="flex flex-wrap gap-3">
        {first !== undefined && (
          <Button kind="primary" loading={isBusy} onClick={() => void connect(first)}>
            <Trans>Connect wallet</Trans>
          </Button>
        )}
        {others.length > 0 &&
          (wallets ?? []).map(({ info, wallet }) => (
            <Button key={info.uuid} disabled={isBusy} onClick={() => void connect(wallet)}>
              {t`Connect ${info.name}`}
            </Button>
          ))}
        {only !== undefined && sandbox !== undefined && (
          <Button disabled={isBusy} onClick={() => void connect(sandbox)}>
            <Trans>Use the sandbox’s wallet</Trans>
          </Button>
        )}
        <Button kind="quiet" disabled={isBusy} onClick={() => setOpen(true)}>
          <Trans>Show as raw transaction</Trans>
        </Button>
      </div>
      {isOpen && <OtherOwner pattern={blockchainCode === 'TRX' ? ADDRESS.tron : ADDRESS.hex} onOwner={onOwner} />}
    </div>
  )
}

/** An address whose wallet signs elsewhere: the sender of the transaction owns the contract. */
function OtherOwner({ pattern, onOwner }: { pattern: RegExp; onOwner: (owner: Owner) => void }) {
  const [address, setAddress] = useState('')
  const [error, setError] = useState<string>()
  return (
    <form
      className="flex flex-col items-start gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const isAddress = pattern.test(address.trim())
        setError(isAddress ? undefined : t`This is not an address of this network`)
        if (isAddress) onOwner({ address: address.trim(), wallet: undefined })
      }}
    >
      <TextField
        label={t`Address that will send the transaction`}
        value={address}
        error={error}
        autoComplete="off"
        mono
        onChange={setAddress}
      />
      <Button type="submit">
        <Trans>Continue</Trans>
      </Button>
    </form>
  )
}
