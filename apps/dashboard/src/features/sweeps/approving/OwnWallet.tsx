import type { InitiatedSweep } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { BalanceRow } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { browserWalletsQuery } from '../../../api/browser-wallets.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { useSweepChanges } from '../../../api/sweeps.ts'
import { isTransactionHash } from '../../../labels/sweep-labels.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { walletFailure } from '../../../labels/wallet-failure.ts'
import type { BrowserWallet, WalletCall } from '../../../lib/device/owner-wallet.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { paths } from '../../../lib/paths.ts'
import { count } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'
import { ReleaseSweep } from '../history/ReleaseSweep.tsx'

type OwnWalletProps = { readonly row: BalanceRow; readonly handed: InitiatedSweep; readonly onEnd: () => void }

/** The transaction to send from one's own wallet, and the way to name it afterwards. The chain decides, not what is named. */
export function OwnWallet({ row, handed, onEnd }: OwnWalletProps) {
  const { sweep, transaction, fundCollector, expiresAt } = handed
  const { record } = useSweepChanges()
  const [failure, setFailure] = useState<string>()
  const [isReleasing, setReleasing] = useState(false)
  // What a wallet has sent is recorded again where that failed, and not sent again.
  const [isSent, setSent] = useState(false)
  const send = async (txHash: string) => {
    setFailure(undefined)
    try {
      await record(sweep, txHash)
      toast.success(t`The transaction is recorded and watched.`)
      onEnd()
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    }
  }
  const form = useForm({
    initial: { txHash: '' },
    validate: ({ txHash }) => (isTransactionHash(txHash) ? {} : { txHash: t`This is not a valid transaction hash` }),
    submit: ({ txHash }) => send(txHash),
  })
  return (
    <Card
      title={t`Send this transaction`}
      text={
        <Trans>
          Time left: <TimeRemaining until={expiresAt} />
        </Trans>
      }
    >
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <KeyValue
          rows={[
            { label: t`Contract`, value: <Address value={transaction.to} full /> },
            { label: t`Destination`, value: <Address value={fundCollector} full /> },
            {
              label: t`Amount`,
              value: (
                <Amount value={sweep.amount} currency={sweep.currencyCode} usd={sweep.amountInUSD ?? undefined} full />
              ),
            },
            { label: t`Gas limit`, value: count(Number(transaction.gasLimit)) },
            ...(transaction.chainId === null
              ? []
              : [{ label: t`Chain`, value: `${networkName(row.blockchainCode)} (${transaction.chainId})` }]),
          ]}
        />
        {transaction.chainId !== null && !isSent && (
          <BrowserWallets
            blockchainCode={row.blockchainCode}
            call={{ to: transaction.to, data: transaction.data, chainId: transaction.chainId }}
            onSent={(txHash) => {
              setSent(true)
              form.set({ txHash })
              void send(txHash)
            }}
            onFailure={setFailure}
          />
        )}
        <CodeBlock label={t`call data`} text={transaction.data} wraps />
        <div>
          <CopyButton label={t`transaction`} value={JSON.stringify(transaction, null, 2)} withText />
        </div>
        <TextField
          {...form.field('txHash')}
          label={t`Transaction hash`}
          hint={t`Paste it once your wallet has sent the transaction. Kassa verifies it on the chain.`}
          mono
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" loading={form.sending}>
            <Trans>Record transaction</Trans>
          </Button>
          <Button onClick={() => setReleasing(true)}>
            <Trans>Release</Trans>
          </Button>
        </div>
        <p className="text-dense text-muted">
          <TextLink
            href={paths.sweeps({ tabId: 'History', open: String(sweep.id) })}
          >{t`Follow sweep ${sweep.id}`}</TextLink>
        </p>
      </form>
      {isReleasing && <ReleaseSweep sweep={sweep} onReleased={onEnd} onClose={() => setReleasing(false)} />}
    </Card>
  )
}

type BrowserWalletsProps = {
  readonly blockchainCode: string
  readonly call: Omit<WalletCall, 'from'>
  readonly onSent: (txHash: string) => void
  readonly onFailure: (text: string | undefined) => void
}

/** The wallets of this browser, each a press away from sending it. */
function BrowserWallets({ blockchainCode, call, onSent, onFailure }: BrowserWalletsProps) {
  const { data: wallets = [] } = useQuery(browserWalletsQuery(blockchainCode))
  const [busy, setBusy] = useState<string>()
  const open = async ({ info, wallet }: BrowserWallet) => {
    onFailure(undefined)
    setBusy(info.uuid)
    try {
      const from = await wallet.connect()
      if ((await wallet.network()) !== call.chainId) await wallet.goTo(call.chainId)
      onSent(await wallet.send({ ...call, from }))
    } catch (thrown) {
      onFailure(walletFailure(thrown))
    } finally {
      setBusy(undefined)
    }
  }
  if (wallets.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {wallets.map((wallet) => (
        <Button
          key={wallet.info.uuid}
          loading={busy === wallet.info.uuid}
          disabled={busy !== undefined}
          onClick={() => void open(wallet)}
        >
          {t`Open in ${wallet.info.name}`}
        </Button>
      ))}
    </div>
  )
}
