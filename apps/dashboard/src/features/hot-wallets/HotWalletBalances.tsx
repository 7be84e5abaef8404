import type { Wallet, WalletBalance } from '@kassa/contract/wallets/schemas.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { configurationQuery } from '../../api/configuration.ts'
import { failureOf } from '../../api/form-failure.ts'
import { useWalletChanges } from '../../api/hot-wallets.ts'
import { useCan } from '../../api/me.ts'
import { networkName } from '../../labels/networks/network-name.ts'
import { usd } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Amount } from '../../ui/facts/Amount.tsx'
import { None } from '../../ui/facts/None.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import type { Column } from '../../ui/list/columns.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import type { ErrorFacts } from '../../ui/places/ErrorState.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'

type Props = {
  readonly wallet: Wallet
  readonly balances: readonly WalletBalance[] | undefined
  readonly error: ErrorFacts | null
  readonly onRetry: () => void
}

/** The balances of a hot wallet by coin: on its blockchain, by the ledger, and reserved. */
export function HotWalletBalances({ wallet, balances, error, onRetry }: Props) {
  const { data: configuration } = useQuery(configurationQuery)
  const mayFund = useCan()('sandbox:use') && configuration?.features.sandbox === true
  const own = balances?.filter(({ walletID }) => walletID === wallet.id)
  return (
    <section>
      <h2 className="mb-3 text-h3 font-semibold">
        <Trans>Balances</Trans>
      </h2>
      <DataTable
        caption={t`Balances`}
        columns={columns(wallet, mayFund)}
        rows={own}
        rowKey={({ blockchainCode, currencyCode }) => `${blockchainCode}:${currencyCode}`}
        rowName={({ blockchainCode, currencyCode }) => `${currencyCode} ${blockchainCode}`}
        error={own === undefined ? error : null}
        onRetry={onRetry}
        empty={<EmptyState title={t`No network of this family is in use`} />}
      />
    </section>
  )
}

function columns(wallet: Wallet, mayFund: boolean): Column<WalletBalance>[] {
  return [
    {
      key: 'coin',
      label: t`Coin`,
      card: 'title',
      cell: ({ currencyCode, blockchainCode }) => (
        <span>
          {currencyCode} <span className="text-muted">{t`on ${networkName(blockchainCode)}`}</span>
        </span>
      ),
    },
    {
      key: 'onChain',
      label: t`On chain`,
      align: 'end',
      card: 'line',
      cardLabel: true,
      cell: ({ onChain, currencyCode }) =>
        onChain === null ? <None /> : <Amount value={onChain} currency={currencyCode} />,
    },
    {
      key: 'ledger',
      label: t`Booked`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      cell: ({ ledger, currencyCode }) => <Amount value={ledger} currency={currencyCode} />,
    },
    {
      key: 'held',
      label: t`Held for payouts`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      shrink: 1,
      cell: ({ held, currencyCode }) => <Amount value={held} currency={currencyCode} />,
    },
    {
      key: 'inUSD',
      label: t`In US dollars`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      cell: ({ inUSD }) => (inUSD === null ? <None /> : usd(inUSD)),
    },
    ...(mayFund ? [fundColumn(wallet)] : []),
  ]
}

function fundColumn(wallet: Wallet): Column<WalletBalance> {
  return { key: 'fund', label: t`Sandbox`, card: 'foot', cell: (balance) => <Fund wallet={wallet} balance={balance} /> }
}

/** What the payer of the sandbox sends at a press: enough to try things out. */
const PLAY_MONEY = { native: '0.2', token: '200' }
const NATIVE: ReadonlySet<string> = new Set(BLOCKCHAINS.map(({ nativeCurrency }) => nativeCurrency))

/** Has the payer of the sandbox send play money. */
function Fund({ wallet, balance }: { wallet: Wallet; balance: WalletBalance }) {
  const { fund } = useWalletChanges()
  const [isSending, setSending] = useState(false)
  const { blockchainCode, currencyCode } = balance
  const send = async () => {
    const amount = NATIVE.has(currencyCode) ? PLAY_MONEY.native : PLAY_MONEY.token
    setSending(true)
    const failure = await failureOf(() => fund({ walletID: wallet.id, blockchainCode, currencyCode, amount }))
    setSending(false)
    if (failure === undefined) toast.success(t`${amount} ${currencyCode} are on their way`)
    else toast.error(failure)
  }
  return (
    <Button size="small" loading={isSending} onClick={() => void send()}>
      <Trans>Fund</Trans>
    </Button>
  )
}
