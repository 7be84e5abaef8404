import type { CustodyKey, CustodyKeyName } from '@kassa/contract/wallets/custody.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { custodyQuery } from '../../../api/hot-wallets.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { usd } from '../../../lib/text/format.ts'
import { None } from '../../../ui/facts/None.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'

type Words = { readonly name: MessageDescriptor; readonly signs: MessageDescriptor; readonly worst: MessageDescriptor }

const WORDS: Readonly<Record<CustodyKeyName, Words>> = {
  deposit_seed: {
    name: msg`Recovery phrase of a deposit wallet`,
    signs: msg`Every transfer from its deposit addresses`,
    worst: msg`Everything there that was not moved on yet, for ever.`,
  },
  cold_key: {
    name: msg`Key of a cold wallet`,
    signs: msg`Transfers of what has arrived there`,
    worst: msg`Everything that arrived there.`,
  },
  contract_owner: {
    name: msg`Owner of a sweep contract`,
    signs: msg`Proposals of another cold address`,
    worst: msg`After 48 hours without a veto: what its deposit addresses get from then on.`,
  },
  account_xpub: {
    name: msg`Extended public key`,
    signs: msg`Nothing`,
    worst: msg`Privacy: it links all payers.`,
  },
  gas_key: {
    name: msg`Gas keys`,
    signs: msg`Transactions that pay network fees`,
    worst: msg`The balance of the gas wallets.`,
  },
  payout_key: { name: msg`Payout keys`, signs: msg`Payouts`, worst: msg`The balance of the payout wallets.` },
  master_key: {
    name: msg`Master key of the server`,
    signs: msg`Opens the vaults without a passphrase`,
    worst: msg`What the hot keys there hold, and the accounts of mail server and nodes.`,
  },
  passphrase: {
    name: msg`Passphrase of a vault`,
    signs: msg`Opens its vault, together with the master key`,
    worst: msg`With the master key: what the hot keys there hold.`,
  },
  operator_session: {
    name: msg`Session of a member`,
    signs: msg`What the role permits`,
    worst: msg`One person: what needs no second approval.`,
  },
  api_key: {
    name: msg`API key of a shop`,
    signs: msg`Payments, and requests for payouts`,
    worst: msg`Payouts up to what needs no approval: 0 by default.`,
  },
  address_proof_key: {
    name: msg`Key that proves addresses`,
    signs: msg`“This address belongs to this payment”`,
    worst: msg`False proofs, with false addresses beside them.`,
  },
  whole_server: {
    name: msg`The whole server`,
    signs: msg`Everything the server signs`,
    worst: msg`The balance of the hot wallets, and new payments to a false address until it is noticed.`,
  },
}

/** Every key there is: who holds it, what it can sign, and the worst that a thief of it can do. */
export function CustodyTable() {
  const { data, error, refetch } = useQuery(custodyQuery)
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-h3 font-semibold">
        <Trans>Who can move this money</Trans>
      </h2>
      <DataTable
        caption={t`Who can move this money`}
        columns={columns()}
        rows={data}
        rowKey={({ key }) => key}
        rowName={({ key }) => t(WORDS[key].name)}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t`No keys`} />}
      />
    </section>
  )
}

function columns(): Column<CustodyKey>[] {
  return [
    { key: 'key', label: t`Key`, card: 'title', cell: ({ key }) => lines(t(WORDS[key].name)) },
    {
      key: 'holder',
      label: t`Held by`,
      card: 'foot',
      cardLabel: true,
      cell: ({ holder }) => (holder === 'server' ? t`This server` : t`You`),
    },
    { key: 'signs', label: t`Can sign`, card: 'line', cell: ({ key }) => lines(t(WORDS[key].signs)) },
    { key: 'worst', label: t`Worst case`, card: 'line', grows: true, cell: ({ key }) => lines(t(WORDS[key].worst)) },
    {
      key: 'float',
      label: t`Float`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      cell: ({ floatInUSD }) => (floatInUSD === null ? <None /> : usd(floatInUSD)),
    },
  ]
}

/** A text in as many lines as it needs: in one, the worst case would stand off a tablet's screen. */
function lines(text: string) {
  return <span className="block py-1 whitespace-normal sm:min-w-24 lg:min-w-44">{text}</span>
}
