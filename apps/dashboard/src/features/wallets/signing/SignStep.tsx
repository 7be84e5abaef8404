import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { walletFailure } from '../../../labels/wallet-failure.ts'
import type { OwnerWallet, WalletCall } from '../../../lib/device/owner-wallet.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'

/** Networks of EVM print it with `0x`, TRON without. */
const HASH = /^(?:0x)?[0-9a-fA-F]{64}$/

export type SignStepProps = {
  readonly wallet: OwnerWallet | undefined
  readonly call: WalletCall
  readonly onSent: (hash: string) => void
}

/** Has the owner's wallet sign and send the call, or shows the call to sign elsewhere. */
export function SignStep({ wallet, call, onSent }: SignStepProps) {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isRaw, setRaw] = useState(wallet === undefined)
  const send = async (signer: OwnerWallet) => {
    setFailure(undefined)
    setBusy(true)
    try {
      if ((await signer.network()) !== call.chainId) await signer.goTo(call.chainId)
      onSent(await signer.send(call))
    } catch (thrown) {
      setFailure(walletFailure(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-4">
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      {wallet !== undefined && (
        <div className="flex flex-wrap gap-3">
          <Button kind="primary" loading={isBusy} onClick={() => void send(wallet)}>
            <Trans>Open in wallet</Trans>
          </Button>
          {!isRaw && (
            <Button kind="quiet" disabled={isBusy} onClick={() => setRaw(true)}>
              <Trans>Show as raw transaction</Trans>
            </Button>
          )}
        </div>
      )}
      {isRaw && <RawTransaction call={call} onSent={onSent} />}
    </div>
  )
}

/** The call as any wallet or command takes it, and the hash that comes of it. */
function RawTransaction({ call, onSent }: Omit<SignStepProps, 'wallet'>) {
  const [hash, setHash] = useState('')
  const [error, setError] = useState<string>()
  const { from, to, data, chainId } = call
  const text = JSON.stringify({ chainId, from, to, value: '0', data }, null, 2)
  return (
    <form
      className="flex flex-col items-start gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const isHash = HASH.test(hash.trim())
        setError(isHash ? undefined : t`This is not a transaction hash`)
        if (isHash) onSent(hash.trim())
      }}
    >
      <p className="text-body text-muted">
        <Trans>
          Sign and send this elsewhere, from the address that it names. Then paste the hash of the transaction.
        </Trans>
      </p>
      <CodeBlock label={t`Raw transaction`} text={text} wraps />
      <TextField label={t`Transaction hash`} value={hash} error={error} autoComplete="off" mono onChange={setHash} />
      <Button type="submit">
        <Trans>Continue</Trans>
      </Button>
    </form>
  )
}
