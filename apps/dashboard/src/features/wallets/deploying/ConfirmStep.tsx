import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'

import { useContractChanges } from '../../../api/contract-wallets.ts'
import { asRequestError, type RequestError } from '../../../api/request-error.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Spinner } from '../../../ui/feedback/Spinner.tsx'
import { keepSent, type SentDeployment } from './deployment.ts'

/** A block takes this long or longer. */
const ASK_AGAIN_MS = 3_000

/** Nothing is wrong: the network has not decided yet, its node has not heard, or the server has too much to do. */
const WAITS = new Set([
  ...['TRANSACTION_UNCONFIRMED', 'TRANSACTION_NOT_FOUND', 'NODE_UNREACHABLE'],
  ...['NETWORK_FAILED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
])

type Outcome =
  | { readonly kind: 'waiting' | 'refused'; readonly error: RequestError | undefined }
  | { readonly kind: 'done' }

/** Asks the server to verify what was sent, again and again while the network decides. */
export function ConfirmStep({ sent, onStartOver }: { sent: SentDeployment; onStartOver: () => void }) {
  const { outcome, tryAgain } = useRegistration(sent)
  return (
    <div className="flex flex-col gap-4">
      <KeyValue
        rows={[
          { label: t`Contract`, value: <Address value={sent.vault} full /> },
          { label: t`Transaction`, value: <Address value={sent.transactionHash} isHash /> },
        ]}
      />
      {outcome.kind === 'waiting' && (
        <p role="status" className="flex items-center gap-3 text-body">
          <Spinner />
          {outcome.error === undefined ? t`The server verifies the transaction.` : waitingText(outcome.error)}
        </p>
      )}
      {outcome.kind === 'refused' && (
        <>
          <Banner tone="danger">
            {outcome.error?.message} {outcome.error?.details}
          </Banner>
          <div className="flex flex-wrap gap-3">
            <Button kind="primary" onClick={tryAgain}>
              <Trans>Try again</Trans>
            </Button>
            <Button onClick={onStartOver}>
              <Trans>Start over</Trans>
            </Button>
          </div>
          <p className="text-dense text-muted">
            <Trans>Starting over forgets this transaction here and makes another contract.</Trans>
          </p>
        </>
      )}
      {outcome.kind === 'done' && (
        <>
          <Banner tone="success">
            {sent.isForApprovals
              ? t`Verified. Deposit addresses can approve this contract now.`
              : t`Verified. Customers of linked projects get addresses of this contract now.`}
          </Banner>
          <div>
            <LinkButton href={paths.depositWallets()} kind="primary">
              <Trans>Open deposit wallets</Trans>
            </LinkButton>
          </div>
        </>
      )}
    </div>
  )
}

function waitingText({ code, data, message }: RequestError): string {
  const { confirmations, required } = data
  if (code !== 'TRANSACTION_UNCONFIRMED' || typeof confirmations !== 'number') {
    return code === 'TRANSACTION_NOT_FOUND' ? t`The network has not heard of the transaction yet.` : message
  }
  return t`${confirmations} of ${String(required)} confirmations.`
}

/** Registering is safe to repeat: the same transaction gives the same wallet. */
function useRegistration(sent: SentDeployment): { readonly outcome: Outcome; readonly tryAgain: () => void } {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'waiting', error: undefined })
  const [attempts, setAttempts] = useState(0)
  const { addWallet, registerForApprovals } = useContractChanges()
  const register = useEffectEvent(async () => {
    const { transactionHash, walletId, blockchainCode, factoryId, vault, collector } = sent
    if (sent.isForApprovals) {
      await registerForApprovals(blockchainCode, { address: vault, transactionHash, fundCollectorAddress: collector })
    } else {
      await addWallet(factoryId, { transactionHash, ...(walletId !== undefined && { walletID: walletId }) })
    }
  })
  useEffect(() => {
    let timer: number | undefined
    let isGone = false
    const attempt = async () => {
      try {
        await register()
        keepSent(undefined)
        if (!isGone) setOutcome({ kind: 'done' })
      } catch (thrown) {
        if (isGone) return
        const error = asRequestError(thrown)
        const isWaiting = WAITS.has(error.code)
        setOutcome({ kind: isWaiting ? 'waiting' : 'refused', error })
        if (isWaiting) timer = window.setTimeout(() => void attempt(), ASK_AGAIN_MS)
      }
    }
    void attempt()
    return () => {
      isGone = true
      window.clearTimeout(timer)
    }
  }, [sent.transactionHash, attempts])
  const tryAgain = () => {
    setOutcome({ kind: 'waiting', error: undefined })
    setAttempts(attempts + 1)
  }
  return { outcome, tryAgain }
}
